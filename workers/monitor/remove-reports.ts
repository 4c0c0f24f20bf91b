/** Deletes the reports of deleted terminals, and their sums, batch by batch, so that a long history never holds a lock for long. */
import { removeReports } from '#schema/monitor/collection'
import { processor, type WorkerContext } from '../kit/processor.ts'

const BATCH = 10_000

const tables = ['variable_reports', 'variable_dirty', 'variable_quarters', 'variable_hours'] as const

/** By physical row id: it is unique only within a partition, so the table is part of the key. */
async function drain(
  { sql }: WorkerContext,
  table: (typeof tables)[number],
  terminalId: number,
): Promise<number> {
  let removed = 0
  for (;;) {
    const { count } = await sql`
      delete from ${sql(table)} where (tableoid, ctid) in (
        select tableoid, ctid from ${sql(table)} where terminal_id = ${terminalId} limit ${BATCH})`
    removed += count
    if (count < BATCH) return removed
  }
}

/** No report of a terminal is stored once its deletion is committed, so none comes after this. */
export const removeReportsJob = processor(removeReports, async (ctx) => {
  let terminals = 0
  let rows = 0
  for (;;) {
    const [next] = await ctx.sql<
      { id: number }[]
    >`select terminal_id as id from gone_terminals order by 1 limit 1`
    if (!next) return { terminals, rows }
    for (const table of tables) rows += await drain(ctx, table, next.id)
    await ctx.sql`delete from gone_terminals where terminal_id = ${next.id}`
    terminals++
  }
})
