/** Number of devices per firmware, now and on the days before. */
import { type SQL, sql } from 'drizzle-orm'
import { devices } from './device.ts'
import { versionDays } from './report.ts'
import type { ReportFilter, ReportScope } from './report-scope.ts'

export type VersionCount = { model: string; firmware: string; devices: number }
export type VersionDay = { day: string; firmware: string; devices: number }

export const currentVersionsSql = (scope: ReportScope, filter: ReportFilter): SQL => sql`
  select coalesce(${devices.model}, '') as model, coalesce(${devices.firmware}, '') as firmware, count(*)::int as devices
  from ${devices} where ${scope.devices(filter)} group by 1, 2 order by 1, 3 desc, 2`

/** Known versions, most frequent first. The home page has the same order. */
export const fleetVersionsSql = (scope: ReportScope): SQL => sql`
  select ${devices.firmware} as firmware from ${devices}
  where ${scope.devices({})} and ${devices.firmware} is not null group by 1 order by count(*) desc, 1 limit 100`

/** One row per day and firmware; `to` is exclusive. */
export const versionDaysSql = (
  scope: ReportScope,
  filter: ReportFilter,
  from: string,
  to: string,
): SQL => sql`
  select day::text as day, firmware, sum(devices)::int as devices from ${versionDays}
  where ${scope.sums(versionDays, filter)} and day >= ${from}::date and day < ${to}::date
    and ${filter.model === undefined ? sql`true` : sql`model = ${filter.model}`}
  group by 1, 2`
