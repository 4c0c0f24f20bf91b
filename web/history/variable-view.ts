/** The past of variables as charts, with the period before it as further lines. */
import type { ReplyOf } from '#schema/kit/call'
import { hasValue, qualities } from '#schema/monitor/fields'
import type { getVariableHistory } from '#schema/monitor/variable-history'
import type { Span } from '../kit/chart/chart.tsx'
import { fixed, moment, number, UNKNOWN, viewerZone } from '../kit/format.ts'
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
export const digitsOf = (one: Series, { step, figure }: HistoryState) =>
  one.digits + (step !== 'raw' && figure === 'avg' ? 1 : 0)
/** In a column: with the same decimals below each other. */
export const withUnit = ({ unit }: Series, value: number | null, digits: number) =>
  value === null ? UNKNOWN : `${fixed(value, digits)} ${unitText(unit)}`.trimEnd()

/** Samples without a good value; of a bucket their number. */
export const badOf = (one: Series, raw: boolean) =>
  one.quality.reduce<number>(
    (sum, code) =>
      sum + (raw ? (code !== null && !hasValue(qualities[code] ?? 'badData') ? 1 : 0) : (code ?? 0)),
    0,
  )

/** Times without a good value though samples came, as bands: a gap alone could also mean that nothing came. */
export function badSpans(at: readonly string[], one: Series, raw: boolean): Span[] {
  const spans: (Span & { toMs: number | null })[] = []
  let open: (typeof spans)[number] | null = null
  at.forEach((moment, i) => {
    const code = one.quality[i]
    if (raw && (code === null || code === undefined)) return
    const quality = raw ? (qualities[code ?? 0] ?? 'badData') : 'badData'
    const isBad = raw ? !hasValue(quality) : (code ?? 0) > 0 && one.last[i] === null
    const ms = Date.parse(moment)
    if (open && !isBad) open.toMs = ms
    if (!isBad) open = null
    else if (!open) {
      const label = raw ? t(`alarm:quality.${quality}`) : t('variable-history:bad')
      open = { fromMs: ms, toMs: null, label, tone: 'offline' }
      spans.push(open)
    }
  })
  return spans
}

/** Of the terminals of one chart: a gap whose samples will never come. */
const lostSpans = ({ lost }: History, list: readonly Series[]): Span[] =>
  lost
    .filter(({ terminalId }) => list.some((one) => one.terminalId === terminalId))
    .map(({ from, to, reports }) => ({
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
      label: t('variable-history:lost', { count: reports }),
      tone: 'offline',
    }))

/** One chart for each unit: their axes have nothing in common. */
export function viewOf(history: History, before: History | undefined, state: HistoryState): ReportView {
  const { at, series } = history
  const charts: ReportChart[] = [...Map.groupBy(series, ({ unit }) => unit)].map(([unit, list]) => {
    const digits = Math.max(...list.map((one) => digitsOf(one, state)))
    return {
      key: unit,
      spans: [...list.flatMap((one) => badSpans(at, one, state.step === 'raw')), ...lostSpans(history, list)],
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
