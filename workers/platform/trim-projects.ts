/**
 * Projects that keep samples for less time than the platform [decisions/137]. Days are shared by all customers, so rows are
 * deleted instead of partitions, in small batches.
 */
import type { WorkerContext } from '../kit/processor.ts'

const BATCH = 5_000
const TERMINALS = 500

/** @param daysAgo midnight UTC so many days ago */
export async function trimProjects({ sql }: WorkerContext, daysAgo: (days: number) => Date): Promise<number> {
  const projects = await sql<{ days: number; terminalIds: number[] | null }[]>`
    select p.history_days as days, (
      with recursive tree as (
        select p.group_id as id union select g.id from groups g join tree on g.parent_id = tree.id)
      select array_agg(t.id order by t.id) from tree join devices d on d.group_id = tree.id
        join terminals t on t.device_id = d.id) as "terminalIds"
    from projects p where p.history_days is not null order by p.id`
  let gone = 0
  for (const { days, terminalIds } of projects) {
    const before = daysAgo(days)
    for (let from = 0; from < (terminalIds?.length ?? 0); from += TERMINALS) {
      const ids = terminalIds?.slice(from, from + TERMINALS) ?? []
      for (let count = BATCH; count === BATCH; gone += count) {
        const result = await sql`
          delete from variable_reports where (tableoid, ctid) in (
            select tableoid, ctid from variable_reports where terminal_id = any(${ids}::int[]) and at < ${before} limit ${BATCH})`
        count = result.count
      }
      const gaps =
        await sql`delete from variable_gaps where terminal_id = any(${ids}::int[]) and to_at < ${before}`
      gone += gaps.count
    }
  }
  return gone
}
