/** Alarms about the variables that are shown: bands behind their values, and below as a list. */
import type { BodyOf, ReplyOf } from '#schema/kit/call'
import { getAlarmSpans, variableAlarmsPermission } from '#schema/monitor/variable-alarm'
import type { getVariableHistory } from '#schema/monitor/variable-history'
import { SeverityChip } from '../alarm/alarm-mark.tsx'
import { Card } from '../kit/card.tsx'
import type { Span } from '../kit/chart/chart.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { keyOf } from '../monitor/history-state.ts'
import { ReportTable } from '../report/report-table.tsx'

export type AlarmSpan = ReplyOf<typeof getAlarmSpans>['list'][number]

/** Empty for users who may not see alarms. */
export function useAlarmSpans(body: BodyOf<typeof getVariableHistory> | null) {
  const { terminalIds = [], variableIds = [], from = '', to = '' } = body ?? {}
  const read = useCall(
    getAlarmSpans,
    { terminalIds, variableIds, from, to },
    { enabled: body !== null && can(variableAlarmsPermission), keepPrevious: true },
  )
  return { read, list: body === null ? [] : (read.data?.list ?? []) }
}

type Pair = { terminalId: number; variableId: number }

/** Of the variables of one chart. */
export const bandsOf = (list: readonly AlarmSpan[], series: readonly Pair[]): Span[] =>
  list
    .filter((span) => series.some((one) => keyOf(one) === keyOf(span)))
    .map(({ startedAt, endedAt, ruleName, severity }) => ({
      fromMs: Date.parse(startedAt),
      toMs: endedAt === null ? null : Date.parse(endedAt),
      label: ruleName,
      tone: severity === 'critical' ? 'critical' : 'warning',
    }))

export function HistoryAlarms({ list }: { list: readonly AlarmSpan[] }) {
  return (
    <Card title={t('variable-history:alarms')}>
      <ReportTable
        label={t('variable-history:alarms')}
        rows={list}
        rowKey={({ id }) => id}
        columns={[
          { title: t('alarm:field.rule'), cell: ({ ruleName }) => ruleName },
          {
            title: t('variable-history:column.variable'),
            cell: ({ terminalName, variableName }) => `${terminalName} / ${variableName}`,
          },
          {
            title: t('alarm:field.severity'),
            cell: ({ severity }) => <SeverityChip severity={severity} />,
          },
          { title: t('variable-history:from'), cell: ({ startedAt }) => moment(startedAt) },
          {
            title: t('variable-history:to'),
            cell: ({ endedAt }) => (endedAt === null ? t('alarm:state.active') : moment(endedAt)),
          },
        ]}
      />
    </Card>
  )
}
