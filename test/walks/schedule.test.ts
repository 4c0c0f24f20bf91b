/** A scheduled reboot happens once: by the platform's command, or by the device itself; a missed one is reported. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SimDevice } from '#device-sim/start'
import { runSchedules } from '#schema/device/schedule'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { seedTenants, TEST_PASSWORD, type TestDevice } from '../tenants.ts'
import { until } from './until.ts'

type Row = Record<string, unknown>
let system: Booted
let token: string
let device: TestDevice
let sim: SimDevice
let boots = 0

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.01' })
  const tenants = await seedTenants(context)
  device = tenants.a.devices[0] as TestDevice
  system = await bootAll({
    context,
    sim: { fleet: [{ sn: device.sn, model: 'R200' }], secrets: { [device.sn]: device.secret }, speed: 50 },
  })
  token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  sim = system.sim?.device(device.sn) as SimDevice
  sim.events.on('boot', () => boots++)
  await system.sim?.whenOnline(60_000)
})
afterAll(() => system.close())

const call = (name: string, body: Row = {}) =>
  system.call(`schedule/${name}`, { deviceId: device.id, ...body }, token)
const daily = { kind: 'daily', time: '03:00', timeZone: 'UTC' }
const schedule = async () => ((await call('getSchedule')).data as { schedule: Row | null }).schedule
const runs = async () => ((await call('getScheduleRuns')).data as { list: Row[] }).list

/** The next scheduled time is now, for both sides, as if the clock had advanced. */
async function due(): Promise<number> {
  const at = Date.now() + 1000
  const kept = sim.settings.get('schedule')
  await sim.planned.set({ revision: kept.revision, dueAts: [at], waitS: kept.waitS })
  await system.context.sql`update schedules set next_run_at = ${new Date(at)} where device_id = ${device.id}`
  return at
}
async function endOf(at: number): Promise<Row | null> {
  const run = (await runs()).find((row) => Date.parse(String(row['dueAt'])) === at)
  return run && ['done', 'missed', 'failed'].includes(String(run['state'])) ? run : null
}
const ended = (at: number) => until('the end of the run', () => endOf(at))
/** Runs the jobs instead of waiting for their schedules of five seconds. */
const soon = <T>(what: string, ask: () => Promise<T> | T | false) =>
  until(
    what,
    async () => {
      await system.context.queue.add(runSchedules, {})
      return ask()
    },
    30_000,
    500,
  )
const online = () =>
  until('online again', async () => {
    const { data } = await system.call('device/getDeviceDetail', { deviceId: device.id }, token)
    const { online, helloAt, lastLoginAt } = data as Row
    return sim.online && online === true && String(helloAt) >= String(lastLoginAt)
  })

it('refuses a past time, a week without days, and an invalid zone', async () => {
  const codes = []
  for (const body of [
    { ...daily, kind: 'once', date: '2020-01-01' },
    { ...daily, kind: 'once' },
    { ...daily, kind: 'weekly' },
    { ...daily, timeZone: 'Mars/Olympus' },
  ])
    codes.push((await call('saveSchedule', body)).code)
  expect(codes).toEqual([235, 233, 234, 232])
  expect((await call('saveSchedule', { ...daily, time: '25:00' })).code).not.toBe(0)
})

it('is sent to the device, with a month of times', async () => {
  expect((await call('saveSchedule', daily)).code).toBe(0)
  await until('the device knows', async () => (await schedule())?.['known'])
  expect(sim.settings.get('schedule').dueAts).toHaveLength(32)
  expect(sim.settings.get('schedule').dueAts[0]).toBe(Date.parse(String((await schedule())?.['nextRunAt'])))
})

it('is run by the platform when the device is connected, once', async () => {
  await online()
  const before = boots
  const at = await due()
  // Called directly, so that a busy machine does not exceed the device's waiting time.
  await until('the moment', () => Date.now() >= at)
  await system.context.queue.add(runSchedules, {})
  expect(await ended(at)).toMatchObject({ state: 'done', by: 'platform' })
  await online()
  expect(boots - before).toBe(1)
})

it('is run by the device itself when the platform cannot be reached, once, and reported afterwards', async () => {
  await online()
  const before = boots
  const at = await due()
  sim.goOffline(3_000)
  expect(await ended(at)).toMatchObject({ state: 'done', by: 'device' })
  await online()
  expect(boots - before).toBe(1)
  // The same time again.
  expect(await sim.planned.claim(at)).toBe(false)
})

it('is sent again after a factory reset', async () => {
  await online()
  // Commands have a hundredth of their time here, which a slow machine exceeds now and then.
  const areLost = async () => {
    if (sim.settings.get('schedule').revision === 0) return true
    await system.call('command/sendCommand', { deviceId: device.id, name: 'factoryReset', args: {} }, token)
    return false
  }
  await until('the settings are lost', areLost, 60_000, 2_000)
  await until('it was told again', () => sim.settings.get('schedule').revision > 0, 40_000)
})

it('ends when it is switched off', async () => {
  await online()
  expect((await call('saveSchedule', { ...daily, enabled: false })).data).toEqual({ nextRunAt: null })
  await soon('the device forgot it', () => sim.settings.get('schedule').dueAts.length === 0)
})

it('reports a run that did not happen as missed, with the reason', async () => {
  expect((await call('saveSchedule', daily)).code).toBe(0)
  sim.down()
  await until('it is offline', async () => {
    const { data } = await system.call('device/getDeviceDetail', { deviceId: device.id }, token)
    return (data as Row)['online'] === false
  })
  const at = Date.now()
  await system.context.sql`update schedules set next_run_at = ${new Date(at)} where device_id = ${device.id}`
  // Long after the grace period, with a platform that was running all the time.
  await system.context.sql`update brokers set started_at = now() - interval '1 hour'`
  expect(await soon('the end of the run', () => endOf(at))).toMatchObject({
    state: 'missed',
    reason: 'offline',
    by: null,
  })
  const { data } = await system.call(
    'device/getDeviceTimeline',
    { deviceId: device.id, kinds: ['schedule'] },
    token,
  )
  expect((data as { list: Row[] }).list[0]).toMatchObject({ what: 'missed', detail: 'offline' })
})
