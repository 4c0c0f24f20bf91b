import { Alert, Progress, Text } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { ErrorBar } from '../kit/error-bar.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { fieldLabel } from './page-field.tsx'
import type { useWeight } from './use-weight.ts'

const FULL = 100

/** What a change would do, and how far it is counted. */
export function WeightNote({ weight, error }: ReturnType<typeof useWeight>) {
  if (error) return <ErrorBar error={error} />
  if (!weight) return null
  const { devices, done, changed, onUplink, same, unread, faulty, faults, warnings } = weight
  const danger = onUplink > 0 || faulty > 0 || warnings.length > 0
  const counting = weight.next !== null
  return (
    <Alert
      color={danger ? 'orange' : 'blue'}
      role="status"
      icon={danger ? <IconAlertTriangle size={18} stroke={1.5} /> : <IconInfoCircle size={18} stroke={1.5} />}
    >
      <Text fw={600}>
        {onUplink > 0
          ? t('config-many:weight.onUplink', { count: changed, uplink: number(onUplink) })
          : t('config-many:weight.changes', { count: changed })}
      </Text>
      {same > 0 ? <Text size="sm">{t('config-many:weight.same', { count: same })}</Text> : null}
      {unread > 0 ? <Text size="sm">{t('config-many:weight.unread', { count: unread })}</Text> : null}
      {faulty > 0 ? <Text size="sm">{t('config-many:weight.faulty', { count: faulty })}</Text> : null}
      {faults.map(({ sn, fault }) => (
        <Text key={sn} size="sm">
          {sn}: {fault}
        </Text>
      ))}
      {warnings.map(({ page, path, message, devices: count }) => (
        <Text key={`${page} ${path} ${message}`} size="sm">
          {t('config-many:weight.warned', {
            count,
            text: t('kit:labelled', { label: fieldLabel(page, path.split('.')[0] ?? ''), text: message }),
          })}
        </Text>
      ))}
      {counting ? (
        <>
          <Text size="sm">
            {t('config-many:weight.counted', { done: number(done), devices: number(devices) })}
          </Text>
          <Progress mt={4} size="sm" value={devices === 0 ? FULL : (done / devices) * FULL} aria-hidden />
        </>
      ) : null}
    </Alert>
  )
}
