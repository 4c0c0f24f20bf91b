/** Rows that belong to devices are visible with their device: checked without joining the devices, using an index. */
import { eq, exists, inArray, like, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { devices } from '#schema/tables/device'
import { isShort } from './bounded-count.ts'
import { contains } from './paging.ts'

/** Of the devices for which `condition` is true. */
export const ofDevices = (db: Context['db'], deviceId: PgColumn, condition: SQL): SQL =>
  inArray(deviceId, db.select({ id: devices.id }).from(devices).where(condition))

/**
 * Rows whose device has such a serial number. Short texts have no trigram: then each row's device is looked up,
 * instead of searching all.
 */
export function ofSerial(db: Context['db'], deviceId: PgColumn, search: string): SQL {
  const pattern = contains(search.toLowerCase())
  const serial = sql`split_part(${devices.searchText}, ' ', 1)`
  if (isShort(search))
    return sql`(select ${serial} from ${devices} where ${devices.id} = ${deviceId}) like ${pattern}`
  const found = sql`${eq(devices.id, deviceId)} and ${like(devices.searchText, pattern)} and ${serial} like ${pattern}`
  return exists(db.select({ one: sql`1` }).from(devices).where(found))
}

/** Devices with the text in one of their searched fields, their serial number and name among them; uses the trigram index. */
export const nearDevices = (search: string): SQL => like(devices.searchText, contains(search.toLowerCase()))
