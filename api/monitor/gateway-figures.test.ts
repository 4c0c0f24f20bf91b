import { sql as text } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import type { TestDevice } from '#test/tenants'
import { knownTime } from './gateway-figures.ts'

const { tenants, context } = await apiTest()
const { sql, db } = context
const [device, moved, fresh] = tenants.a.devices as [TestDevice, TestDevice, TestDevice]
/** 06:20 UTC: days of the sums are those of UTC, whatever the zone of the database. */
const now = '2026-11-20T06:20:00Z'
const changed = '2026-11-12T10:15:00Z'

beforeAll(async () => {
  await sql`update devices set owned_since = ${changed} where id = ${moved.id}`
  await sql`
    insert into device_hours (device_id, hour, customer_id, group_id, known_s, online_s)
    select d.id, hour, d.customer_id, d.group_id, 3600 - (n * 7) % 900, (n * 131 + d.id * 17) % 2700
    from devices d, generate_series('2026-10-20T00:00:00Z'::timestamptz, ${now}, interval '1 hour') with ordinality as hours(hour, n)
    where d.id in (${device.id}, ${moved.id}) or d.id = ${fresh.id} and hour >= '2026-11-19T22:00:00Z'`
  // As the job writes them: up to the end of each day, from the beginning of the owner.
  await sql`
    insert into device_days (day, device_id, owned_since, known_s, online_s, signal_sum, signal_count, rx_bytes, tx_bytes)
    select day::date, d.id, owner.since, sum(h.known_s), sum(h.online_s), 0, 0, 0, 0
    from generate_series('2026-10-20'::timestamp, '2026-11-20', interval '1 day') day, devices d,
      lateral (select case when d.owned_since < (day + interval '1 day') at time zone 'UTC' then d.owned_since else to_timestamp(0) end as since) owner,
      device_hours h
    where h.device_id = d.id and h.hour >= date_trunc('hour', owner.since) and h.hour < (day + interval '1 day') at time zone 'UTC'
    group by day, d.id, owner.since`
})

type Sums = { known: number; online: number }

async function both(
  id: number,
  from: string,
): Promise<{ plain: Sums | undefined; fromDays: Sums | undefined }> {
  const [plain] = await sql<Sums[]>`
    select sum(known_s)::float8 as known, sum(online_s)::float8 as online from device_hours where device_id = ${id} and hour >= ${from}`
  const known = knownTime(text`${id}::int`, text`${from}::timestamptz`, text`${now}::timestamptz`)
  const [fromDays] = await db.execute<Sums>(
    text`select sum(known_s)::float8 as known, sum(online_s)::float8 as online from ${known} known`,
  )
  return { plain, fromDays }
}

it('returns the sums of the hours, wherever the period begins and whoever owned the device', async () => {
  const hour = 3_600_000
  for (const back of [0, 1, 5, 6, 7, 23, 29, 30, 31, 48, 54, 55, 100, 168, 719]) {
    const from = new Date(Math.floor(Date.parse(now) / hour) * hour - back * hour)
    for (const { id } of [device, fresh]) {
      const { plain, fromDays } = await both(id, from.toISOString())
      expect(fromDays, `${back} hours, device ${id}`).toEqual(plain)
    }
    const own = new Date(Math.max(from.getTime(), Date.parse(changed)))
    const { plain, fromDays } = await both(moved.id, own.toISOString())
    expect(fromDays, `${back} hours, moved`).toEqual(plain)
  }
})

it('reads few rows of hours for many days', async () => {
  const known = knownTime(
    text`${device.id}::int`,
    text`'2026-10-22T09:00:00Z'::timestamptz`,
    text`${now}::timestamptz`,
  )
  const [rows] = await db.execute<{ n: number }>(text`select count(*)::int as n from ${known} known`)
  // 15 hours of the first day, seven of the last one, and one difference of sums.
  expect(rows).toEqual({ n: 23 })
})
