import { Alert, Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { ErrorBar } from '../kit/error-bar.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { fieldLabel } from './page-field.tsx'
import type { useImpact } from './use-impact.ts'

const FULL = 100

/** What a change would do, and how far it is counted. */
export function ImpactNote({ impact, error }: ReturnType<typeof useImpact>) {
  if (error) return <ErrorBar error={error} />
  if (!impact) return null
  const { devices, done, changed, onUplink, same, unread, faulty, faults, warnings } = impact
  const danger = onUplink > 0 || faulty > 0 || warnings.length > 0
  const counting = impact.next !== null
  return (
    <Alert
      color={danger ? 'orange' : 'blue'}
      role="status"
      icon={danger ? <IconAlertTriangle size={18} stroke={1.5} /> : <IconInfoCircle size={18} stroke={1.5} />}
    >
      <Text fw={600}>
        {onUplink > 0
          ? t('config-many:impact.onUplink', { count: changed, uplink: number(onUplink) })
          : t('config-many:impact.changes', { count: changed })}
      </Text>
      {same > 0 ? <Text size="sm">{t('config-many:impact.same', { count: same })}</Text> : null}
      {unread > 0 ? <Text size="sm">{t('config-many:impact.unread', { count: unread })}</Text> : null}
      {faulty > 0 ? <Text size="sm">{t('config-many:impact.faulty', { count: faulty })}</Text> : null}
      {faults.map(({ sn, fault }) => (
        <Text key={sn} size="sm">
          {sn}: {fault}
        </Text>
      ))}
      {warnings.map(({ page, path, message, devices: count }) => (
        <Text key={`${page} ${path} ${message}`} size="sm">
          {t('config-many:impact.warned', {
            count,
            text: t('kit:labelled', { label: fieldLabel(page, path.split('.')[0] ?? ''), text: message }),
          })}
        </Text>
      ))}
      {counting ? (
        <>
          <Text size="sm">
            {t('config-many:impact.counted', { done: number(done), devices: number(devices) })}
          </Text>
          <Progress mt={4} size="sm" value={devices === 0 ? FULL : (done / devices) * FULL} aria-hidden />
        </>
      ) : null}
    </Alert>
  )
}
