/** Estimates how many samples a history query reads and how long that takes, before anything is read. */
import { HOUR_MS, ROLLUP_GRACE_MS } from '#schema/monitor/rollup'
import { estimateVariableHistory, type HistoryStep, READ_MAX } from '#schema/monitor/variable-history'
import { type CallContext, handler } from '../kit/handler.ts'
import { reachSeries } from './history-series.ts'
import { type Asked, type Range, samplesPerSecond } from './history-sql.ts'

/** With its polling cycle: if samples are not counted yet, one per cycle is the maximum that can be stored. */
type Counted = Asked & { cycleS: number }

const hourOf = (ms: number) => Math.floor(ms / HOUR_MS) * HOUR_MS
const isWhole = (step: HistoryStep) => step === 'raw' || step === 'minute'

/** Number of samples to read: all in the range, or only those of hours that are not rolled up yet. */
export async function countSamples(
  { sql, now }: Pick<CallContext, 'sql' | 'now'>,
  asked: readonly Counted[],
  step: HistoryStep,
  { fromMs, toMs }: Range,
): Promise<number> {
  const [position] = await sql<{ at: Date }[]>`select at from rollup_positions where name = 'variables'`
  const summedTo = hourOf((position?.at.getTime() ?? 0) - ROLLUP_GRACE_MS)
  const endMs = Math.min(toMs, now().getTime())
  const since = asked.map(({ sinceMs }) => Math.max(fromMs, sinceMs))
  const [stored] = isWhole(step)
    ? await sql<{ n: number }[]>`
        select coalesce(sum(h.good + h.bad), 0)::float8 as n
        from unnest(${asked.map(({ terminalId }) => terminalId)}::int[], ${asked.map(({ slot }) => slot)}::int[], ${since}::float8[])
            as a(terminal_id, slot, since_ms)
          join variable_hours h on h.terminal_id = a.terminal_id and h.slot = a.slot
            and h.at >= to_timestamp(a.since_ms / 1000) - interval '1 hour'
        where h.at < ${new Date(Math.max(0, Math.min(endMs, summedTo)))}`
    : []
  const fresh = asked.map(({ cycleS }, n) => {
    const ms = endMs - Math.max(since[n] ?? 0, summedTo)
    return ms > 0 ? ms / 1000 / Math.max(1, cycleS) : 0
  })
  return Math.round(fresh.reduce((sum, one) => sum + one, stored?.n ?? 0))
}

export const estimateVariableHistoryHandler = handler(estimateVariableHistory, async (ctx, body) => {
  const { range, asked } = await reachSeries(ctx, body)
  const samples = await countSamples(ctx, asked, body.step, range)
  return {
    samples,
    seconds: Math.round((10 * samples) / samplesPerSecond()) / 10,
    tooMany: isWhole(body.step) && samples > READ_MAX,
  }
})
