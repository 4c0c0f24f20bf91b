/** The state of the history page in its URL: a link shows another user the same. */
import { parseAsBoolean, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useMemo } from 'react'
import type { BodyOf } from '#schema/kit/call'
import { type getVariableHistory, historyFigures, historySteps } from '#schema/monitor/variable-history'
import { viewerZone } from '../kit/format.ts'
import { serverNow } from '../kit/server/server-clock.ts'

export const historyRanges = ['hour', 'sixHours', 'day', 'week', 'month', 'year', 'custom'] as const
type HistoryRange = (typeof historyRanges)[number]
const HOUR_MS = 3_600_000
const lengths: Readonly<Record<Exclude<HistoryRange, 'custom'>, number>> = {
  hour: HOUR_MS,
  sixHours: 6 * HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
  month: 720 * HOUR_MS,
  year: 8_760 * HOUR_MS,
}
/** The step that suits a range, until the reader chooses another. */
export const stepOf = {
  hour: 'raw',
  sixHours: 'minute',
  day: 'minute',
  week: 'quarter',
  month: 'hour',
  year: 'day',
  custom: 'hour',
} as const satisfies Record<HistoryRange, (typeof historySteps)[number]>

/** Of an own range: fine enough to see, coarse enough to be read at once. */
export function stepFor(ms: number): (typeof historySteps)[number] {
  if (!(ms > 0) || ms > 93 * 24 * HOUR_MS) return 'day'
  if (ms > 14 * 24 * HOUR_MS) return 'hour'
  if (ms > 2 * 24 * HOUR_MS) return 'quarter'
  return ms > 2 * HOUR_MS ? 'minute' : 'raw'
}

const parsers = {
  series: parseAsString.withDefault(''),
  range: parseAsStringLiteral(historyRanges).withDefault('day'),
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  step: parseAsStringLiteral(historySteps).withDefault('minute'),
  figure: parseAsStringLiteral(historyFigures).withDefault('avg'),
  table: parseAsBoolean.withDefault(false),
  zoom: parseAsString.withDefault(''),
  previous: parseAsBoolean.withDefault(false),
}
export const useHistoryState = () => useQueryStates(parsers, { history: 'replace' })
export type HistoryState = ReturnType<typeof useHistoryState>[0]

export const keyOf = (one: { terminalId: number; variableId: number }) =>
  `${one.terminalId}.${one.variableId}`
type Choice = { value: string; label: string }
/** The choices with one for each chosen value that is not among them, which would be shown as it is in the link. */
export const withUnseen = (
  choices: readonly Choice[],
  chosen: readonly string[],
  label: string,
): Choice[] => [
  ...choices,
  ...chosen.filter((value) => !choices.some((one) => one.value === value)).map((value) => ({ value, label })),
]

export const pairsOf = (series: string) =>
  series
    .split(',')
    .map((text) => text.split('.').map(Number))
    .flatMap(([terminalId, variableId]) => (terminalId && variableId ? [{ terminalId, variableId }] : []))

export const idsOf = (pairs: readonly { terminalId: number; variableId: number }[]) => ({
  terminalIds: pairs.map(({ terminalId }) => terminalId),
  variableIds: pairs.map(({ variableId }) => variableId),
})

/** As typed into a field for date and time. */
export const localMs = (text: string) => (text === '' ? Number.NaN : new Date(text).getTime())

type Body = BodyOf<typeof getVariableHistory>

/** The period before, of the same length; null: samples have no buckets that could be laid over each other. */
export function bodyBefore(body: Body | null): Body | null {
  if (body === null || body.step === 'raw') return null
  const [from, to] = [Date.parse(body.from), Date.parse(body.to)]
  return { ...body, from: new Date(2 * from - to).toISOString(), to: body.from }
}

/** null: no variable is chosen, or an own range is incomplete. `tick` changes when the present has moved on. */
export function useHistoryBody(state: HistoryState, tick: number): Body | null {
  const { series, range, from, to, step } = state
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tick` moves the range that ends now
  return useMemo(() => {
    const pairs = pairsOf(series)
    const end = range === 'custom' ? localMs(to) : Math.ceil(serverNow() / 1000) * 1000
    const start = range === 'custom' ? localMs(from) : end - lengths[range]
    if (pairs.length === 0 || Number.isNaN(start) || Number.isNaN(end)) return null
    return {
      ...idsOf(pairs),
      from: new Date(start).toISOString(),
      to: new Date(end).toISOString(),
      step,
      zone: viewerZone(),
    }
  }, [series, range, from, to, step, tick])
}
