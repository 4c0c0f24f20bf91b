import { Text } from '@mantine/core'
import { Link } from 'react-router'
import { getPresenceList } from '#schema/device/presence'
import { getDeviceTimeline, timelineKinds } from '#schema/device/timeline'
import { duration } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import classes from './device.module.css'
import type { Device } from './device-actions.tsx'
import { type Event, eventKey, eventText } from './device-event.ts'

const tones: Record<Event['kind'], Tone> = {
  online: 'online',
  offline: 'offline',
  command: 'pending',
  task: 'pending',
  operation: 'offline',
  warning: 'warning',
  firmware: 'online',
  alarm: 'critical',
  sim: 'warning',
  backup: 'online',
  schedule: 'pending',
}

const events: readonly Column<Event>[] = [
  {
    key: 'at',
    title: 'device:event.at',
    width: 180,
    card: 'beside',
    render: ({ at }) => <When at={at} absolute />,
  },
  {
    key: 'kind',
    title: 'device:event.kind',
    width: 130,
    card: 'title',
    text: ({ kind }) => kind,
    render: ({ kind }) => <StatusChip tone={tones[kind]} label={t(`device:eventKind.${kind}`)} />,
  },
  {
    key: 'what',
    title: 'device:event.what',
    width: 220,
    text: eventText,
    render: (event) =>
      event.taskId === null ? (
        eventText(event)
      ) : (
        <Link to={`/task/upgrade/${event.taskId}`}>{eventText(event)}</Link>
      ),
  },
  { key: 'actor', title: 'device:event.actor', width: 140 },
]
const kinds: readonly Filter[] = [
  {
    key: 'kind',
    label: 'device:event.kind',
    useOptions: () => timelineKinds.map((value) => ({ value, label: t(`device:eventKind.${value}`) })),
  },
]

type Stay = Row<typeof getPresenceList>
const stays: readonly Column<Stay>[] = [
  {
    key: 'onlineAt',
    title: 'device:stay.online',
    width: 165,
    card: 'title',
    render: (row) => <When at={row.onlineAt} absolute />,
  },
  {
    key: 'offlineAt',
    title: 'device:stay.offline',
    width: 165,
    render: (row) => (row.offlineAt ? <When at={row.offlineAt} absolute /> : <StatusChip tone="online" />),
  },
  {
    key: 'durationS',
    title: 'device:stay.duration',
    numeric: true,
    render: (row) => duration(row.durationS),
  },
  {
    key: 'reason',
    title: 'device:stay.reason',
    text: (row) => (row.reason ? t(`device:offlineReason.${row.reason}`) : null),
    render: (row) => (row.reason ? <Text span>{t(`device:offlineReason.${row.reason}`)}</Text> : null),
  },
  { key: 'ip', title: 'device:column.ip', render: (row) => <Mono value={row.ip} /> },
  { key: 'transport', title: 'device:stay.transport', extra: true },
]

/** One merged timeline, and the online/offline record below it. */
export function DeviceHistory({ device: { deviceId } }: { device: Device }) {
  return (
    <div className={classes['stack']}>
      <ListView
        title={t('device:event.title')}
        call={getDeviceTimeline}
        rowKey={eventKey}
        body={{ deviceId }}
        columns={events}
        filters={kinds}
        refreshS={10}
        prefix="event"
        exportName="timeline"
      />
      <ListView
        title={t('device:stay.title')}
        call={getPresenceList}
        rowKey="onlineAt"
        body={{ deviceId }}
        columns={stays}
        prefix="stay"
        exportName="presence"
      />
    </div>
  )
}
