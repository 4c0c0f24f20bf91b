import { IconEye, IconPlugX } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import { remoteForcePermission, remoteWatchPermission } from '#schema/remote/remote-access'
import { closeRemote, forceRemote, type getRemoteList } from '#schema/remote/remote-session'
import { ask } from '../kit/confirm.tsx'
import { bytes, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import type { Column, RowAction } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { endSession } from './close-session.ts'
import { endText } from './remote-steps.tsx'

type Row = ReplyOf<typeof getRemoteList>['list'][number]

const tones: Record<Row['state'], Tone> = {
  requested: 'pending',
  tunnelUp: 'online',
  ready: 'online',
  ended: 'offline',
}
const state = (row: Row) => (row.state === 'ended' ? endText(row) : t(`remote:state.${row.state}`))

export const sessionColumns: readonly Column<Row>[] = [
  {
    key: 'state',
    title: 'remote:field.state',
    width: 130,
    card: 'beside',
    render: (row) => (
      <StatusChip tone={tones[row.state]} label={t(`remote:state.${row.state}`)} hint={state(row)} />
    ),
    text: state,
  },
  { key: 'deviceName', title: 'remote:field.device', width: 165, card: 'title' },
  {
    key: 'deviceSn',
    title: 'device:column.deviceSn',
    width: 150,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  {
    key: 'kind',
    title: 'remote:field.kind',
    width: 100,
    render: (row) => t(`remote:kind.${row.kind}`),
    text: (row) => t(`remote:kind.${row.kind}`),
  },
  { key: 'createdBy', title: 'remote:field.createdBy', width: 110 },
  {
    key: 'createdAt',
    title: 'remote:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'fromDeviceBytes',
    title: 'remote:field.fromDevice',
    width: 125,
    numeric: true,
    render: (row) => bytes(row.fromDeviceBytes),
  },
  {
    key: 'toDeviceBytes',
    title: 'remote:field.toDevice',
    width: 110,
    numeric: true,
    render: (row) => bytes(row.toDeviceBytes),
  },
  {
    key: 'endedAt',
    title: 'remote:field.endedAt',
    width: 165,
    render: (row) => (row.endedAt ? <When at={row.endedAt} absolute /> : null),
  },
  {
    key: 'target',
    title: 'remote:field.target',
    width: 200,
    render: (row) => <Mono value={`${row.scheme}://${row.host}:${row.port}`} />,
    text: (row) => `${row.scheme}://${row.host}:${row.port}`,
  },
]

async function closeSession(row: Row): Promise<void> {
  const { sessionId } = row
  const sure =
    row.own ||
    (await ask({
      title: t('remote:force.title'),
      text: t('remote:force.text', { who: nameText(row.createdBy) ?? UNKNOWN }),
      verb: t('remote:close'),
      danger: true,
    }))
  if (sure) await endSession(row.own ? closeRemote : forceRemote, sessionId)
}

const watchAction = (row: Row): RowAction => ({
  key: 'watch',
  label: t('remote:watch'),
  icon: IconEye,
  permission: remoteWatchPermission,
  reason: row.endedAt === null ? null : t('remote:state.ended'),
  run: () => goTo(`/device/remotesession/${row.sessionId}`),
})

/** Watches the terminal of another; closes the own session, or that of another with the right to. */
export const sessionActions = (row: Row): RowAction[] => [
  ...(row.kind === 'terminal' && !row.own ? [watchAction(row)] : []),
  {
    key: 'close',
    label: t('remote:close'),
    icon: IconPlugX,
    danger: true,
    ...(row.own ? {} : { permission: remoteForcePermission }),
    reason: row.endedAt === null ? null : t('remote:state.ended'),
    run: () => void closeSession(row),
  },
]
