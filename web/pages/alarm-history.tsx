import { alarmHistoryScreen, getAlarmHistory } from '#schema/alarm/alarm'
import type { Word } from '#schema/kit/words.gen'
import {
  AboutLink,
  type AlarmRow,
  AlarmStateChip,
  aboutText,
  acknowledgerText,
  conditionText,
  HandledChip,
  handlerColumn,
  kindOptions,
  placeText,
  ruleText,
  seenText,
  severityOptions,
  Times,
} from '../alarm/alarm-chips.tsx'
import { SeverityChip } from '../alarm/alarm-mark.tsx'
import { HandleAction, handleRow, handleSelected } from '../alarm/handle-action.tsx'
import { ofGroups } from '../device/device-options.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { When } from '../kit/time.tsx'

export const words: readonly Word[] = ['alarm', 'printer', 'severity']

const PERIODS = [1, 7, 30, 90, 365]

const columns: readonly Column<AlarmRow>[] = [
  {
    key: 'deviceName',
    title: 'alarm:field.device',
    width: 210,
    pinned: 'left',
    card: 'title',
    render: (row) => <AboutLink row={row} />,
    text: aboutText,
  },
  {
    key: 'severity',
    title: 'alarm:field.severity',
    width: 115,
    card: 'beside',
    render: (row) => <SeverityChip severity={row.severity} />,
    text: (row) => t(`severity:${row.severity}`),
  },
  {
    key: 'state',
    title: 'alarm:field.state',
    width: 125,
    render: (row) => <AlarmStateChip row={row} />,
    text: (row) => t(row.endedAt ? 'alarm:state.cleared' : 'alarm:state.active'),
  },
  {
    key: 'startedAt',
    title: 'alarm:field.startedAt',
    width: 165,
    render: (row) => <When at={row.startedAt} zone={row.timeZone} absolute />,
  },
  {
    key: 'kind',
    title: 'alarm:field.condition',
    width: 225,
    render: conditionText,
    text: conditionText,
  },
  {
    key: 'handled',
    title: 'alarm:field.handled',
    width: 130,
    render: (row) => <HandledChip row={row} />,
    text: (row) => t(row.handledAt ? 'alarm:state.processed' : 'alarm:state.unprocessed'),
  },
  { key: 'value', title: 'alarm:field.value', width: 110, render: seenText, text: seenText },
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
  { key: 'note', title: 'alarm:field.note', width: 200 },
  { key: 'ruleName', title: 'alarm:field.rule', width: 150, render: ruleText, text: ruleText },
  {
    key: 'groupName',
    title: 'alarm:field.group',
    width: 120,
    extra: true,
    render: placeText,
    text: placeText,
  },
  handlerColumn,
  {
    key: 'ackBy',
    title: 'alarm:field.ackBy',
    width: 120,
    extra: true,
    render: acknowledgerText,
    text: acknowledgerText,
  },
  { key: 'incidentName', title: 'alarm:field.incident', width: 140, extra: true },
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
  { key: 'severity', label: 'alarm:field.severity', useOptions: severityOptions, width: 120 },
  { key: 'kind', label: 'alarm:field.kind', useOptions: kindOptions, width: 135 },
  {
    key: 'state',
    label: 'alarm:field.state',
    width: 120,
    useOptions: () =>
      (['active', 'cleared'] as const).map((value) => ({ value, label: t(`alarm:state.${value}`) })),
  },
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

export const Page = listPage({
  screen: alarmHistoryScreen,
  call: getAlarmHistory,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'alarm:search',
  exportName: 'alarms',
  Actions: HandleAction,
  bulk: [handleSelected],
  rowActions: (row) => [handleRow(row)],
  empty: () => <Empty title={t('alarm:noHistory.title')} text={t('alarm:noHistory.text')} />,
})
