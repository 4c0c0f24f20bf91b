/** Rows that belong to devices are seen where their device is: asked without joining the devices, an index answers. */
import { eq, exists, inArray, like, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { devices } from '#schema/tables/device'

/** Of the devices for which `condition` holds. */
export const ofDevices = (db: Context['db'], deviceId: PgColumn, condition: SQL): SQL =>
  inArray(deviceId, db.select({ id: devices.id }).from(devices).where(condition))

/** Whose device has a serial number (the first word of its text) like this: the planner looks up each device, or searches the devices once. */
export const ofSerial = (db: Context['db'], deviceId: PgColumn, pattern: string): SQL =>
  exists(
    db
      .select({ one: sql`1` })
      .from(devices)
      .where(
        sql`${eq(devices.id, deviceId)} and ${like(devices.searchText, pattern.toLowerCase())}
          and split_part(${devices.searchText}, ' ', 1) like ${pattern.toLowerCase()}`,
      ),
  )
