import { and, ilike, or, sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import {
  getHistoryChoices,
  getVariableHistory,
  type HistoryStep,
  pairsOf,
  RAW_MAX,
  variableHistoryRefusals,
} from '#schema/monitor/variable-history'
import { variables } from '#schema/tables/collection-template'
import { devices } from '#schema/tables/device'
import { terminals } from '#schema/tables/terminal'
import { type CallContext, handler } from '../kit/handler.ts'
import { contains } from '../kit/paging.ts'
import { isPair, namesOf, reachSeries, seriesOf } from './history-series.ts'
import {
  type Asked,
  type BucketRow,
  bucketListSql,
  bucketsSql,
  type Range,
  samplesSql,
} from './history-sql.ts'

const CHOICES = 50

type Sample = { n: number; atMs: number; val: number | null; quality: number }
type Figures = Record<'avg' | 'min' | 'max' | 'last' | 'diff' | 'quality', (number | null)[]>
const none = (): Figures => ({ avg: [], min: [], max: [], last: [], diff: [], quality: [] })

/** The samples of all on one axis of time: at the times of the others a value is the one that stands. */
async function raw(ctx: CallContext, asked: readonly Asked[], range: Range) {
  const rows = [
    ...(await ctx.db.execute<Sample>(sql`
      select n, extract(epoch from at)::float8 * 1000 as "atMs", val, quality from (${samplesSql(asked, range)}) s
      order by at limit ${RAW_MAX + 1}`)),
  ]
  if (rows.length > RAW_MAX) refuse(variableHistoryRefusals.rawTooMany, { max: RAW_MAX }, 'step')
  const at = [...new Set(rows.map((row) => Math.round(row.atMs)))].filter((ms) => ms >= range.fromMs)
  const figures = asked.map(({ holdS }, n) => {
    const own = rows.filter((row) => row.n === n)
    let next = 0
    let standing: Sample | undefined
    const last: (number | null)[] = []
    const quality: (number | null)[] = []
    for (const ms of at) {
      while (own[next] && Math.round(own[next]?.atMs ?? 0) <= ms) standing = own[next++]
      const holds = standing !== undefined && ms - standing.atMs <= holdS * 1000
      last.push(holds ? (standing?.val ?? null) : null)
      quality.push(standing && Math.round(standing.atMs) === ms ? standing.quality : null)
    }
    return { ...none(), last, quality }
  })
  return { at, figures }
}

async function buckets(
  ctx: CallContext,
  asked: readonly Asked[],
  step: Exclude<HistoryStep, 'raw'>,
  range: Range,
) {
  const [starts, rows] = await Promise.all([
    ctx.db.execute<{ startMs: number }>(bucketListSql(step, range)),
    ctx.db.execute<BucketRow>(bucketsSql(asked, step, range, ctx.now().getTime())),
  ])
  const at = [...starts].map(({ startMs }) => Math.round(startMs))
  const byKey = new Map([...rows].map((row) => [`${row.n} ${Math.round(row.startMs)}`, row]))
  const figures = asked.map((_, n) => {
    const own = at.map((ms) => byKey.get(`${n} ${ms}`))
    const of = (key: 'avg' | 'min' | 'max' | 'last' | 'diff') => own.map((row) => row?.[key] ?? null)
    return {
      avg: of('avg'),
      min: of('min'),
      max: of('max'),
      last: of('last'),
      diff: of('diff'),
      quality: own.map((row) => row?.bad ?? null),
    }
  })
  return { at, figures }
}

export const askHistory = (ctx: CallContext, step: HistoryStep, asked: readonly Asked[], range: Range) =>
  step === 'raw' ? raw(ctx, asked, range) : buckets(ctx, asked, step, range)

export const getVariableHistoryHandler = handler(getVariableHistory, async (ctx, body) => {
  const { range, series, asked } = await reachSeries(ctx, body)
  const { at, figures } = await askHistory(ctx, body.step, asked, range)
  return {
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
