import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { rollUpFleetJob } from './roll-up-fleet.ts'
import { rollUpSignalJob } from './roll-up-signal.ts'

let bench: Bench
let devices: TestDevice[]
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Midnight UTC two days ago: its hours are over. */
const start = (Math.floor(Date.now() / DAY) - 2) * DAY
const at = (hours: number) => new Date(start + hours * HOUR)

beforeAll(async () => {
  bench = await openBench()
  devices = bench.tenants.a.devices
})
beforeEach(async () => {
  await bench.ctx
    .sql`truncate presence_records, status_samples, traffic_hours, traffic_days, device_hours, device_days,
    fleet_hours, fleet_days, version_days, rollup_cursors, stale_hours`
  await bench.ctx.sql`update devices set created_at = ${at(-1000)}, owned_since = null, deleted_at = null`
})
const run = () => rollUpFleetJob.run(bench.ctx, {})
const one = (i: number): TestDevice => devices[i] ?? ({} as TestDevice)

/** A connection of the device, in hours from the start; null: still open. */
const online = (device: TestDevice, from: number, to: number | null, reason: string | null = null) => bench
  .ctx.sql`
  insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason)
  values (${randomUUID()}, ${device.id}, 'b1', ${at(from)}, ${to === null ? null : at(to)}, ${reason})`
const sample = (device: TestDevice, hours: number, dbm: number | null, storedAgoS = 60) => bench.ctx.sql`
  insert into status_samples (device_id, at, stored_at, signal_dbm)
  values (${device.id}, ${at(hours)}, now() - make_interval(secs => ${storedAgoS}), ${dbm})`
/** [hours from the start, seconds known, seconds online] of the first hours. */
const hoursOf = async (device: TestDevice, count: number) =>
  (
    await bench.ctx.sql<{ hour: Date; known: number; online: number }[]>`
      select hour, known_s as known, online_s as online from device_hours where device_id = ${device.id} order by hour limit ${count}`
  ).map(({ hour, known, online: up }) => [(hour.getTime() - start) / HOUR, known, up])

it('a device counts from its first connection on, not from before it existed', async () => {
  await online(one(0), 1.5, 2.25, 'keepalive')
  await run()
  expect(await hoursOf(one(0), 3)).toEqual([
    [1, 1800, 1800],
    [2, 3600, 900],
    [3, 3600, 0],
  ])
  expect(await hoursOf(one(1), 1)).toEqual([])
})

it('connections that overlap briefly count once', async () => {
  await online(one(0), 0, 0.75, 'takenOver')
  await online(one(0), 0.5, 1)
  await bench.ctx.sql`update presence_records set offline_at = ${at(1)} where offline_at is null`
  await run()
  expect((await hoursOf(one(0), 2))[0]).toEqual([0, 3600, 3600])
})

it('while the platform was down no device is offline: the state is unknown', async () => {
  await online(one(0), 0, 1.5, 'brokerLost')
  await online(one(0), 2.5, 3)
  await online(one(1), 0, 1.5, 'brokerLost')
  await online(one(2), 0, 1, 'keepalive')
  await bench.ctx.sql`update presence_records set offline_at = ${at(3)} where offline_at is null`
  await run()
  // Back after an hour: unknown in between.
  expect(await hoursOf(one(0), 3)).toEqual([
    [0, 3600, 3600],
    [1, 1800, 1800],
    [2, 1800, 1800],
  ])
  // Never came back: offline from five minutes after the first device was back.
  expect(await hoursOf(one(1), 3)).toEqual([
    [0, 3600, 3600],
    [1, 1800, 1800],
    [2, 1500, 0],
  ])
  // It had disconnected before.
  expect((await hoursOf(one(2), 3))[2]).toEqual([2, 3600, 0])
})

it('deletion ends counting, and a change of owner starts it again', async () => {
  await online(one(0), 0, null)
  await online(one(3), 0, null)
  await bench.ctx.sql`update devices set deleted_at = ${at(1.5)} where id = ${one(0).id}`
  await bench.ctx.sql`update devices set owned_since = ${at(2.5)} where id = ${one(3).id}`
  await run()
  expect(await hoursOf(one(0), 9)).toEqual([
    [0, 3600, 3600],
    [1, 1800, 1800],
  ])
  expect(await hoursOf(one(3), 2)).toEqual([
    [2, 1800, 1800],
    [3, 3600, 3600],
  ])
})

