/**
 * Determines due hours and days and computes their sums, one day per transaction: after a crash each day is
 * either done or not started.
 */
import { BACKFILL_DAYS, rollUpFleet } from '#schema/report/rollup'
import { HOURS_GONE } from '#schema/tables/retention'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'
import { countPresence } from './count-presence.ts'
import { sumDay, sumDevices, sumHour, sumVersions } from './sum-fleet.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Above this number of devices, totals are computed when an hour is over; below it, each time. */
const SMALL_FLEET = 5_000
/**
 * A run that takes longer than this is followed by a pause of a multiple of its length, so that it takes at
 * most a twentieth of the time.
 */
const LONG_MS = 3_000
const REST = 19
const dayOf = (hour: number) => Math.floor(hour / DAY_MS)

/**
 * Hours that are not finished, and those that changed since, oldest day first. The lock on the cursor makes
 * others wait.
 */
async function dueHours(tx: Transaction): Promise<{ now: number; hours: number[] }> {
  await tx`insert into rollup_cursors (name, at)
    select 'fleet', date_trunc('hour', greatest(coalesce(min(online_at), now()), now() - make_interval(days => ${BACKFILL_DAYS})), 'UTC')
    from presence_records where not exists (select 1 from rollup_cursors where name = 'fleet')
    on conflict do nothing`
  // The clock was set back [decisions/061]: hours are recomputed, so a few extra ones do no harm.
  await tx`update rollup_cursors set at = date_trunc('hour', now(), 'UTC') - interval '1 hour' where name = 'fleet' and at > now()`
  const [cursor] = await tx<{ now: number; from: number }[]>`
    select (extract(epoch from now()) * 1000)::float8 as now, (extract(epoch from at) * 1000)::float8 as from
    from rollup_cursors where name = 'fleet' for update`
  const { now, from } = cursor ?? { now: 0, from: 0 }
  // Otherwise their day would be summed from the late samples only.
  await tx`delete from stale_hours where hour < (select at from rollup_cursors where name = ${HOURS_GONE})`
  const stale = await tx<{ hour: number }[]>`
    select (extract(epoch from hour) * 1000)::float8 as hour from stale_hours where hour <= now()`
  const hours = new Set(stale.map((row) => row.hour))
  for (let hour = from; hour <= now; hour += HOUR_MS) hours.add(hour)
  return { now, hours: [...hours].sort((a, b) => a - b) }
}

/** Returns true if more days are due. */
function rollUpNextDay(ctx: WorkerContext): Promise<boolean> {
  return ctx.sql.begin(async (tx) => {
    const { now, hours } = await dueHours(tx)
    const [first] = hours
    if (first === undefined) return false
    const day = dayOf(first)
    const today = hours.filter((hour) => dayOf(hour) === day)
    // Deleted before anything is read: samples that arrive from here on mark the hour again.
    await tx`delete from stale_hours where hour = any(${today.map((hour) => new Date(hour).toISOString())}::text[]::timestamptz[])`
    let changed = 0
    for (const hour of today) {
      changed += (await countPresence(tx, new Date(hour))).count
      await sumHour(tx, new Date(hour))
    }
    await sumDay(tx, new Date(day * DAY_MS))
    const last = Math.max(...today)
    // The current hour is computed again next time, and once more when it is over.
    const done = Math.min(last + HOUR_MS, Math.floor(now / HOUR_MS) * HOUR_MS)
    const moved =
      await tx`update rollup_cursors set at = ${new Date(done)} where name = 'fleet' and at < ${new Date(done)}`
    if (dayOf(now) !== day || moved.count > 0 || changed < SMALL_FLEET)
      await sumDevices(tx, new Date(day * DAY_MS))
    if (dayOf(now) !== day) return true
    await sumVersions(tx)
    return false
  })
}

let restUntil = 0

export const rollUpFleetJob = processor(rollUpFleet, async (ctx) => {
  const started = performance.now()
  if (started < restUntil) return { days: 0 }
  let days = 1
  while (await rollUpNextDay(ctx)) days++
  const took = performance.now() - started
  // A run that caught up on many days took long for a good reason.
  if (days === 1 && took > LONG_MS) restUntil = started + took * (REST + 1)
  return { days }
})
