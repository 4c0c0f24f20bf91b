import { retrySync, syncPackage } from '#schema/task/package'
import { processor } from '../kit/processor.ts'

/** A recent upload is still in its first tries. */
const YOUNG_S = 300

export const retrySyncJob = processor(retrySync, async (ctx) => {
  const rows = await ctx.sql<{ id: number }[]>`
    select id from packages where synced_at is null and deleted_at is null and uploaded_at < now() - ${YOUNG_S} * interval '1 second'`
  for (const { id } of rows) await ctx.queue.add(syncPackage, { packageId: id })
  return { queued: rows.length }
})
