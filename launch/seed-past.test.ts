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

const DEVICES = 10
const { ctx } = await openBench()
const { sql } = ctx
await seedRoles(sql)
await seedAdmin(sql, undefined)
const demo = await seedDemo(sql)
if (!demo) throw new Error('no demonstration')
await seedDemoAlarms(sql, demo.customerId)
const started = performance.now()
await seedPast(sql, demo, DEVICES, 1)
const tookMs = performance.now() - started

it('is written within seconds', () => {
  expect(tookMs).toBeLessThan(10_000)
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
    await sql`select ended_at, told, handled_at from alarms where customer_id = ${demo.customerId}`
  expect(alarms.length).toBeGreaterThan(5)
  expect(alarms.filter((row) => row['ended_at'] === null || row['told'] !== 'all')).toEqual([])
  expect(alarms.some((row) => row['handled_at'])).toBe(true)
  expect(alarms.some((row) => !row['handled_at'])).toBe(true)
})

it('is the same for the same seed', () => {
  const [place] = planFleet(1, 1)
  const identity = identify(place?.sn ?? '', place?.model ?? '', 1)
  const to = Date.UTC(2026, 0, 1)
  expect(pastOf(identity, 1, to)).toEqual(pastOf(identity, 1, to))
})
