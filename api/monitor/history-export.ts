import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { BOM, zonedHeading, zonedLines } from '#schema/kit/csv'
import { qualities } from '#schema/monitor/fields'
import { exportVariableHistory, historyFigures } from '#schema/monitor/variable-history'
import { type CallContext, downloadHandler } from '../kit/handler.ts'
import { type HistoryBody, reachSeries, type Series } from './history-series.ts'
import { samplesSql } from './history-sql.ts'
import { askHistory } from './variable-history.ts'

/** Samples are read by pieces of time: a slow reader must not occupy a connection. */
const PIECES = 200

type Reached = Awaited<ReturnType<typeof reachSeries>>
const nameCells = (one: Series) => [one.deviceName, one.terminalName, one.variableName, one.unit]

async function* samples(
  ctx: CallContext,
  { range, series, asked }: Reached,
  line: ReturnType<typeof zonedLines>,
) {
  const say = sayIn(ctx.language)
  const step = Math.max(60_000, Math.ceil((range.toMs - range.fromMs) / PIECES))
  for (let fromMs = range.fromMs; fromMs < range.toMs; fromMs += step) {
    const piece = { ...range, fromMs, toMs: Math.min(range.toMs, fromMs + step) }
    const rows = await ctx.db.execute<{ n: number; atMs: number; val: number | null; quality: number }>(sql`
      select n, extract(epoch from at)::float8 * 1000 as "atMs", val, quality
      from (${samplesSql(asked, piece)}) s where at >= ${new Date(fromMs).toISOString()}::timestamptz order by at, n`)
    const text = [...rows].map(({ n, atMs, val, quality }) => {
      const one = series[n]
      return one
        ? line([
            new Date(Math.round(atMs)),
            ...nameCells(one),
            val,
            say(`alarm:quality.${qualities[quality] ?? 'badData'}`),
          ])
        : ''
    })
    if (text.length > 0) yield text.join('')
  }
}

async function* lines(ctx: CallContext, body: HistoryBody, reached: Reached) {
  const line = zonedLines(body.zone)
  const say = sayIn(ctx.language)
  const head = (['at', 'device', 'terminal', 'variable', 'unit'] as const).map((key) =>
    zonedHeading(key, say(`variable-history:column.${key}`), body.zone),
  )
  if (body.step === 'raw') {
    yield BOM + line([...head, say('variable-history:column.value'), say('variable-history:column.quality')])
    yield* samples(ctx, reached, line)
    return
  }
  yield BOM + line([...head, ...historyFigures.map((key) => say(`variable-history:figure.${key}`))])
  const { at, figures } = await askHistory(ctx, body.step, reached.asked, reached.range)
  for (const [n, one] of reached.series.entries())
    yield at
      .map((ms, i) =>
        line([new Date(ms), ...nameCells(one), ...historyFigures.map((key) => figures[n]?.[key][i] ?? null)]),
      )
      .join('')
}

export const exportVariableHistoryHandler = downloadHandler(exportVariableHistory, async (ctx, body) => {
  const reached = await reachSeries(ctx, body, body.step === 'raw')
  const stamp = ctx.now().toISOString().slice(0, 19).replaceAll(':', '')
  return {
    fileName: `history-${stamp}Z.csv`,
    mime: 'text/csv; charset=utf-8',
    stream: Readable.from(lines(ctx, body, reached)),
  }
})
