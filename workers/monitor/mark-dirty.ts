/** Marks the hours for which reports were stored, in the order of storing, so that none is missed [decisions/118]. */
import type { Transaction, WorkerContext } from '../kit/processor.ts'

/** Number of transactions examined at once. */
const SPAN = 20_000
/** [decisions/118] Of `rollup_positions`. */
const NAME = 'variables'

/** @returns whether there is more to mark. */
export async function markDirty(tx: Transaction, { now }: Pick<WorkerContext, 'now'>): Promise<boolean> {
  await tx`
    insert into rollup_positions (name, stored_by, at)
    select ${NAME}, coalesce((select min(stored_by) from variable_reports), pg_snapshot_xmin(pg_current_snapshot())::text::bigint), to_timestamp(0)
    where not exists (select 1 from rollup_positions where name = ${NAME}) on conflict do nothing`
  // A database that was restored from a dump starts counting transactions from the beginning.
  const [span] = await tx<{ from: string; to: string; done: boolean; openS: number }[]>`
    select least(stored_by, horizon)::text as from, least(stored_by + ${SPAN}, horizon)::text as to, horizon <= stored_by + ${SPAN} as done,
      coalesce((select extract(epoch from clock_timestamp() - min(xact_start)) from pg_stat_activity where backend_xid is not null), 0)::float8 as "openS"
    from rollup_positions, (select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as horizon) s where name = ${NAME} for update of rollup_positions`
  if (!span) throw new Error('no position to mark hours from')
  await tx`
    insert into variable_dirty (terminal_id, hour)
    select distinct terminal_id, date_trunc('hour', at, 'UTC') from variable_reports
    where stored_by >= ${span.from}::text::bigint and stored_by < ${span.to}::text::bigint
    on conflict do nothing`
  // Rows of an open transaction become visible when it commits: until then, nothing newer is complete.
  const markedTo = new Date(now().getTime() - span.openS * 1000)
  await tx`
    update rollup_positions set stored_by = ${span.to}::text::bigint, at = case when ${span.done} then ${markedTo}::timestamptz else at end
    where name = ${NAME}`
  return !span.done
}
