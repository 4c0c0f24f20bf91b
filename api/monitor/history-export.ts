import { Readable } from 'node:stream'
import { sayIn } from '#infra/say'
import { BOM, csvCell, zonedClock, zonedHeading, zonedLines } from '#schema/kit/csv'
import { qualities, qualityCode } from '#schema/monitor/fields'
import { roundedTo } from '#schema/monitor/modbus/scale'
import { exportVariableHistory, historyFigures } from '#schema/monitor/variable-history'
import { type CallContext, downloadHandler } from '../kit/handler.ts'
import { checkZone } from '../report/known-zone.ts'
import { type HistoryBody, reachSeries, type Series } from './history-series.ts'
import { readSamples } from './history-sql.ts'
import { askHistory, checkSize } from './variable-history.ts'

/** Samples are read in time slices: a slow reader must not occupy a database connection. */
const PIECES = 200
/**
 * Maximum lines per slice, because a slice is held in memory: 1/200 of a year of one-second samples can be more than a
 * million lines. */
const PIECE_SAMPLES = 50_000
const MINUTE_MS = 60_000
const BAD = qualityCode('badData')

type Reached = Awaited<ReturnType<typeof reachSeries>>
/** "-" means no unit. */
const unitCell = ({ unit }: Series) => (unit === '-' ? '' : unit)
const nameCells = (one: Series) => [one.deviceName, one.terminalName, one.variableName, unitCell(one)]

/** Length of a slice. Derived from the polling cycles, because most variables are not reported more often. */
export function pieceMs(rangeMs: number, cycles: readonly number[]): number {
  const perSecond = cycles.reduce((sum, cycleS) => sum + 1 / Math.max(1, cycleS), 0)
  const most = Math.floor((1000 * PIECE_SAMPLES) / perSecond)
  return Math.max(MINUTE_MS, Math.min(most, Math.ceil(rangeMs / PIECES)))
}

/** Lines differ from the previous one only in time, value and quality, so only these are formatted per line. */
async function* samples(ctx: CallContext, { range, series, asked }: Reached) {
  const say = sayIn(ctx.language)
  const texts = qualities.map((quality) => csvCell(say(`alarm:quality.${quality}`)))
  const names = series.map((one) => nameCells(one).map(csvCell).join(','))
  const clock = zonedClock(range.zone)
  const step = pieceMs(
    range.toMs - range.fromMs,
    asked.map(({ cycleS }) => cycleS),
  )
  for (let fromMs = range.fromMs; fromMs < range.toMs; fromMs += step) {
    const toMs = Math.min(range.toMs, fromMs + step)
    const lists = await Promise.all(asked.map((one) => readSamples(ctx, one, [{ fromMs, toMs }])))
    const rows = lists.flatMap((list, n) => list.map((point) => ({ n, ...point })))
    if (lists.length > 1) rows.sort((a, b) => a.atMs - b.atMs || a.n - b.n)
    let text = ''
    for (const { n, atMs, value, quality } of rows)
      text += `${clock(atMs)},${names[n]},${value ?? ''},${texts[quality] ?? texts[BAD]}\r\n`
    if (text !== '') yield text
  }
}

/** An average is finer than the values that it is made of. */
const AVERAGE_PLACES = 2
/** Sums and differences of doubles have digits that were never measured. */
const figureCell = (
  key: (typeof historyFigures)[number],
  value: number | null | undefined,
  digits: number,
) =>
  value === null || value === undefined
    ? null
    : roundedTo(value, key === 'avg' ? digits + AVERAGE_PLACES : digits)

async function* lines(ctx: CallContext, body: HistoryBody, reached: Reached) {
  const line = zonedLines(body.zone)
  const say = sayIn(ctx.language)
  const head = (['at', 'device', 'terminal', 'variable', 'unit'] as const).map((key) =>
    zonedHeading(key, say(`variable-history:column.${key}`), body.zone),
  )
  if (body.step === 'raw') {
    yield BOM + line([...head, say('variable-history:column.value'), say('variable-history:column.quality')])
    yield* samples(ctx, reached)
    return
  }
  yield BOM + line([...head, ...historyFigures.map((key) => say(`variable-history:figure.${key}`))])
  const { at, figures } = await askHistory(ctx, body.step, reached.asked, reached.range)
  for (const [n, one] of reached.series.entries())
    yield at
      .map((ms, i) =>
        line([
          new Date(ms),
          ...nameCells(one),
          ...historyFigures.map((key) => figureCell(key, figures[n]?.[key][i], one.digits)),
        ]),
      )
      .join('')
}

export const exportVariableHistoryHandler = downloadHandler(exportVariableHistory, async (ctx, body) => {
  const reached = await reachSeries(ctx, body)
  // Before the first byte: then nothing can be refused any more.
  if (body.step !== 'raw') await checkZone(ctx, body.zone)
  if (body.step === 'minute') await checkSize(ctx, reached, body.step)
  const stamp = ctx.now().toISOString().slice(0, 19).replaceAll(':', '')
  return {
    fileName: `history-${stamp}Z.csv`,
    mime: 'text/csv; charset=utf-8',
    stream: Readable.from(lines(ctx, body, reached)),
  }
})
