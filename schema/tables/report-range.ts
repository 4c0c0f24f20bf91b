/** The ends of a named range, in the calendar of a zone. */
import { type SQL, sql } from 'drizzle-orm'
import type { ReportBody } from '../report/report.ts'
import { HOURS_GONE } from './retention.ts'

/**
 * One row: `from`, `to`, `previousFrom` and `hoursSince` in ms. A range ends at the latest with the current hour
 * (24h) or the current day; a month is compared with the month before, or with the same part of it.
 */
export function rangeSql({ range, from, to, zone }: ReportBody, now: Date): SQL {
  const present = sql`${now.toISOString()}::timestamptz`
  // In the calendar of the zone, as `date_add` does with a zone, which PostgreSQL 15 does not have.
  const moved = (moment: SQL, by: SQL) =>
    sql`(((${moment}) at time zone ${zone}::text) + ${by}) at time zone ${zone}::text`
  const tomorrow = moved(sql`date_trunc('day', ${present}, ${zone})`, sql`interval '1 day'`)
  const daysBack = (days: number) => moved(tomorrow, sql`make_interval(days => ${-days}::int)`)
  const midnight = (day: string) => sql`(${day}::date)::timestamp at time zone ${zone}`
  const hour = sql`date_trunc('hour', ${present}, 'UTC') + interval '1 hour'`
  const week = sql`date_trunc('week', ${present}, ${zone})`
  const month = sql`date_trunc('month', ${present}, ${zone})`
  const begin = {
    today: daysBack(1),
    yesterday: daysBack(2),
    '24h': sql`${hour} - interval '24 hours'`,
    '7d': daysBack(7),
    lastWeek: moved(week, sql`interval '-7 days'`),
    '30d': daysBack(30),
    month,
    lastMonth: moved(month, sql`interval '-1 month'`),
    custom: midnight(from ?? '2000-01-01'),
  }[range]
  const end = {
    today: tomorrow,
    yesterday: daysBack(1),
    '24h': hour,
    '7d': tomorrow,
    lastWeek: week,
    '30d': tomorrow,
    month: tomorrow,
    lastMonth: month,
    custom: to ? sql`least(${tomorrow}, ${moved(midnight(to), sql`interval '1 day'`)})` : tomorrow,
  }[range]
  const before =
    range === 'month' || range === 'lastMonth'
      ? moved(sql`f`, sql`interval '-1 month'`)
      : moved(sql`f`, sql`make_interval(days => -round(extract(epoch from t - f) / 86400)::int)`)
  const ms = (moment: SQL) => sql`(extract(epoch from ${moment}) * 1000)::float8`
  return sql`select ${ms(sql`f`)} as "from", ${ms(sql`t`)} as "to", ${ms(before)} as "previousFrom",
      coalesce((select ${ms(sql`at`)} from rollup_cursors where name = ${HOURS_GONE}), 0) as "hoursSince"
    from (select ${begin} as f, ${end} as t) ends`
}
