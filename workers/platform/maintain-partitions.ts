import { dropOldPartitions, ensurePartitions, partitionedTables } from '#infra/partitions'
import { REPORT_DAYS_MAX } from '#schema/monitor/wire'
import { maintainPartitions } from '#schema/platform/upkeep'
import { isDropped, retention } from '#schema/tables/retention'
import { syncPackage } from '#schema/task/package'
import { processor } from '../kit/processor.ts'
import { agedTo } from './retention-clock.ts'

export const maintainPartitionsJob = processor(maintainPartitions, async (ctx) => {
  await ensurePartitions(ctx.sql, ctx.now(), { patient: false })
  // Gateways that were offline send reports of many days, which are to be dropped by the day, too.
  const lateDays = Math.min(REPORT_DAYS_MAX, await ctx.parameters.get('variableDays'))
  await ensurePartitions(ctx.sql, ctx.now(), {
    daysBack: lateDays,
    tables: ['variable_reports'],
    patient: false,
  })
  const today = await agedTo(ctx, maintainPartitions.name)
  const dropped: string[] = []
  for (const table of partitionedTables) {
    const rule = retention[table]
    if (!rule || !isDropped(rule)) throw new Error(`${table} has no retention by days`)
    dropped.push(...(await dropOldPartitions(ctx.sql, table, await ctx.parameters.get(rule.days), today)))
  }
  // After a crash between an upload's commit and its wake-up the package would never be checked, nor offered.
  const unsynced = await ctx.sql<{ id: number }[]>`
    select id from packages where synced_at is null and deleted_at is null`
  for (const { id } of unsynced) await ctx.queue.add(syncPackage, { packageId: id })
  return { dropped }
})