it('signal is added exactly once, also late, and its hour is summed again', async () => {
  await online(one(0), 0, null)
  await sample(one(0), 0.1, -60, 90)
  await sample(one(0), 0.2, -80, 80)
  await sample(one(0), 0.3, null, 80)
  await Promise.all([rollUpSignalJob.run(bench.ctx, {}), rollUpSignalJob.run(bench.ctx, {})])
  await run()
  const fleet = () => bench.ctx.sql`
    select signal_sum::float8 as sum, signal_devices as devices, signal_min as low, signal_max as high, excellent, good, fair, poor
    from fleet_hours where hour = ${at(0)} and customer_id = ${bench.tenants.a.customerId} and group_id = 0 and model = '*'`
  expect(await fleet()).toEqual([
    { sum: -70, devices: 1, low: -80, high: -60, excellent: 0, good: 1, fair: 0, poor: 0 },
  ])
  await bench.ctx.sql`update rollup_cursors set at = at - interval '45 seconds' where name = 'signal'`
  await sample(one(0), 0.4, -100, 40)
  await rollUpSignalJob.run(bench.ctx, {})
  await run()
  expect(await fleet()).toEqual([
    { sum: -80, devices: 1, low: -100, high: -60, excellent: 0, good: 0, fair: 1, poor: 0 },
  ])
})

it('after the clock was set back signal continues immediately, and nothing is added twice when the old time comes again', async () => {
  const sums = () => bench.ctx.sql`
    select signal_count::float8 as count, signal_sum::float8 as sum from device_hours where device_id = ${one(0).id} and signal_count > 0`
  await sample(one(0), 0.1, -60, 90)
  await rollUpSignalJob.run(bench.ctx, {})
  // Two hours ahead: one sample read by then, one not yet.
  await sample(one(0), 0.2, -60, -7100)
  await bench.ctx.sql`update device_hours set signal_count = signal_count + 1, signal_sum = signal_sum - 60`
  await bench.ctx.sql`update rollup_cursors set at = now() + interval '7150 seconds' where name = 'signal'`
  await sample(one(0), 0.3, -60, -7190)
  await rollUpSignalJob.run(bench.ctx, {})
  expect(await sums()).toEqual([{ count: 3, sum: -180 }])
  const late = (s: number) => bench.ctx.sql`
    update status_samples set stored_at = stored_at - make_interval(secs => ${s})`
  await late(7200)
  await bench.ctx.sql`update rollup_cursors set at = at - interval '7200 seconds' where name = 'signal'`
  await sample(one(0), 0.4, -60, 40)
  await rollUpSignalJob.run(bench.ctx, {})
  expect(await sums()).toEqual([{ count: 4, sum: -240 }])
})

it('after the clock was set back the hours are still counted', async () => {
  await run()
  await bench.ctx
    .sql`update rollup_cursors set at = date_trunc('hour', now(), 'UTC') + interval '5 hours' where name = 'fleet'`
  await bench.ctx.sql`
    insert into presence_records (connection_id, device_id, broker_id, online_at)
    values (${randomUUID()}, ${one(0).id}, 'b1', now() - interval '10 seconds')`
  await run()
  const [row] = await bench.ctx.sql<{ online: number }[]>`
    select sum(online_s)::float8 as online from device_hours where device_id = ${one(0).id}`
  expect(row?.online).toBeGreaterThanOrEqual(9)
  expect(await bench.ctx.sql`select 1 from rollup_cursors where name = 'fleet' and at > now()`).toHaveLength(
    0,
  )
})

it('devices sum up to groups, models and customers, hours to days; running again changes nothing', async () => {
  await online(one(0), 0, 12, 'keepalive')
  await online(one(1), 0, null)
  await bench.ctx
    .sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values (${one(1).id}, ${at(3)}, 500, 20)`
  await bench.ctx
    .sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values (${one(1).id}, ${at(3).toISOString().slice(0, 10)}, 500, 20)`
  await run()
  const { customerId, groups } = bench.tenants.a
  const read = () => bench.ctx.sql`
    select group_id as "group", model, devices, known_s::float8 as known, online_s::float8 as online, rx_bytes::float8 as rx
    from fleet_days where day = ${at(0).toISOString().slice(0, 10)} and customer_id = ${customerId} order by 1, 2`
  const all = { devices: 2, known: 172_800, online: 129_600, rx: 500 }
  const root = { group: groups.root, devices: 1, known: 86_400, online: 43_200, rx: null }
  const branch = { group: groups.branch, devices: 1, known: 86_400, online: 86_400, rx: 500 }
  const expected = [{ group: 0, ...all }, root, branch].flatMap((row) => [
    { ...row, model: '*' },
    { ...row, model: 'R200' },
  ])
  expect(await read()).toEqual(expected)
  await Promise.all([run(), run()])
  expect(await read()).toEqual(expected)
  expect(
    await bench.ctx
      .sql`select devices, online_s::float8 as online from fleet_days where day = ${at(0).toISOString().slice(0, 10)} and customer_id = 0 and model = '*'`,
  ).toEqual([{ devices: 2, online: 129_600 }])
})

