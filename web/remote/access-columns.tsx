import { Textarea } from '@mantine/core'
import { IconCheck, IconClockStop, IconX } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import {
  approveAccess,
  endAccess,
  getAccessList,
  getAwaitedAccess,
  refuseAccess,
} from '#schema/remote/access'
import { remoteApprovePermission } from '#schema/remote/access-pages'
import { request } from '../kit/api.ts'
import { ask } from '../kit/confirm.tsx'
import { declaredProps } from '../kit/form/forms.ts'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import type { Column, RowAction } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { queryClient, reportError } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { deviceText } from './device-text.ts'

type Row = ReplyOf<typeof getAccessList>['list'][number]

const tones: Record<Row['state'], Tone> = {
  waiting: 'pending',
  approved: 'online',
  refused: 'critical',
  withdrawn: 'offline',
  expired: 'offline',
  ended: 'offline',
}
const who = (name: string | null) => nameText(name) ?? UNKNOWN

export const accessColumns: readonly Column<Row>[] = [
  {
    key: 'state',
    title: 'access:field.state',
    width: 130,
    card: 'beside',
    render: (row) => (
      <StatusChip
        tone={tones[row.state]}
        label={t(`access:state.${row.state}`)}
        hint={row.note ?? undefined}
      />
    ),
    text: (row) => t(`access:state.${row.state}`),
  },
  { key: 'deviceName', title: 'access:field.device', width: 140, card: 'title' },
  {
    key: 'deviceSn',
    title: 'device:column.deviceSn',
    width: 130,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'createdBy', title: 'access:field.createdBy', width: 130, render: (row) => who(row.createdBy) },
  { key: 'reason', title: 'access:field.reason', width: 200, prose: true },
  {
    key: 'createdAt',
    title: 'access:field.createdAt',
    width: 165,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'minutes',
    title: 'access:field.span',
    width: 135,
    numeric: true,
    render: (row) => number(row.minutes),
  },
  { key: 'decidedBy', title: 'access:field.decidedBy', width: 120, render: (row) => nameText(row.decidedBy) },
  {
    key: 'until',
    title: 'access:field.until',
    width: 165,
    render: (row) => <When at={row.until} absolute />,
  },
]

async function settle(run: (signal: AbortSignal) => Promise<unknown>, done: string): Promise<void> {
  try {
    await run(new AbortController().signal)
    for (const { name } of [getAccessList, getAwaitedAccess])
      await queryClient.invalidateQueries({ queryKey: [name] })
    void toast('success', done)
  } catch (error) {
    reportError(error)
  }
}

async function approve(row: Row) {
  const { accessId, createdBy, minutes, reason } = row
  const sure = await ask({
    title: t('access:approve.title', { device: deviceText(row) }),
    text: t('access:approve.text', { who: who(createdBy), minutes: number(minutes), reason }),
    verb: t('access:approve.verb'),
  })
  if (sure) await settle((signal) => request(approveAccess, { accessId }, signal), t('access:approve.done'))
}

async function turnDown(row: Row) {
  const { accessId } = row
  let note = ''
  const sure = await ask({
    title: t('access:refuse.title', { device: deviceText(row) }),
    text: (
      <Textarea
        {...declaredProps(refuseAccess, 'note')}
        autosize
        minRows={2}
        onChange={(event) => {
          note = event.currentTarget.value
        }}
      />
    ),
    verb: t('access:refuse.verb'),
    danger: true,
  })
  if (sure)
    await settle((signal) => request(refuseAccess, { accessId, note }, signal), t('access:refuse.done'))
}

async function end(row: Row) {
  const { accessId, createdBy, state } = row
  const sure =
    state === 'waiting' ||
    (await ask({
      title: t('access:end.title', { device: deviceText(row) }),
      text: t('access:end.text', { who: who(createdBy) }),
      verb: t('access:end.verb'),
      danger: true,
    }))
  if (sure) await settle((signal) => request(endAccess, { accessId }, signal), t('access:end.done'))
}

export const accessActions = (row: Row): RowAction[] => {
  const closed = t(`access:state.${row.state}`)
  const decide = row.state !== 'waiting' ? closed : row.own ? t('access:own') : null
  const isOpen = row.state === 'approved' || (row.state === 'waiting' && row.own)
  return [
    {
      key: 'approve',
      label: t('access:approve.verb'),
      icon: IconCheck,
      permission: remoteApprovePermission,
      reason: decide,
      run: () => void approve(row),
    },
    {
      key: 'refuse',
      label: t('access:refuse.verb'),
      icon: IconX,
      permission: remoteApprovePermission,
      reason: decide,
      run: () => void turnDown(row),
    },
    {
      key: 'end',
      label: t(row.state === 'waiting' ? 'access:end.withdraw' : 'access:end.verb'),
      icon: IconClockStop,
      danger: true,
      ...(row.own ? {} : { permission: remoteApprovePermission }),
      reason: isOpen ? null : closed,
      run: () => void end(row),
    },
  ]
}
