/** Which devices of a planned task have, by their last status, too little memory for its file. */
import { and, count, lt, type SQL, sql } from 'drizzle-orm'
import { deviceStates, devices } from '#schema/tables/device'
import { COPIES_IN_MEMORY, MEMORY_FOR_FILES, type MemoryShort } from '#schema/task/memory-need'
import { amongIds } from '../kit/among-ids.ts'
import type { CallContext } from '../kit/handler.ts'

const SAMPLE = 5

/** `ids`: devices that the actor sees. */
export async function memoryShortOf(
  { db }: CallContext,
  ids: readonly number[],
  sizeBytes: number,
): Promise<MemoryShort> {
  const neededBytes = COPIES_IN_MEMORY * sizeBytes
  const { memoryTotalBytes: total, memoryUsedBytes: used } = deviceStates
  // Null, which is less than nothing, without a status.
  const room: SQL = sql`least(${total} * ${sql.raw(String(MEMORY_FOR_FILES))}, ${total} - ${used})`
  const [found] = await db
    .select({
      count: count(),
      sample: sql<
        string[]
      >`coalesce((array_agg(${devices.sn} order by ${devices.sn}))[1:${sql.raw(String(SAMPLE))}], '{}')`,
    })
    .from(deviceStates)
    .innerJoin(devices, sql`${devices.id} = ${deviceStates.deviceId}`)
    .where(and(amongIds(deviceStates.deviceId, ids), lt(room, neededBytes)))
  return { count: found?.count ?? 0, sample: found?.sample ?? [], neededBytes }
}
