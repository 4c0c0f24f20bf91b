/** Rows that belong to devices are seen where their device is: asked without joining the devices, an index answers. */
import { ilike, inArray, like, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { devices } from '#schema/tables/device'

/** Of the devices for which `condition` holds. */
export const ofDevices = (db: Context['db'], deviceId: PgColumn, condition: SQL): SQL =>
  inArray(deviceId, db.select({ id: devices.id }).from(devices).where(condition))

/** Serial numbers like this, by the index of the devices' search. */
export const hasSerial = (pattern: string): SQL =>
  sql`${like(devices.searchText, pattern.toLowerCase())} and ${ilike(devices.sn, pattern)}`
