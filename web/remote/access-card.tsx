/** Above the pages of remote operation where the device's group demands an approval: asking for it, and how far it is. */
import { Group, Text } from '@mantine/core'
import { IconUserCheck } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { askAccess, endAccess, getDeviceAccess } from '#schema/remote/access'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { lazy } from '../kit/chunk.ts'
import { moment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useAction, useCall } from '../kit/query.ts'

const FormDrawer = lazy(() =>
  import('../kit/form/form-drawer.tsx').then((module) => ({ default: module.FormDrawer })),
)

type Access = ReplyOf<typeof getDeviceAccess>
const REFRESH_S = 3

/** Follows the request of the user for this device. */
export const useDeviceAccess = (deviceId: number) =>
  useCall(
    getDeviceAccess,
    { deviceId },
    { enabled: Number.isSafeInteger(deviceId) && deviceId > 0, refreshS: REFRESH_S },
  ).data

/** Why no session can be opened; null if one can. */
export function accessBlocked(access: Access | undefined): string | null {
  if (!access?.required || access.last?.state === 'approved') return null
  return access.last?.state === 'waiting' ? t('access:awaited') : t('access:blocked')
}

/** What became of the last request. */
function stateText(last: NonNullable<Access['last']>): string {
  const by = nameText(last.decidedBy) ?? UNKNOWN
  const until = moment(last.until)
  if (last.state === 'waiting') return t('access:waiting', { until })
  if (last.state === 'approved') return t('access:approved', { by, until })
  const said = t(`access:last.${last.state}`, { by })
  return last.note ? t('kit:labelled', { label: said, text: last.note }) : said
}

export function AccessCard({ deviceId, access }: { deviceId: number; access: Access | undefined }) {
  const [asking, setAsking] = useState(false)
  const end = useAction(endAccess, { refreshes: [getDeviceAccess] })
  if (!access?.required) return null
  const { last } = access
  const isOpen = last?.state === 'waiting' || last?.state === 'approved'
  return (
    <Card title={t(last?.state === 'approved' ? 'access:state.approved' : 'access:title')}>
      <div role="status">
        {last ? <Text size="sm">{stateText(last)}</Text> : null}
        {isOpen ? null : <Text size="sm">{t('access:intro')}</Text>}
      </div>
      <Group mt="sm" gap={8}>
        {isOpen ? (
          <ActionButton
            label={t(last.state === 'waiting' ? 'access:end.withdraw' : 'access:end.verb')}
            busy={end.busy}
            onPress={() => end.start({ accessId: last.accessId })}
          />
        ) : (
          <ActionButton
            icon={IconUserCheck}
            label={t('access:ask')}
            rank="primary"
            onPress={() => setAsking(true)}
          />
        )}
      </Group>
      <Suspense>
        {asking ? (
          <FormDrawer
            opened
            onClose={() => setAsking(false)}
            title={t('access:ask')}
            verb={t('access:ask')}
            call={askAccess}
            fixed={{ deviceId }}
            fields={[{ name: 'reason', required: true }, 'minutes']}
            initial={{ minutes: 60 }}
            refreshes={[getDeviceAccess]}
            success={t('access:asked')}
          />
        ) : null}
      </Suspense>
    </Card>
  )
}
