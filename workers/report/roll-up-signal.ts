/**
 * Adds the signal of new samples to the hours of devices, exactly once: in the order of `stored_at`, like
 * traffic.
 */
import { rollUpSignal } from '#schema/report/rollup'
import { HOURS_GONE } from '#schema/tables/retention'
import { processor, type Transaction, type WorkerContext } from '../kit/processor.ts'

/**
 * `stored_at` is the start of an ingest transaction, which lasts at most 20 s: no older rows can appear after
 * this time.
 */
const SETTLED_S = 25
/** Time range read in one step: bounds memory and transaction time after a long pause. */
const WINDOW_MINUTES = 60

/** A watermark this far ahead of the clock means that the clock was set back [decisions/061]. */
const AHEAD_S = 60

/**
 * A large fleet's samples of some hours in one statement would exceed the statement timeout [decisions/063],
 * on every retry.
 */
const PARTS = 64

/**
 * Resets a watermark that is in the future. Samples stored by the former clock are counted completely and
 * re-stamped, so that no sample is read twice when that time comes; samples stored since the clock was set
 * back, about a minute, cannot be told apart and stay in the raw samples only.
 */
async function followClock(tx: Transaction): Promise<void> {
  const [ahead] = await tx<{ at: string }[]>`
    select at::text from rollup_cursors where name = 'signal' and at > now() + make_interval(secs => ${AHEAD_S}) for update`
  if (!ahead) return
  await addWindow(tx, ahead.at, 'infinity')
  for (let part = 0; part < PARTS; part++)
    await tx`update status_samples set stored_at = now() where stored_at > now() and device_id % ${PARTS}::int = ${part}::int`
  await tx`update rollup_cursors set at = now() where name = 'signal'`
}

/** Returns true if there is more to read. */
function rollUpWindow(ctx: WorkerContext): Promise<boolean> {
  return ctx.sql.begin(async (tx) => {
    await tx`insert into rollup_cursors (name, at)
      select 'signal', coalesce(min(stored_at), now()) - interval '1 second' from status_samples
      where not exists (select 1 from rollup_cursors where name = 'signal')
      on conflict do nothing`
    await followClock(tx)
    // The lock on the watermark makes a second process wait, and then find nothing left to read.
    const [window] = await tx<{ from: string; to: string; more: boolean; empty: boolean }[]>`
      select at::text as from, least(now() - make_interval(secs => ${SETTLED_S}), at + make_interval(mins => ${WINDOW_MINUTES}))::text as to,
        at + make_interval(mins => ${WINDOW_MINUTES}) < now() - make_interval(secs => ${SETTLED_S}) as more,
        at >= now() - make_interval(secs => ${SETTLED_S}) as empty
      from rollup_cursors where name = 'signal' for update`
    if (!window || window.empty) return false
    await addWindow(tx, window.from, window.to)
    await tx`update rollup_cursors set at = ${window.to}::text::timestamptz where name = 'signal'`
    return window.more
  })
}

const addWindow = (tx: Transaction, from: string, to: string) => tx`
  with fresh as (
    select s.device_id, d.customer_id, d.group_id, date_trunc('hour', s.at, 'UTC') as hour,
      sum(s.signal_dbm) as total, count(*) as samples, min(s.signal_dbm) as low, max(s.signal_dbm) as high
    from status_samples s join devices d on d.id = s.device_id
    where s.stored_at > ${from}::text::timestamptz and s.stored_at <= ${to}::text::timestamptz and s.signal_dbm is not null
      and s.at >= coalesce((select at from rollup_cursors where name = ${HOURS_GONE}), '-infinity')
      -- What it measured for its former owner is not the new one's.
      and (s.at >= d.owned_since or d.owned_since is null)
    group by 1, 2, 3, 4),
  added as (
    insert into device_hours as h (device_id, hour, customer_id, group_id, signal_sum, signal_count, signal_min, signal_max)
    select device_id, hour, customer_id, group_id, total, samples, low, high from fresh order by device_id, hour
    on conflict (device_id, hour) do update set signal_sum = h.signal_sum + excluded.signal_sum,
      signal_count = h.signal_count + excluded.signal_count, signal_min = least(h.signal_min, excluded.signal_min),
      signal_max = greatest(h.signal_max, excluded.signal_max)
    where h.customer_id = excluded.customer_id)
  -- Updated even when it is there: the update waits for the job that is reading this hour, which would miss it otherwise.
  insert into stale_hours (hour) select distinct hour from fresh on conflict (hour) do update set hour = excluded.hour`

export const rollUpSignalJob = processor(rollUpSignal, async (ctx) => {
  let windows = 1
  while (await rollUpWindow(ctx)) windows++
  return { windows }
})
