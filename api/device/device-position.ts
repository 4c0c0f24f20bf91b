/** The position of a device: set by a user, else the last GPS position. Needs `device_states` left joined. */
import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { regionOf } from '#schema/device/region'
import { deviceStates, devices } from '#schema/tables/device'

// Both values from one source: a mixed pair would be a wrong place.
const placed = sql`(${devices.longitude} is not null and ${devices.latitude} is not null)`
const measured = sql`(${deviceStates.gpsLongitude} is not null and ${deviceStates.gpsLatitude} is not null)`

const half = (pinned: AnyPgColumn, gps: AnyPgColumn) =>
  sql<number | null>`case when ${placed} then ${pinned} when ${measured} then ${gps} end`.mapWith((value) =>
    value === null ? null : Number(value),
  )

export const position = {
  longitude: half(devices.longitude, deviceStates.gpsLongitude),
  latitude: half(devices.latitude, deviceStates.gpsLatitude),
  source: sql<'manual' | 'gps' | null>`case when ${placed} then 'manual' when ${measured} then 'gps' end`,
}
export const hasPosition: SQL<boolean> = sql<boolean>`coalesce(${placed} or ${measured}, false)`

/** Devices inside a region, its edge included; those without a position are in none. */
export function within(text: string): SQL {
  const corners = (regionOf(text) ?? []).map(({ longitude, latitude }) => `(${longitude},${latitude})`)
  return sql`coalesce(${`(${corners.join(',')})`}::polygon @> point(${position.longitude}::float8, ${position.latitude}::float8), false)`
}
