import { dropOldPartitions, ensurePartitions } from '#infra/partitions'
import { syncPackage } from '#schema/package'
import { maintainPartitions, TRAFFIC_DAYS } from '#schema/upkeep'
import { processor } from '../processor.ts'

const DAY_MS = 86_400_000

export const maintainPartitionsJob = processor(maintainPartitions, async (ctx) => {
  const now = ctx.now()
  await ensurePartitions(ctx.sql, now)
  const dropped = [
    ...(await dropOldPartitions(ctx.sql, 'status_samples', await ctx.parameters.get('statusDays'), now)),
    ...(await dropOldPartitions(ctx.sql, 'device_logs', await ctx.parameters.get('deviceLogDays'), now)),
  ]
  const trafficSince = new Date(now.getTime() - TRAFFIC_DAYS * DAY_MS)
  await ctx.sql`delete from traffic_hours where hour < ${trafficSince}`
  await ctx.sql`delete from traffic_days where day < ${trafficSince}`
  // A crash between an upload's commit and its wake-up: the package would never be offered.
  const unsynced = await ctx.sql<{ id: number }[]>`
    select id from packages where synced_at is null and deleted_at is null`
  for (const { id } of unsynced) await ctx.queue.add(syncPackage, { packageId: id })
  return { dropped }
})
