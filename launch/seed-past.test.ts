/** What a newcomer sees of the thirty days before the first start. */
import { expect, it } from 'vitest'
import { identify, planFleet } from '#device-sim/fleet'
import { figureList } from '#schema/device/figure'
import { openBench } from '#test/worker-bench'
import { rollUpFleetJob } from '#workers/report/roll-up-fleet'
import { rollUpSignalJob } from '#workers/report/roll-up-signal'
import { rollUpTrafficJob } from '#workers/report/roll-up-traffic'
import { PAST_DAYS, pastOf } from './past-of-device.ts'
import { seedAdmin, seedRoles } from './seed.ts'
import { seedDemoAlarms } from './seed-alarms.ts'
import { seedDemo } from './seed-demo.ts'
import { seedPast } from './seed-past.ts'

const DEVICES = 12
const { ctx } = await openBench()
const { sql } = ctx
await seedRoles(sql)
await seedAdmin(sql, undefined)
const started = performance.now()
const demo = await sql.begin(async (tx) => {
  const made = await seedDemo(tx)
  if (!made) throw new Error('no demonstration')
  await seedDemoAlarms(tx, made.customerId)
  await seedPast({ sql: tx, files: ctx.files }, made, DEVICES, 1)
  return made
})
const tookMs = performance.now() - started

it('is written before a newcomer gives up', () => {
  // 3 s on an idle machine, four times as long beside other tests.
  expect(tookMs).toBeLessThan(60_000)
})

it('has devices with names, addresses and positions in the default language', async () => {
  const devices =
    await sql`select name, address, longitude, latitude from devices where customer_id = ${demo.customerId}`
  expect(devices).toHaveLength(DEVICES)
  for (const device of devices) {
    expect(device['name']).toMatch(/\p{Script=Han}/u)
    expect(device['address']).toMatch(/\p{Script=Han}/u)
    expect(device['longitude']).toBeTypeOf('number')
  }
})

it('has every declared figure', async () => {
  const [known] =
    await sql`select ${sql.unsafe(figureList.map(({ column }) => `count(${column})::int as ${column}`).join(', '))}
    from status_samples join devices on devices.id = device_id where customer_id = ${demo.customerId}`
  expect(figureList.filter(({ column }) => !known?.[column]).map(({ name }) => name)).toEqual([])
})

it.each([
  ['24 hours', 24, 10],
  ['7 days', 168, 60],
  ['30 days', 720, 240],
])('fills the charts of a device over %s, except while it was away', async (_, hours, minutes) => {
  const shares = await sql<{ kind: string; share: number }[]>`
    select kind, count(distinct (id, floor(extract(epoch from now() - at) / 60 / ${minutes}::int)))::float8 / count(distinct id) / ${(hours * 60) / minutes}::int as share
    from (select 'status' as kind, device_id as id, at from status_samples union all select target, device_id, at from probe_samples) samples
    where at > now() - ${hours}::int * interval '1 hour' group by kind`
  expect(shares).toHaveLength(3)
  for (const { kind, share } of shares) expect(share, kind).toBeGreaterThan(0.8)
})

it('is summed by the workers like received samples: presence, traffic and signal of every day', async () => {
  for (const job of [rollUpTrafficJob, rollUpSignalJob, rollUpFleetJob]) await job.run(ctx, {})
  const [days] = await sql`
    select count(distinct day)::int as days, min(online_s::float8 / known_s) as least, sum(rx_bytes)::float8 as rx, sum(signal_devices)::int as signal
    from fleet_days where customer_id = ${demo.customerId} and group_id = 0 and model = '*'`
  expect(days?.['days']).toBeGreaterThanOrEqual(PAST_DAYS)
  expect(days?.['least']).toBeGreaterThan(0.5)
  expect(days?.['least']).toBeLessThan(1)
  expect(days?.['rx']).toBeGreaterThan(1e9)
  expect(days?.['signal']).toBeGreaterThan(0)
}, 120_000)

it('has ended alarms, some handled, all notified', async () => {
  const alarms =
    await sql`select ended_at, notified, handled_at from alarms where customer_id = ${demo.customerId}`
  expect(alarms.length).toBeGreaterThan(5)
  expect(alarms.filter((row) => row['ended_at'] === null || row['notified'] !== 'all')).toEqual([])
  expect(alarms.some((row) => row['handled_at'])).toBe(true)
  expect(alarms.some((row) => !row['handled_at'])).toBe(true)
})