it('a device that calls its model *, the sign of all models, counts as one of unknown model', async () => {
  await online(one(0), 0, 12, 'keepalive')
  await bench.ctx.sql`update devices set model = '*' where id = ${one(0).id}`
  try {
    await run()
  } finally {
    await bench.ctx.sql`update devices set model = 'R200' where id = ${one(0).id}`
  }
  expect(
    await bench.ctx.sql`
      select model, devices from fleet_hours where hour = ${at(0)} and customer_id = 0 and group_id = 0 order by 1`,
  ).toEqual([
    { model: '', devices: 1 },
    { model: '*', devices: 1 },
  ])
})

it('totals of devices accumulate from day to day, and a late change to a day is added to the later ones', async () => {
  await online(one(0), 0, 6, 'keepalive')
  await online(one(0), 30, 36, 'keepalive')
  await run()
  const totals = async () =>
    (
      await bench.ctx.sql<{ known: number; online: number; count: number }[]>`
      select known_s::float8 as known, online_s::float8 as online, signal_count::float8 as count
      from device_days where device_id = ${one(0).id} order by day limit 2`
    ).map(({ known, online: up, count }) => [known, up, count])
  expect(await totals()).toEqual([
    [86_400, 21_600, 0],
    [172_800, 43_200, 0],
  ])
  await sample(one(0), 2, -70)
  await rollUpSignalJob.run(bench.ctx, {})
  await run()
  await run()
  expect(await totals()).toEqual([
    [86_400, 21_600, 1],
    [172_800, 43_200, 1],
  ])
})

it('totals of a device continue after days in the abnormal list', async () => {
  await online(one(0), 0, 12, 'keepalive')
  await online(one(1), 0, null)
  await bench.ctx.sql`update devices set deleted_at = ${at(6)} where id = ${one(0).id}`
  await run()
  const totals = async () =>
    (
      await bench.ctx.sql<{ known: number }[]>`
      select known_s::float8 as known from device_days where device_id = ${one(0).id} order by day`
    ).map(({ known }) => known)
  expect(await totals()).toEqual([21_600, 21_600, 21_600])
  await bench.ctx.sql`update devices set deleted_at = null where id = ${one(0).id}`
  await bench.ctx.sql`update rollup_cursors set at = ${at(48)} where name = 'fleet'`
  await run()
  const after = await totals()
  expect(after.slice(0, 2)).toEqual([21_600, 21_600])
  expect(after[2]).toBeGreaterThanOrEqual(21_600)
})

it('versions are counted as they are now, devices deleted left out', async () => {
  await bench.ctx.sql`update devices set firmware = '1.1.0' where id = ${one(1).id}`
  await bench.ctx.sql`update devices set deleted_at = now() where id = ${one(3).id}`
  await run()
  expect(
    await bench.ctx.sql`
      select firmware, devices from version_days where customer_id = ${bench.tenants.a.customerId} and group_id = 0 order by 1`,
  ).toEqual([
    { firmware: '1.0.0', devices: 2 },
    { firmware: '1.1.0', devices: 1 },
  ])
})

it.each([
  ['presence', () => run()],
  ['signal', () => rollUpSignalJob.run(bench.ctx, {})],
] as const)(
  '%s writes hours in the order of the devices, so that nobody waits in a circle',
  async (_what, roll) => {
    const { sql } = bench.ctx
    const backwards = devices.toSorted((a, b) => b.id - a.id)
    const first = backwards.at(-1)?.id ?? 0
    for (const device of backwards) {
      await online(device, 1, 1.5)
      await sample(device, 1.2, -70)
      await sql`insert into device_hours (device_id, hour, customer_id, group_id) values (${device.id}, ${at(1)}, ${device.customerId}, ${device.groupId})`
    }
    let rolling: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      await tx`select 1 from device_hours where device_id = ${first} for update`
      rolling = roll()
      const waiting = () =>
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      while ((await waiting()).length === 0) await new Promise((done) => setTimeout(done, 20))
      // A transaction that waits for the first row has not locked a later one yet.
      await tx`select 1 from device_hours where device_id <> ${first} for update nowait`
    })
    await rolling
  },
)
