/** A device's past belongs to whom it belonged to then: a new owner reads on from the day it became his. */
import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import { isPlatformType } from '#schema/session'
import { devices } from '#schema/tables/device'
import type { Actor } from './actor.ts'
import { visible } from './scope.ts'

/** Calendar days (UTC) that belong to the present owner alone; the first of a device's life is one. */
export const ownDay = (day: SQL): SQL =>
  sql`(${day} > (${devices.ownedSince} at time zone 'UTC')::date or ${devices.ownedSince} <= ${devices.createdAt})`

/**
 * A device whose history the actor may read, also an abnormal one, and from when on: platform users read all of it.
 * @throws Refusal 5 unless the actor may see the device.
 */
export async function reachHistory(
  { db, actor }: Pick<Context, 'db'> & { actor: Actor },
  deviceId: number,
): Promise<{ id: number; sn: string; since: Date }> {
  const seen = visible(actor)
  const [found] = await db
    .select({ id: devices.id, sn: devices.sn, ownedSince: devices.ownedSince, createdAt: devices.createdAt })
    .from(devices)
    .where(and(or(seen.devices, seen.unusualDevices), eq(devices.id, deviceId), isNull(devices.purgedAt)))
  if (!found) refuse(refusals.noPermission)
  const { ownedSince, createdAt, ...device } = found
  // Never moved: all of it is his, also what a device dated before it was added.
  const whole = isPlatformType(actor.type) || ownedSince <= createdAt
  return { ...device, since: whole ? new Date(0) : ownedSince }
}
