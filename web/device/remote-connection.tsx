/** Whether a user has a remote connection to the device now, and who. */
import { Group, Text } from '@mantine/core'
import { remoteOperationPermission } from '#schema/remote/remote-access'
import { getRemoteList } from '#schema/remote/remote-session'
import { moment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'

const REFRESH_S = 5
/** More than one device can have. */
const OPEN_MAX = 20

type State = 'connected' | 'connecting' | 'notConnected'
const tones: Record<State, Tone> = { connected: 'online', connecting: 'pending', notConnected: 'offline' }

/** [§4 Remote connection] Connected while a tunnel of it is up. */
export function RemoteConnection({ deviceId }: { deviceId: number }) {
  const may = can(remoteOperationPermission)
  const asked = { deviceId, open: 'yes' as const, limit: OPEN_MAX }
  const { data } = useCall(getRemoteList, asked, { enabled: may, refreshS: REFRESH_S })
  if (!may || !data) return null
  const up = data.list.find(({ state }) => state !== 'requested')
  const one = up ?? data.list[0]
  const state: State = up ? 'connected' : one ? 'connecting' : 'notConnected'
  return (
    <Group gap={8} role="group" aria-label={t('detail:remote.connection')}>
      <Text size="sm">{t('detail:remote.connection')}</Text>
      <StatusChip tone={tones[state]} label={t(`detail:remote.${state}`)} />
      {one ? (
        <Text size="sm" c="dimmed">
          {t('detail:remote.by', { who: nameText(one.createdBy) ?? UNKNOWN, since: moment(one.createdAt) })}
        </Text>
      ) : null}
    </Group>
  )
}
