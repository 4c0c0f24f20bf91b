import { Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { acknowledgeAlarms, alarmHandlePermission } from '#schema/alarm/alarm'
import type { Word } from '#schema/kit/words.gen'
import { hasValue, qualities } from '#schema/monitor/fields'
import { getVariableAlarmList, variableAlarmScreen } from '#schema/monitor/variable-alarm'
import { alarmReads, canAcknowledge } from '../alarm/alarm-acknowledge.ts'
import {
  AboutLink,
  AlarmStateChip,
  aboutText,
  conditionText,
  HandledChip,
  handlerColumn,
  seenText,
  severityOptions,
  Times,
  unknownText,
} from '../alarm/alarm-chips.tsx'
import { SeverityChip } from '../alarm/alarm-mark.tsx'
import { HandleAction, handleRow, handleSelected } from '../alarm/handle-action.tsx'
import { ofGroups } from '../device/device-options.ts'
import { request } from '../kit/api.ts'
import { Empty } from '../kit/empty.tsx'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['variable-alarm', 'alarm', 'severity', 'printer']

const PERIODS = [1, 7, 30, 90, 365]
const DIGITS = 6
type Alarm = Row<typeof getVariableAlarmList>

/** "81.2 °C", or why there is no value. */
function currentText({ current }: Alarm): string {
  if (!current) return UNKNOWN
  const quality = qualities[current.quality] ?? 'badData'
  if (!hasValue(quality)) return t(`alarm:quality.${quality}`)
  const value = current.value === null ? (current.text ?? UNKNOWN) : number(current.value, DIGITS)
  return `${value} ${current.unit}`.trimEnd()
}

/** With its age: an old value is not mistaken for a present one. */
function Current({ row }: { row: Alarm }) {
  const why = unknownText(row)
  return (
    <div style={{ minWidth: 0 }}>
      <Text size="sm" truncate title={why ?? undefined}>
        {currentText(row)}
      </Text>
      <Text size="xs" c={why ? 'var(--warning)' : 'dimmed'} lineClamp={2} title={why ?? undefined}>
        {why ?? (row.current ? <When at={row.current.at} /> : null)}
      </Text>
    </div>
  )
}

const stateText = (row: Alarm) => t(row.endedAt ? 'alarm:state.cleared' : 'alarm:state.active')
const handledText = (row: Alarm) => t(row.handledAt ? 'alarm:state.processed' : 'alarm:state.unprocessed')

/** Urgency, event and start time come first; the condition contains the name of its variable. */
const columns: readonly Column<Alarm>[] = [
  {
    key: 'deviceName',
    title: 'alarm:field.device',
    width: 170,
    pinned: 'left',
    card: 'title',
    render: (row) => <AboutLink row={row} />,
    text: aboutText,
  },
  {
    key: 'severity',
    title: 'alarm:field.severity',
    width: 108,
    render: (row) => <SeverityChip severity={row.severity} />,
    text: (row) => t(`severity:${row.severity}`),
  },
  {
    key: 'condition',
    title: 'alarm:field.condition',
    width: 210,
    render: conditionText,
    text: conditionText,
  },
  {
    key: 'startedAt',
    title: 'alarm:field.startedAt',
    width: 165,
    render: (row) => <When at={row.startedAt} zone={row.timeZone} absolute />,
  },
  { key: 'terminalName', title: 'alarm:field.terminal', width: 125 },
  {
    key: 'state',
    title: 'alarm:field.state',
    width: 125,
    card: 'beside',
    render: (row) => <AlarmStateChip row={row} />,
    text: stateText,
  },
  {
    key: 'current',
    title: 'variable-alarm:field.current',
    width: 137,
    render: (row) => <Current row={row} />,
    text: currentText,
  },
  { key: 'variableName', title: 'alarm:field.variable', width: 140 },
  { key: 'seen', title: 'variable-alarm:field.seen', width: 120, render: seenText, text: seenText },
  {
    key: 'times',
    title: 'alarm:field.times',
    width: 70,
    numeric: true,
    render: (row) => (row.times > 1 ? <Times times={row.times} /> : row.times),
  },
  {
    key: 'endedAt',
    title: 'alarm:field.endedAt',
    width: 165,
    render: (row) => <When at={row.endedAt} zone={row.timeZone} absolute />,
  },
  {
    key: 'handled',
    title: 'alarm:field.handled',
    width: 125,
    render: (row) => <HandledChip row={row} />,
    text: handledText,
  },
  { key: 'note', title: 'alarm:field.note', width: 190 },
  { key: 'ruleName', title: 'alarm:field.rule', width: 150 },
  { key: 'groupName', title: 'alarm:field.group', width: 120, extra: true },
  handlerColumn,
  { key: 'customerName', title: 'alarm:field.customer', width: 130, extra: true },
]

const filters: readonly Filter[] = [
  {
    key: 'days',
    label: 'alarm:field.period',
    width: 130,
    useOptions: () =>
      PERIODS.map((days) => ({ value: String(days), label: t('alarm:lastDays', { count: days }) })),
  },
  {
    key: 'state',
    label: 'alarm:field.state',
    width: 120,
    useOptions: () =>
      (['active', 'cleared'] as const).map((value) => ({ value, label: t(`alarm:state.${value}`) })),
  },
  { key: 'severity', label: 'alarm:field.severity', useOptions: severityOptions, width: 120 },
  {
    key: 'groupId',
    label: 'alarm:field.group',
    width: 130,
    ...ofGroups,
  },
  {
    key: 'handled',
    label: 'alarm:field.handled',
    width: 130,
    useOptions: () =>
      (['unprocessed', 'processed'] as const).map((value) => ({ value, label: t(`alarm:state.${value}`) })),
  },
]

async function acknowledge(rows: readonly Alarm[]) {
  try {
    await request(acknowledgeAlarms, { alarmIds: rows.filter(canAcknowledge).map(({ id }) => id) })
    for (const { name } of alarmReads) void queryClient.invalidateQueries({ queryKey: [name] })
  } catch (error) {
    reportError(error)
  }
}

export const Page = listPage({
  screen: variableAlarmScreen,
  call: getVariableAlarmList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'variable-alarm:search',
  exportName: 'variable-alarms',
  refreshS: 10,
  Actions: HandleAction,
  bulk: [
    {
      key: 'acknowledge',
      label: 'alarm:acknowledge.verb',
      icon: IconCheck,
      permission: alarmHandlePermission,
      excluded: (row) => (canAcknowledge(row) ? null : 'alarm:acknowledge.cleared'),
      run: async (rows, selection) => {
        await acknowledge(rows)
        selection.clear()
      },
    },
    handleSelected,
  ],
  rowActions: (row) => [
    handleRow(row),
    {
      key: 'acknowledge',
      label: t('alarm:acknowledge.verb'),
      icon: IconCheck,
      permission: alarmHandlePermission,
      reason: canAcknowledge(row) ? null : t('alarm:acknowledge.none'),
      run: () => void acknowledge([row]),
    },
  ],
  empty: () => <Empty title={t('variable-alarm:none')} text={t('variable-alarm:noneText')} />,
})
