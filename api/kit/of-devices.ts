/** Rows that belong to devices are seen where their device is: asked without joining the devices, an index answers. */
import { eq, exists, inArray, like, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { devices } from '#schema/tables/device'
import { isShort } from './bounded-count.ts'
import { contains } from './paging.ts'

/** Of the devices for which `condition` holds. */
export const ofDevices = (db: Context['db'], deviceId: PgColumn, condition: SQL): SQL =>
  inArray(deviceId, db.select({ id: devices.id }).from(devices).where(condition))

/** Whose device has such a serial number. Few letters have no trigram: each row's device is looked up then, not all searched. */
export function ofSerial(db: Context['db'], deviceId: PgColumn, search: string): SQL {
  const pattern = contains(search.toLowerCase())
  const serial = sql`split_part(${devices.searchText}, ' ', 1)`
  if (isShort(search))
    return sql`(select ${serial} from ${devices} where ${devices.id} = ${deviceId}) like ${pattern}`
  const found = sql`${eq(devices.id, deviceId)} and ${like(devices.searchText, pattern)} and ${serial} like ${pattern}`
  return exists(db.select({ one: sql`1` }).from(devices).where(found))
}
