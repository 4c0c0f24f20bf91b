import { type SQL, sql } from 'drizzle-orm'
import { deviceConfigs } from '#schema/tables/config'
import { deviceStates, devices } from '#schema/tables/device'

/**
 * The newest time at which the device is known to run the document that the platform holds: every hello and every status
 * carries the hash of what runs. null: nothing has been read. A status of a clock that is ahead does not count.
 */
export const knownAt = (now: Date): SQL<Date | null> =>
  sql<Date | null>`case
    when ${deviceConfigs.documentAt} is null or ${deviceConfigs.documentHash} is distinct from ${deviceConfigs.runningHash} then ${deviceConfigs.documentAt}
    else greatest(${deviceConfigs.documentAt}, ${devices.helloAt}, case when ${deviceStates.statusAt} <= ${now.toISOString()}::timestamptz then ${deviceStates.statusAt} end) end`.mapWith(
    deviceConfigs.documentAt,
  )