it('has an upgrade that finished and one that failed in part, each with its whole history', async () => {
  const tasks = await sql<
    { id: number; version: string; outcomes: string[]; events: number; items: number }[]
  >`
    select t.id, t.version, array_agg(distinct i.outcome order by i.outcome) as outcomes, count(distinct i.id)::int as items,
      (select count(*)::int from task_events e join task_items on task_items.id = e.item_id where task_id = t.id) as events
    from tasks t join task_items i on i.task_id = t.id
    where t.customer_id = ${demo.customerId} and t.status = 'completed' and t.completed_at < now() group by t.id order by t.start_at`
  expect(tasks).toMatchObject([{ outcomes: ['done'] }, { outcomes: ['done', 'failed'] }])
  expect(tasks[0]?.events).toBe((tasks[0]?.items ?? 0) * 7)
  const operations = await sql`
    select call, object from operations where customer_id = ${demo.customerId} and code = 0 and username = 'demo_admin' order by at`
  expect(operations).toMatchObject([
    { call: 'package/uploadPackage' },
    { call: 'levelUp/addLevelUp' },
    { call: 'package/uploadPackage' },
    { call: 'levelUp/addLevelUp' },
  ])
})

it('has devices that run what their last upgrade left, which restarted for it', async () => {
  const wrong = await sql`
    select d.sn, d.firmware, t.version, i.outcome from task_items i join tasks t on t.id = i.task_id join devices d on d.id = i.device_id
    where t.start_at = (select max(start_at) from tasks) and (d.firmware = t.version) <> (i.outcome = 'done')`
  expect(wrong).toEqual([])
  const away = await sql<{ done: number; away: number }[]>`
    select count(*)::int as done, count(p.connection_id)::int as away
    from task_events e left join presence_records p on p.device_id = e.device_id and p.reason = 'disconnected'
      and p.offline_at between e.at - interval '5 minutes' and e.at
    where e.what = 'done'`
  expect(away[0]?.away).toBe(away[0]?.done)
  expect(away[0]?.done).toBeGreaterThan(2)
})

it('can retry: the packages are there, as the tasks name them', async () => {
  const packages = await sql<{ key: string; size: number; synced: boolean }[]>`
    select p.file_key as key, t.size_bytes::int as size, p.synced_at is not null as synced from tasks t join packages p on p.id = t.package_id
      and (p.sha256, p.md5, p.size_bytes) = (t.sha256, t.md5, t.size_bytes)`
  expect(packages).toHaveLength(2)
  for (const { key, size, synced } of packages)
    expect([await ctx.files.size(key), synced]).toEqual([size, true])
})

it('has a version report that follows the upgrades, and ends with what runs now', async () => {
  const days = await sql<{ day: string; firmware: string; devices: number }[]>`
    select day::text, firmware, devices from version_days
    where customer_id = ${demo.customerId} and group_id = 0 and model = 'R200' order by day, devices`
  const at = (day: string | undefined) =>
    Object.fromEntries(days.filter((row) => row.day === day).map((row) => [row.firmware, row.devices]))
  const everyDay = [...new Set(days.map(({ day }) => day))]
  expect(everyDay.length).toBeGreaterThanOrEqual(PAST_DAYS - 1)
  const [first, last] = [at(everyDay[0]), at(everyDay.at(-1))]
  expect(first['1.4.2']).toBeUndefined()
  expect(first['1.4.1']).toBeUndefined()
  const now = await sql<{ firmware: string; devices: number }[]>`
    select firmware, count(*)::int as devices from devices where customer_id = ${demo.customerId} and model = 'R200' group by 1`
  expect(last).toEqual(Object.fromEntries(now.map((row) => [row.firmware, row.devices])))
})

it('is the same for the same seed', () => {
  const [place] = planFleet(1, 1)
  const identity = identify(place?.sn ?? '', place?.model ?? '', 1)
  const to = Date.UTC(2026, 0, 1)
  expect(pastOf(identity, 1, to)).toEqual(pastOf(identity, 1, to))
})
