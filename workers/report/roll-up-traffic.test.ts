import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { rollUpTrafficJob } from './roll-up-traffic.ts'

let bench: Bench
let device: TestDevice
const noon = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 12 * 3_600_000).getTime()
beforeAll(async () => {
  bench = await openBench()
  const found = bench.tenants.a.devices[0]
  if (!found) throw new Error('no device')
  device = found
})
beforeEach(async () => {
  await bench.ctx.sql`truncate status_samples, traffic_cursors, traffic_hours, traffic_days`
})
const rollUp = () => rollUpTrafficJob.run(bench.ctx, {})

/** Stored this many seconds ago by the database's clock. */
const sample = (minute: number, rx: number | null, tx: number | null, storedAgoS = 60) => bench.ctx.sql`
  insert into status_samples (device_id, at, stored_at, rx_bytes, tx_bytes)
  values (${device.id}, ${new Date(noon + minute * 60_000)}, now() - make_interval(secs => ${storedAgoS}), ${rx}, ${tx})`
/** As if the last roll-up had run 45 seconds ago. */
const later = () =>
  bench.ctx.sql`update traffic_cursors set at = at - interval '45 seconds' where device_id = 0`
const hours = async () =>
  (
    await bench.ctx.sql<{ hour: Date; rx: number; tx: number }[]>`
    select hour, rx_bytes as rx, tx_bytes as tx from traffic_hours order by hour`
  ).map(({ hour, rx, tx }) => [(hour.getTime() - noon) / 3_600_000, rx, tx])

it('differences of counters are added to the hour of the later sample, the first sample counts nothing', async () => {
  await sample(0, 1000, 100)
  await sample(30, 1500, 150)
  await sample(61, 2500, 175)
  await rollUp()
  expect(await hours()).toEqual([
    [0, 500, 50],
    [1, 1000, 25],
  ])
  expect(await bench.ctx.sql`select rx_bytes, tx_bytes from traffic_days`).toEqual([
    { rx_bytes: 1500, tx_bytes: 75 },
  ])
})

it('a restart from zero counts what came since, for both counters', async () => {
  await sample(0, 5000, 100)
  await sample(10, 300, 400)
  await rollUp()
  expect(await hours()).toEqual([[0, 300, 400]])
})

it('runs again, and at the same time, without counting twice; what settles later is added once', async () => {
  await sample(0, 1000, 0, 90)
  await sample(1, 1100, 0, 80)
  await Promise.all([rollUp(), rollUp(), rollUp()])
  await later()
  await sample(2, 1300, 0, 40)
  // Stored too recently: transactions of the same time may still be open.
  await sample(3, 9300, 0, 1)
  await rollUp()
  await rollUp()
  expect(await hours()).toEqual([[0, 300, 0]])
})

it('a sample that arrives late and out of order is skipped, its bytes are counted already', async () => {
  await sample(0, 1000, 0, 90)
  await sample(10, 2000, 0, 80)
  await rollUp()
  await later()
  await sample(5, 1400, 0, 40)
  await sample(20, 2500, 0, 40)
  await rollUp()
  expect(await hours()).toEqual([[0, 1500, 0]])
})

it('a counter that jumps more than any link can carry, or is missing, adds nothing and does no harm', async () => {
  await sample(0, 0, 0)
  await sample(1, 9_000_000_000_000_000, 10)
  await sample(2, 9_000_000_000_000_005, 20)
  await sample(3, null, null)
  await rollUp()
  expect(await hours()).toEqual([[0, 5, 20]])
})

it('after the clock was set back traffic continues immediately, and is counted once', async () => {
  await sample(0, 1000, 0, 90)
  await sample(1, 1100, 0, 80)
  await rollUp()
  await bench.ctx.sql`update traffic_cursors set at = now() + interval '2 hours' where device_id = 0`
  await sample(2, 1300, 0, 40)
  await rollUp()
  await rollUp()
  expect(await hours()).toEqual([[0, 300, 0]])
})

it('after the clock was set back a device whose samples were stamped by the former clock is counted on, each byte once', async () => {
  const { sql } = bench.ctx
  // By the former clock, which was two hours ahead.
  const ahead = (minutes: number, rx: number) => sql`
    insert into status_samples (device_id, at, stored_at, rx_bytes, tx_bytes)
    values (${device.id}, now() + make_interval(mins => 120 + ${minutes}), now() + make_interval(mins => 120 + ${minutes}), ${rx}, 0)`
  await ahead(-2, 1000)
  await ahead(-1, 1100)
  await sql`insert into traffic_cursors (device_id, at, rx_bytes, tx_bytes)
    values (0, now() + interval '119 minutes', null, null), (${device.id}, now() + interval '119 minutes', 1100, 0)`
  await rollUp()
  // The roll-up of signal stamps what the former clock has stored again.
  await sql`update status_samples set stored_at = now() - interval '40 seconds' where stored_at > now()`
  const counted = await sql<{ at: Date }[]>`select at from traffic_cursors where device_id = ${device.id}`
  expect(counted[0]?.at.getTime()).toBeLessThan(Date.now() + 60_000)
  // Some minutes later.
  await sql`update traffic_cursors set at = at - interval '5 minutes'`
  await sql`insert into status_samples (device_id, at, stored_at, rx_bytes, tx_bytes)
    values (${device.id}, now() - interval '30 seconds', now() - interval '30 seconds', 1400, 0)`
  await rollUp()
  await rollUp()
  expect(await sql`select sum(rx_bytes)::int as rx from traffic_hours`).toEqual([{ rx: 300 }])
  expect(await sql`select rx_bytes as rx from traffic_cursors where device_id = ${device.id}`).toEqual([
    { rx: 1400 },
  ])
})
