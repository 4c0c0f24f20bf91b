/**
 * A device's history belongs to the customer that owned it at the time: a new owner can read it from the day of the
 * move on.
 */

import { and, eq, gte, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import { isPlatformType } from '#schema/people/session'
import { absent } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import type { Actor } from './actor.ts'
import { visible } from './scope.ts'

const DAY_MS = 86_400_000

/** Calendar days (UTC) that belong entirely to the current owner. */
export const ownDay = (day: SQL): SQL =>
  sql`(${devices.ownedSince} is null or ${day} > (${devices.ownedSince} at time zone 'UTC')::date)`

/** Where a history begins: at `since`, or as many days ago as were asked for. */
export const pastStart = (since: Date, days: number | undefined, now: Date): Date =>
  days === undefined ? since : new Date(Math.max(since.getTime(), now.getTime() - days * DAY_MS))

/** The last n days, for histories. */
export const inLastDays = (at: AnyPgColumn, now: Date) => (days: number) =>
  gte(at, new Date(now.getTime() - days * DAY_MS))

/** Times since the current owner has the device. */
export const ownMoment = (at: AnyPgColumn): SQL =>
  sql`(${devices.ownedSince} is null or ${at} >= ${devices.ownedSince})`

/**
 * A device whose history the actor may read, including abnormal ones, and from when on: platform users read all of
 * it. @throws Refusal 5 unless the actor may see the device.
 */
export async function reachHistory(
  { db, actor }: Pick<Context, 'db'> & { actor: Actor },
  deviceId: number,
): Promise<{ id: number; sn: string; since: Date }> {
  const seen = visible(actor)
  const [found] = await db
    .select({ id: devices.id, sn: devices.sn, ownedSince: devices.ownedSince })
    .from(devices)
    .where(and(or(seen.devices, seen.unusualDevices), eq(devices.id, deviceId), isNull(devices.purgedAt)))
  if (!found) refuse(absent)
  const { ownedSince, ...device } = found
  return { ...device, since: isPlatformType(actor.type) || ownedSince === null ? new Date(0) : ownedSince }
}
