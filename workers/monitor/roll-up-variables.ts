/**
 * Sums hours of variables, from their reports. What is marked is deleted and summed in one transaction, so a killed
 * process leaves the mark; and a report that is stored meanwhile makes a new mark [decisions/118].
 */
import { rollUpVariables } from '#schema/monitor/collection'
import { hasValue, qualities, type ReportType } from '#schema/monitor/fields'
import {
  HOUR_MS,
  holdMsOf,
  QUARTER_MS,
  ROLLUP_GRACE_MS,
  rollUp,
  rollUpAll,
  type Sample,
  wrapOf,
} from '#schema/monitor/rollup'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { markDirty } from './mark-dirty.ts'
import { type Hour, type Marked, type Report, readHours } from './read-hours.ts'
import { type SummedHour, storeRollups } from './store-rollups.ts'

/** Number of hours of terminals in one transaction. */
const BATCH = 50
/** What is left after this time waits for the next run. */
const RUN_MS = 600_000

const withValue = qualities.map(hasValue)

type Variable = Parameters<typeof wrapOf>[0] & {
  terminalId: number
  slot: number
  cycleS: number
  reportType: ReportType
}

/** By slot, in the order of time. */
function bySlot(reports: readonly Report[]): ReadonlyMap<number, readonly Sample[]> {
  const found = new Map<number, Sample[]>()
  for (const [ms, slots, vals, quality] of reports)
    for (let k = 0; k < slots.length; k++) {
      const slot = slots[k] as number
      const samples = found.get(slot) ?? []
      if (samples.length === 0) found.set(slot, samples)
      samples.push([ms, withValue[quality?.[k] ?? 0] ? (vals[k] ?? null) : null])
    }
  return found
}

function summed({ terminalId, hourMs, reports }: Hour, variables: readonly Variable[]): SummedHour[] {
  const samples = bySlot(reports)
  return variables.flatMap((variable) => {
    const { slot, functionType } = variable
    const span = {
      endMs: hourMs + HOUR_MS,
      holdMs: holdMsOf(variable),
      meter: functionType === 'counter',
      wrapAt: wrapOf(variable),
    }
    const own = samples.get(slot) ?? []
    const hour = rollUp(own, { startMs: hourMs, ...span })
    return hour
      ? [{ terminalId, slot, hour, quarters: rollUpAll(own, QUARTER_MS, { originMs: hourMs, ...span }) }]
      : []
  })
}

/** Reports of completed hours. */
async function sumHours(tx: Transaction, now: Date): Promise<number> {
  const over = new Date(now.getTime() - HOUR_MS - ROLLUP_GRACE_MS)
  const taken = await tx<Marked[]>`
    delete from variable_dirty where (terminal_id, hour) in (
      select terminal_id, hour from variable_dirty where hour <= ${over} order by hour, terminal_id limit ${BATCH})
    returning terminal_id as "terminalId", hour`
  if (taken.length === 0) return 0
  const ids = taken.map(({ terminalId }) => terminalId)
  const variables = Map.groupBy(
    await tx<Variable[]>`
      select t.id as "terminalId", v.slot, v.function_type as "functionType", v.cycle_s as "cycleS", v.report_type as "reportType",
        v.io_controller as "ioController", v.data_type as "dataType", v.length, v.power_address as "powerAddress", v.factor, v.addend
      from terminals t join variables v on v.template_id = t.template_id and v.data_type <> 'text' where t.id = any(${ids}::int[])`,
    ({ terminalId }) => terminalId,
  )
  const hours: SummedHour[] = []
  // A statement of its own: it sees every report whose mark was deleted above.
  for await (const hour of readHours(tx, taken))
    hours.push(...summed(hour, variables.get(hour.terminalId) ?? []))
  await storeRollups(tx, hours)
  return taken.length
}

/** In its own transaction; null: another process is at it. */
const alone = <T>({ sql }: WorkerContext, work: (tx: Transaction) => Promise<T>): Promise<T | null> =>
  sql.begin(async (tx) => {
    const [lock] = await tx<{ got: boolean }[]>`
      select pg_try_advisory_xact_lock(hashtext('variable rollups')) as got`
    return lock?.got ? work(tx) : null
  }) as Promise<T | null>

export const rollUpVariablesJob = processor(rollUpVariables, async (ctx) => {
  const until = performance.now() + RUN_MS
  while (await alone(ctx, (tx) => markDirty(tx, ctx)));
  let hours = 0
  for (;;) {
    const done = await alone(ctx, (tx) => sumHours(tx, ctx.now()))
    hours += done ?? 0
    if (!done || performance.now() > until) return { hours }
  }
})
