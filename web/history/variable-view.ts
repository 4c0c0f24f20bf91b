/** The past of variables as charts, with the period before it as further lines. */
import type { ReplyOf } from '#schema/kit/call'
import { hasValue, qualities } from '#schema/monitor/fields'
import type { getVariableHistory } from '#schema/monitor/variable-history'
import { moment, number, UNKNOWN, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { type HistoryState, keyOf } from '../monitor/history-state.ts'
import { unitText } from '../monitor/variable-columns.tsx'
import type { ReportChart, ReportView } from '../report/report-types.ts'

export type History = ReplyOf<typeof getVariableHistory>
export type Series = History['series'][number]
export const nameOf = (one: Series) => `${one.terminalName} / ${one.variableName}`
export const shownOf = (one: Series, { step, figure }: HistoryState) =>
  step === 'raw' ? one.last : one[figure]
/** An average has more digits than what was measured. */
const digitsOf = (one: Series, { step, figure }: HistoryState) =>
  one.digits + (step !== 'raw' && figure === 'avg' ? 1 : 0)
export const withUnit = (one: Series, state: HistoryState) => (value: number | null) =>
  value === null ? UNKNOWN : `${number(value, digitsOf(one, state))} ${unitText(one.unit)}`.trimEnd()

/** Samples without a good value; of a bucket their number. */
export const badOf = (one: Series, raw: boolean) =>
  one.quality.reduce<number>(
    (sum, code) =>
      sum + (raw ? (code !== null && !hasValue(qualities[code] ?? 'badData') ? 1 : 0) : (code ?? 0)),
    0,
  )

/** One chart for each unit: their axes have nothing in common. */
export function viewOf(
  { at, series }: History,
  before: History | undefined,
  state: HistoryState,
): ReportView {
  const charts: ReportChart[] = [...Map.groupBy(series, ({ unit }) => unit)].map(([unit, list]) => {
    const digits = Math.max(...list.map((one) => digitsOf(one, state)))
    return {
      key: unit,
      title: unitText(unit) || t('variable-history:noUnit'),
      series: [
        ...list.map((one) => ({
          name: nameOf(one),
          values: shownOf(one, state),
          ...(state.figure === 'diff' && state.step !== 'raw' ? { kind: 'bar' as const } : {}),
        })),
        ...(before?.series ?? [])
          .filter((one) => list.some((own) => keyOf(own) === keyOf(one)))
          .map((one) => ({
            name: `${nameOf(one)} · ${t('report:previous')}`,
            // A day of 23 hours has fewer buckets than the one before.
            values: at.map((_, i) => shownOf(one, state)[i] ?? null),
            muted: true,
          })),
      ],
      format: (value) => `${number(value, digits)} ${unitText(unit)}`.trimEnd(),
      digits,
    }
  })
  const days = state.step === 'day'
  return {
    at: days ? at.map((one) => moment(one).slice(0, 10)) : at,
    days,
    zone: viewerZone(),
    empty: series.every((one) => shownOf(one, state).every((value) => value === null)),
    tiles: [],
    charts,
    columns: [],
  }
}
