/** Applies schema/tables/retention.ts: deletes old rows in small batches, so that locks are held briefly. */

import { trimHistory } from '#schema/platform/upkeep'
import { HOURS_GONE, isTrimmed, retention, type Trimmed } from '#schema/tables/retention'
import { processor, type WorkerContext } from '../kit/processor.ts'
import { agedTo } from './retention-clock.ts'
import { trimProjects } from './trim-projects.ts'
import { trimPurged } from './trim-purged.ts'

const DAY_MS = 86_400_000
/** Rows searched at once: finding them is more expensive than deleting them. */
const FOUND_MAX = 100_000
/** Rows per transaction. */
const BATCH = 5_000

const daysOf = ({ parameters }: WorkerContext, { days }: Trimmed) =>
  typeof days === 'number' ? days : parameters.get(days)

/**
 * Midnight UTC: the hours of a day are deleted together, so that its sums are never computed from a part of
 * them.
 */
const daysAgo = (now: Date, days: number) => new Date((Math.floor(now.getTime() / DAY_MS) - days) * DAY_MS)

/** Names and conditions are constants of ours, never input. */
export const oldRowsSql = (table: string, { old }: Trimmed) =>
  `select ctid::text as place from ${table} where ${old} limit ${FOUND_MAX}`

async function trim(ctx: WorkerContext, table: string, rule: Trimmed, today: Date): Promise<number> {
  const before = daysAgo(today, await daysOf(ctx, rule))
  for (let gone = 0; ; ) {
    const found = await ctx.sql.unsafe<{ place: string }[]>(oldRowsSql(table, rule), [before])
    for (let from = 0; from < found.length; from += BATCH) {
      const places = found.slice(from, from + BATCH).map(({ place }) => place)
      const { count, files } = await ctx.sql.begin(async (tx) => {
        // The triggers of the logs allow deletion only with this setting.
        await tx`set local iot.upkeep = 'on'`
        // Checked again: a row may have been opened meanwhile, or another may have its physical row id.
        const [done] = await tx.unsafe<{ count: number; files: string[] | null }[]>(
          `with gone as (delete from ${table} where ctid = any($2::text[]::tid[]) and ${rule.old} returning *)${rule.into ? `, kept as (${rule.into})` : ''}
          select count(*)::int as count, ${rule.file ? `array_agg(${rule.file})` : 'null'} as files from gone`,
          [before, places],
        )
        return { count: done?.count ?? 0, files: done?.files ?? [] }
      })
      gone += count
      // Rows first: an unreferenced file only costs space, while a row without its file is wrong.
      for (const key of files) await ctx.files.remove(key)
    }
    if (found.length < FOUND_MAX) return gone
  }
}

/** Recorded before deletion, so that late samples of those hours are no longer counted. */
async function forgetHours({ sql, parameters }: WorkerContext, today: Date): Promise<void> {
  const before = daysAgo(today, await parameters.get('hourDays'))
  await sql`insert into rollup_cursors (name, at) values (${HOURS_GONE}, ${before})
    on conflict (name) do update set at = greatest(rollup_cursors.at, excluded.at)`
}

/** Rows first: an unreferenced file only costs space, while a row without its file is wrong. */
async function trimBackups({ sql, files, parameters }: WorkerContext): Promise<number> {
  const kept = await parameters.get('backupsKept')
  for (let gone = 0; ; ) {
    const rows = await sql<{ fileKey: string }[]>`
      delete from device_backups where id = any(array(
        select b.id from devices d cross join lateral (
          select id from device_backups k where device_id = d.id and file_key is not null
            and not exists (select 1 from tasks t where t.backup_id = k.id and t.status = 'ongoing')
          order by created_at desc, id offset ${kept}) b limit ${BATCH})) returning file_key as "fileKey"`
    for (const { fileKey } of rows) await files.remove(fileKey)
    gone += rows.length
    if (rows.length < BATCH) return gone
  }
}

/** A failure with one table must not prevent trimming the others. */
export const trimHistoryJob = processor(trimHistory, async (ctx) => {
  const gone: Record<string, number> = {}
  const faults: unknown[] = []
  const run = async (name: string, work: () => Promise<number>) => {
    try {
      gone[name] = await work()
    } catch (error) {
      faults.push(new Error(`${name} was not trimmed`, { cause: error }))
    }
  }
  const today = await agedTo(ctx, trimHistory.name)
  await forgetHours(ctx, today)
  for (const [table, rule] of Object.entries(retention))
    if (isTrimmed(rule)) await run(table, () => trim(ctx, table, rule, today))
  await run('samples of projects', () => trimProjects(ctx, (days) => daysAgo(today, days)))
  await run('backups beyond their number', () => trimBackups(ctx))
  await run('sums of purged devices', () => trimPurged(ctx))
  if (faults.length > 0) throw new AggregateError(faults, faults.map(String).join('; '))
  return gone
})
