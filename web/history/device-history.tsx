import { Chip, SegmentedControl, Select, Text } from '@mantine/core'
import { parseAsArrayOf, parseAsStringLiteral, useQueryState } from 'nuqs'
import { getCommandList } from '#schema/command/command'
import { getPresenceList } from '#schema/device/presence'
import { getSimSwitchList } from '#schema/device/sim-switch'
import { getDeviceTimeline, timelineKinds } from '#schema/device/timeline'
import type { Key } from '#schema/kit/words.gen'
import type { Device } from '../device/device-actions.tsx'
import { duration } from '../kit/format.ts'
import { loadWords, t } from '../kit/i18n.ts'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { useNarrow } from '../kit/narrow.ts'
import { PageLink } from '../kit/page-link.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { taskLink } from '../task/task-link.ts'
import { commands } from './device-commands.tsx'
import { type Event, eventKey, eventText } from './device-event.ts'
import { EventTask } from './device-event-task.tsx'
import classes from './device-history.module.css'
import { switches } from './device-switches.tsx'

// Before the first row is drawn; this module is loaded when the tab is opened.
await loadWords(['operation'])

type Kind = Event['kind']
const tones: Record<Kind, Tone> = {
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
    text: ({ kind }) => t(`device:eventKind.${kind}`),
    render: ({ kind }) => <StatusChip tone={tones[kind]} label={t(`device:eventKind.${kind}`)} />,
  },
  {
    key: 'what',
    title: 'device:event.what',
    width: 220,
    card: 'title',
    text: eventText,
    render: (event) =>
      event.steps ? (
        <EventTask event={event} />
      ) : event.taskId === null ? (
        eventText(event)
      ) : (
        <PageLink to={taskLink(event.taskId)}>{eventText(event)}</PageLink>
      ),
  },
  { key: 'actor', title: 'device:event.actor', width: 140 },
]
/** One range for all tables of the tab: it stays when another table is chosen, and so does the search. */
const RANGES_DAYS = [1, 7, 30, 90]
const range: readonly Filter[] = [
  {
    key: 'days',
    label: 'device:past.range',
    useOptions: () =>
      RANGES_DAYS.map((days) => ({ value: String(days), label: t('alarm:lastDays', { count: days }) })),
  },
]
const shared = { filters: range, prefix: 'past' } as const

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

const tables = ['events', 'stays', 'switches', 'commands'] as const
type Table = (typeof tables)[number]
const titles: Record<Table, Key> = {
  events: 'device:event.title',
  stays: 'device:stay.title',
  switches: 'detail:switch.title',
  commands: 'command:title',
}

function Tables({ table, onChoose }: { table: Table; onChoose: (table: Table) => void }) {
  const data = tables.map((value) => ({ value, label: t(titles[value]) }))
  const choose = (next: string | null) => onChoose(tables.find((known) => known === next) ?? 'events')
  const label = t('device:past.table')
  // Four names do not fit side by side on a phone.
  return useNarrow() ? (
    <Select aria-label={label} data={data} value={table} onChange={choose} w="100%" />
  ) : (
    <SegmentedControl aria-label={label} data={data} value={table} onChange={choose} />
  )
}

function Kinds({ chosen, onChange }: { chosen: Kind[]; onChange: (kinds: Kind[]) => void }) {
  return (
    <Chip.Group
      multiple
      value={chosen}
      onChange={(next) => onChange(timelineKinds.filter((kind) => next.includes(kind)))}
    >
      <fieldset className={classes['kinds']} aria-label={t('device:event.kind')}>
        {timelineKinds.map((kind) => (
          <Chip key={kind} value={kind} size="xs" variant="outline">
            {t(`device:eventKind.${kind}`)}
          </Chip>
        ))}
      </fieldset>
    </Chip.Group>
  )
}

const nothing = (text: string) => () => (
  <Text p="md" c="dimmed">
    {text}
  </Text>
)

/** The past of a device as tables that share one toolbar: its range, search and export are those of the table shown. */
export function DeviceHistory({ device: { deviceId } }: { device: Device }) {
  const [table, setTable] = useQueryState('history', parseAsStringLiteral(tables).withDefault('events'))
  const [chosen, setChosen] = useQueryState('kinds', parseAsArrayOf(parseAsStringLiteral(timelineKinds)))
  const list = {
    events: (
      <ListView
        {...shared}
        call={getDeviceTimeline}
        rowKey={eventKey}
        body={{ deviceId, ...(chosen?.length ? { kinds: chosen } : {}) }}
        columns={events}
        searchPlaceholder="device:past.search"
        refreshS={10}
        exportName="timeline"
      />
    ),
    stays: (
      <ListView
        {...shared}
        call={getPresenceList}
        rowKey="onlineAt"
        body={{ deviceId }}
        columns={stays}
        exportName="presence"
      />
    ),
    switches: (
      <ListView
        {...shared}
        call={getSimSwitchList}
        rowKey="id"
        body={{ deviceId }}
        columns={switches}
        exportName="sim-switches"
        empty={nothing(t('detail:switch.none'))}
      />
    ),
    commands: (
      <ListView
        {...shared}
        call={getCommandList}
        rowKey="commandId"
        body={{ deviceId }}
        columns={commands}
        refreshS={5}
        exportName="commands"
        empty={nothing(t('command:none'))}
      />
    ),
  }
  return (
    <section aria-label={t('device:tab.history')}>
      <div className={classes['bar']}>
        <Tables table={table} onChoose={(next) => void setTable(next)} />
        {table === 'events' ? (
          <Kinds chosen={chosen ?? []} onChange={(next) => void setChosen(next.length > 0 ? next : null)} />
        ) : null}
      </div>
      <div key={table}>{list[table]}</div>
    </section>
  )
}
