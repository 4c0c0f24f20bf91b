import { and, ilike, or } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { PER_COLUMN, type Point, thinned } from '#schema/monitor/thin-samples'
import {
  getHistoryChoices,
  getVariableHistory,
  type HistoryStep,
  pairsOf,
  RAW_MAX,
  READ_MAX,
  variableHistoryRefusals,
} from '#schema/monitor/variable-history'
import { variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { type CallContext, handler } from '../kit/handler.ts'
import { contains } from '../kit/paging.ts'
import { askBuckets } from './history-buckets.ts'
import { countSamples } from './history-estimate.ts'
import { isPair, namesOf, reachSeries, seriesOf } from './history-series.ts'
import { type Asked, type Range, readLost, readSamples } from './history-sql.ts'

const CHOICES = 50

type Figures = Record<'avg' | 'min' | 'max' | 'last' | 'diff' | 'quality', (number | null)[]>
const none = (): Figures => ({ avg: [], min: [], max: [], last: [], diff: [], quality: [] })

/** A line ends where no sample follows before the previous one becomes stale. */
const GAP = -1
const withGaps = (points: readonly Point[], holdMs: number): readonly Point[] =>
  points.flatMap((point, i) => {
    const next = points[i + 1]
    const ends = next && point.value !== null && next.atMs - point.atMs > holdMs
    return ends ? [point, { atMs: point.atMs + holdMs + 1, value: null, quality: GAP }] : [point]
  })

/**
 * The samples of all series on one time axis: at the times of other series' samples, a series keeps its last valid
 * value.
 */
async function raw(ctx: CallContext, asked: readonly Asked[], range: Range) {
  const columns = Math.floor(RAW_MAX / asked.length / PER_COLUMN)
  let read = 0
  const lists: (readonly Point[])[] = []
  for (const one of asked) {
    const { toMs } = range
    const samples = await readSamples(ctx, one, [{ fromMs: range.fromMs - one.holdMs, toMs }])
    read += samples.length
    const points = withGaps(samples, one.holdMs)
    lists.push(thinned(points, columns))
  }
  const times = new Set(lists.flatMap((list) => list.map(({ atMs }) => atMs)))
  const at = [...times].filter((ms) => ms >= range.fromMs).toSorted((a, b) => a - b)
  const figures = lists.map((own, n) => {
    const holdMs = asked[n]?.holdMs ?? 0
    let next = 0
    let standing: Point | undefined
    const last: (number | null)[] = []
    const quality: (number | null)[] = []
    for (const ms of at) {
      while (own[next] && (own[next] as Point).atMs <= ms) standing = own[next++]
      const holds = standing !== undefined && ms - standing.atMs <= holdMs
      last.push(holds ? (standing?.value ?? null) : null)
      quality.push(standing?.atMs === ms && standing.quality !== GAP ? standing.quality : null)
    }
    return { ...none(), last, quality }
  })
  const shown = lists.reduce((sum, list) => sum + list.filter(({ quality }) => quality !== GAP).length, 0)
  return { at, figures, thinnedFrom: shown < read ? read : null }
}

async function buckets(
  ctx: CallContext,
  asked: readonly Asked[],
  step: Exclude<HistoryStep, 'raw'>,
  range: Range,
) {
  const { at, series } = await askBuckets(ctx, asked, step, range)
  const figures = series.map((own): Figures => {
    const of = (key: keyof (typeof own)[number]) => own.map((bucket) => bucket[key])
    return {
      avg: of('avg'),
      min: of('min'),
      max: of('max'),
      last: of('last'),
      diff: of('diff'),
      quality: of('bad'),
    }
  })
  return { at, figures, thinnedFrom: null }
}

export const askHistory = (ctx: CallContext, step: HistoryStep, asked: readonly Asked[], range: Range) =>
  step === 'raw' ? raw(ctx, asked, range) : buckets(ctx, asked, step, range)

/** @throws Refusal 753 for more samples than one reply may contain. */
export async function checkSize(
  ctx: CallContext,
  { asked, range }: Awaited<ReturnType<typeof reachSeries>>,
  step: HistoryStep,
): Promise<void> {
  const isRead = step === 'raw' || step === 'minute'
  // Counted only if there could be too many.
  const most = asked.reduce(
    (sum, { cycleS }) => sum + (range.toMs - range.fromMs) / 1000 / Math.max(1, cycleS),
    0,
  )
  if (isRead && most > READ_MAX && (await countSamples(ctx, asked, step, range)) > READ_MAX)
    refuse(variableHistoryRefusals.readTooMuch, {}, 'from')
}

export const getVariableHistoryHandler = handler(getVariableHistory, async (ctx, body) => {
  const reached = await reachSeries(ctx, body)
  await checkSize(ctx, reached, body.step)
  const { range, series, asked } = reached
  const [{ at, figures, thinnedFrom }, lost] = await Promise.all([
    askHistory(ctx, body.step, asked, range),
    readLost(ctx, asked, range),
  ])
  return {
    thinnedFrom,
    lost: [...lost],
    at: at.map((ms) => new Date(ms)),
    series: series.map((one, n) => ({ ...namesOf(one), ...(figures[n] ?? none()) })),
  }
})

export const getHistoryChoicesHandler = handler(getHistoryChoices, async (ctx, { search, ...ids }) => {
  const chosen = pairsOf(ids)
  const text = search ? contains(search) : undefined
  const [some, known] = await Promise.all([
    seriesOf(
      ctx,
      and(
        text
          ? or(ilike(variables.name, text), ilike(terminals.name, text), ilike(devices.name, text))
          : undefined,
      ),
    )
      .orderBy(terminals.name, terminals.id, variables.slot)
      .limit(CHOICES),
    chosen.length > 0 ? seriesOf(ctx, isPair(chosen)) : [],
  ])
  const isKnown = (one: (typeof some)[number]) =>
    known.some((other) => other.terminalId === one.terminalId && other.variableId === one.variableId)
  return { list: [...known, ...some.filter((one) => !isKnown(one))].map(namesOf) }
})
