/** Rollouts on a simulated clock: waves, hours, offline devices that come days later, soak, automatic retries. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { RETURN_GRACE_MS } from '#schema/task/task'
import { addDevices, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
let bench: Bench
let fleet: TestDevice[]
beforeAll(async () => {
  bench = await openBench()
  const { a } = bench.tenants
  fleet = await addDevices(bench.ctx.sql, a.customerId, a.groups.branch, 'WAVE-', 20)
})
beforeEach(async () => {
  const { sql } = bench.ctx
  bench.line.said.length = 0
  await sql`delete from tasks`
  await sql`delete from alarms`
  await sql`update devices set time_zone = null`
  await sql`update device_states set last_logout_at = null, status_at = null, ip = null, interfaces = null`
  for (const device of fleet) await bench.greet(device)
})

const round = async (ms = 3000) => {
  bench.pass(ms)
  await drainInboxJob.run(bench.ctx, {})
  await sweepTasksJob.run(bench.ctx, {})
  await dispatchTasksJob.run(bench.ctx, {})
}
const offered = () => new Set(bench.heard('offer').map(({ sn }) => sn))
const offeredTo = (devices: readonly TestDevice[]) => devices.filter(({ sn }) => offered().has(sn))
/** Two waves: the first `first` devices, and the others. */
async function rollout(first: number, columns: Record<string, unknown> = {}, devices = fleet) {
  const { sql } = bench.ctx
  const made = await bench.task(devices)
  const later = devices.slice(first).map(({ id }) => id)
  await sql`
    update tasks set ${sql({ last_wave: later.length > 0 ? 1 : 0, max_in_flight: 500, max_failure_percent: 10, ...columns })}
    where id = ${made.taskId}`
  await sql`update task_items set wave = 1 where task_id = ${made.taskId} and device_id = any(${later})`
  await sql`insert into task_waves (task_id, nth, by) values (${made.taskId}, 0, 'count'), (${made.taskId}, 1, 'rest')`
  return made
}
type Made = Awaited<ReturnType<typeof rollout>>
const installs = async ({ itemOf }: Made, devices: readonly TestDevice[]) => {
  for (const device of devices) {
    await bench.progress(device, itemOf(device), 'upgrading')
    await bench.hello(device, 'boot-2', '2.0.0')
  }
}
const fails = async ({ itemOf }: Made, devices: readonly TestDevice[], failure = 'md5Failed') => {
  for (const device of devices) await bench.progress(device, itemOf(device), 'failed', { failure })
}
const decided = async (taskId: number) =>
  (
    await bench.ctx.sql<
      { what: string }[]
    >`select what from task_decisions where task_id = ${taskId} order by id`
  ).map(({ what }) => what)
const waveStates = async (taskId: number) =>
  (
    await bench.ctx.sql<
      { state: string }[]
    >`select state from task_waves where task_id = ${taskId} order by nth`
  ).map(({ state }) => state)
const pausedBy = async (taskId: number) =>
  (await bench.ctx.sql`select pause_reason as why from tasks where id = ${taskId}`)[0]?.['why']

it('happy waves: the second begins when the first has succeeded, and the task ends with it', async () => {
  const made = await rollout(4)
  await round()
  expect(offeredTo(fleet)).toEqual(fleet.slice(0, 4))
  await installs(made, fleet.slice(0, 3))
  await round()
  await round()
  expect(offered().size).toBe(4)
  await installs(made, fleet.slice(3, 4))
  await round()
  await round()
  expect(offered().size).toBe(20)
  await installs(made, fleet.slice(4))
  await round()
  expect(await bench.standing(made.taskId)).toEqual({ done: 20 })
  expect(await decided(made.taskId)).toEqual(['started', 'waveReached', 'waveStarted', 'completed'])
  expect(await waveStates(made.taskId)).toEqual(['reached', 'reached'])
})

it('the last wave ends with the task: as reached, or short if too many of it failed', async () => {
  const made = await rollout(4, { max_failure_percent: null })
  await round()
  await installs(made, fleet.slice(0, 4))
  await round()
  await round()
  await installs(made, fleet.slice(4, 18))
  await fails(made, fleet.slice(18))
  await round()
  expect(await bench.standing(made.taskId)).toEqual({ done: 18, failed: 2 })
  // 14 of 16 are less than 90 %.
  expect(await waveStates(made.taskId)).toEqual(['reached', 'short'])
})

it('10 % failures pause it before the second wave, whose devices are sent nothing', async () => {
  const made = await rollout(10)
  await round()
  await installs(made, fleet.slice(1, 10))
  await fails(made, fleet.slice(0, 1))
  await round()
  await round(HOUR)
  expect(await pausedBy(made.taskId)).toBe('failures')
  expect(offered().size).toBe(10)
  expect(await decided(made.taskId)).toEqual(['started', 'paused'])
})

it('less than 10 % failures do not: one of eleven', async () => {
  const made = await rollout(11)
  await round()
  await fails(made, fleet.slice(0, 1))
  await installs(made, fleet.slice(1, 11))
  await round()
  await round()
  expect(await pausedBy(made.taskId)).toBe(null)
  expect(offered().size).toBe(20)
})

it('10 % of the devices that a wave reached pause it, too: the others are offline and say nothing', async () => {
  for (const device of fleet.slice(10, 15)) await bench.leave(device)
  const made = await rollout(15)
  await bench.ctx.sql`
    update task_items set deadline_at = ${new Date(bench.ctx.now().getTime() + 72 * HOUR)} where task_id = ${made.taskId}`
  await round()
  // One of fifteen is less than 10 %, one of the ten that could be reached is not.
  await fails(made, fleet.slice(0, 1))
  await installs(made, fleet.slice(1, 9))
  await round()
  expect(await pausedBy(made.taskId)).toBe(null)
  await installs(made, fleet.slice(9, 10))
  await round()
  await round()
  expect(await pausedBy(made.taskId)).toBe('failures')
  expect(offered().size).toBe(10)
  const [task] = await bench.ctx
    .sql`select paused_failed as failed, paused_tried as tried from tasks where id = ${made.taskId}`
  expect(task).toEqual({ failed: 1, tried: 10 })
})

it('a wave that is passed because a user resumes the task fell short all the same, and its failures are told', async () => {
  const made = await rollout(2, { max_failures: 2, max_failure_percent: null })
  await round()
  await fails(made, fleet.slice(0, 2))
  await round()
  expect(await pausedBy(made.taskId)).toBe('failures')
  await bench.ctx
    .sql`update task_items set before_resume = true where task_id = ${made.taskId} and outcome is not null`
  await bench.ctx.sql`update tasks set paused_at = null, pause_reason = null where id = ${made.taskId}`
  await round()
  expect(await waveStates(made.taskId)).toEqual(['short', 'running'])
  const [told] = await bench.ctx.sql<{ facts: object }[]>`
    select facts from task_decisions where task_id = ${made.taskId} and what = 'waveShort'`
  expect(told?.facts).toMatchObject({ wave: 1, done: 0, failed: 2 })
  expect(await decided(made.taskId)).toEqual(['started', 'paused', 'waveShort', 'waveStarted'])
})

it('a wave below its success threshold pauses it, and its next wave is sent nothing', async () => {
  const made = await rollout(10, { wave_success_percent: 95, max_failure_percent: null })
  await round()
  await fails(made, fleet.slice(0, 1))
  await installs(made, fleet.slice(1, 10))
  await round()
  await round(HOUR)
  expect(await pausedBy(made.taskId)).toBe('wave')
  expect(offered().size).toBe(10)
  expect(await decided(made.taskId)).toEqual(['started', 'paused', 'waveShort'])
  const mails = await bench.ctx.sql`select subject from mails order by id desc limit 1`
  expect(mails[0]?.['subject']).toContain('第 1 批未达标')
  // Resumed, what a user has seen counts no longer.
  await bench.ctx
    .sql`update task_items set before_resume = true where task_id = ${made.taskId} and outcome is not null`
  await bench.ctx.sql`update tasks set paused_at = null, pause_reason = null where id = ${made.taskId}`
  await round()
  await round()
  expect(offered().size).toBe(20)
})

it('devices that are offline for two days join; their wave does not wait for them', async () => {
  const away = fleet.slice(2, 4)
  for (const device of away) await bench.leave(device)
  const made = await rollout(4, { wait_offline_minutes: 3 * 24 * 60 })
  await bench.ctx.sql`
    update task_items set deadline_at = ${new Date(bench.ctx.now().getTime() + 72 * HOUR)} where task_id = ${made.taskId}`
  await round()
  await installs(made, fleet.slice(0, 2))
  await round()
  await round()
  expect(offered().size).toBe(18)
  await installs(made, fleet.slice(4))
  await round()
  await round(48 * HOUR)
  expect(await bench.standing(made.taskId)).toEqual({ done: 18, waiting: 2 })
  for (const device of away) await bench.greet(device)
  await round()
  await installs(made, away)
  await round()
  expect(await bench.standing(made.taskId)).toEqual({ done: 20 })
})

it('a window is that of the device: each zone has its own night', async () => {
  const { sql } = bench.ctx
  const [shanghai, london, unknown] = fleet
  if (!shanghai || !london || !unknown) throw new Error('three devices')
  const three = [shanghai, london, unknown]
  await sql`update devices set time_zone = 'Asia/Shanghai' where id = ${shanghai.id}`
  await sql`update devices set time_zone = 'Europe/London' where id = ${london.id}`
  const made = await rollout(
    3,
    { window: sql.json({ from: '01:00', to: '04:00', zone: 'America/New_York' }) },
    three,
  )
  const utc = (hour: number) => {
    const now = bench.ctx.now()
    const next = new Date(now)
    next.setUTCHours(hour, 30, 0, 0)
    const ms = next.getTime() - now.getTime()
    return ms > 0 ? ms : ms + 24 * HOUR
  }
  const greetAll = async () => {
    for (const device of three) await bench.greet(device)
  }
  // 13:30 UTC: afternoon or evening everywhere.
  await round(utc(13))
  expect(offeredTo(three)).toEqual([])
  await greetAll()
  await round(utc(18))
  expect(offeredTo(three)).toEqual([shanghai])
  await installs(made, [shanghai])
  await greetAll()
  await round(utc(2))
  expect(offeredTo(three)).toEqual([shanghai, london])
  await installs(made, [london])
  await round()
  await greetAll()
  await round(utc(6))
  expect(offeredTo(three)).toEqual(three)
})

it('hours shorter than the download: it is called back when they end, and offered the same file in the next', async () => {
  const { sql } = bench.ctx
  const [device] = fleet
  if (!device) throw new Error('a device')
  await sql`update devices set time_zone = 'UTC' where id = ${device.id}`
  const made = await rollout(
    1,
    { window: sql.json({ from: '01:00', to: '02:00' }), wait_offline_minutes: 7 * 24 * 60 },
    [device],
  )
  const to = (hour: number, minute: number) => {
    const now = bench.ctx.now().getTime()
    const next = new Date(now)
    next.setUTCHours(hour, minute, 0, 0)
    return next.getTime() > now ? next.getTime() - now : next.getTime() - now + 24 * HOUR
  }
  const living = async () =>
    (
      await sql<{ id: string; sending: string; step: string }[]>`
        select id, sending, step from task_items where task_id = ${made.taskId} and outcome is null`
    )[0]
  await round(to(0, 59))
  await bench.greet(device)
  await round(to(1, 1))
  const [first] = bench.heard('offer')
  await bench.progress(device, made.itemOf(device), 'downloading', { percent: 60 })
  await round(to(1, 59))
  expect(bench.heard('cancel')).toEqual([])
  await bench.progress(device, made.itemOf(device), 'downloading', { percent: 61 })
  await round(to(2, 0))
  expect(bench.heard('cancel').map(({ payload }) => payload['item'])).toEqual([made.itemOf(device)])
  await bench.progress(device, made.itemOf(device), 'failed', { failure: 'unknownError' })
  await round()
  expect(await living()).toMatchObject({ sending: 'none', step: 'created' })
  await bench.greet(device)
  await round(to(1, 1))
  const again = bench.heard('offer')[1]
  expect(again?.payload['item']).not.toBe(first?.payload['item'])
  // By this the device knows that it has the beginning already [docs/protocol.md: Downloading].
  expect(again?.payload['sha256']).toBe(first?.payload['sha256'])
  const item = String(again?.payload['item'])
  await bench.progress(device, item, 'downloading', { percent: 65 })
  await bench.progress(device, item, 'upgrading')
  // What installs is not called back, even if the hours end meanwhile.
  await round(to(2, 0))
  expect(bench.heard('cancel')).toHaveLength(1)
  await bench.hello(device, 'boot-2', '2.0.0')
  await round()
  expect(await bench.standing(made.taskId)).toMatchObject({ done: 1 })
})

it('by wire or Wi-Fi only: a device that falls to mobile data before it has downloaded is called back, and comes again', async () => {
  const { sql } = bench.ctx
  const four = fleet.slice(0, 4)
  const [told, loading, loaded, silent] = four
  if (!told || !loading || !loaded || !silent) throw new Error('four devices')
  const uplink = (mode: string | null, devices: readonly TestDevice[]) => sql`
    update device_states set network_mode = ${mode}, status_at = ${bench.ctx.now()}
    where device_id = any(${devices.map(({ id }) => id)})`
  await uplink('Wired', four)
  const made = await rollout(4, { unmetered: true }, four)
  await round()
  expect(offered().size).toBe(4)
  await bench.progress(loading, made.itemOf(loading), 'downloading', { percent: 30 })
  await bench.progress(loaded, made.itemOf(loaded), 'downloaded')
  await round()
  // A status that names no network says nothing about it.
  await uplink(null, [silent])
  await uplink('LTE', [told, loading, loaded])
  await round()
  expect(new Set(bench.heard('cancel').map(({ sn }) => sn))).toEqual(new Set([told.sn, loading.sn]))
  for (const device of [told, loading])
    await bench.progress(device, made.itemOf(device), 'failed', { failure: 'unknownError' })
  await round()
  expect(
    await sql`select distinct failure_detail as why from task_items where task_id = ${made.taskId} and superseded`,
  ).toEqual([{ why: 'mobileData' }])
  await round()
  expect(bench.heard('offer')).toHaveLength(4)
  await uplink('WiFi', [told, loading])
  await round()
  expect(
    bench
      .heard('offer')
      .slice(4)
      .map(({ sn }) => sn)
      .sort(),
  ).toEqual([told.sn, loading.sn].sort())
  await uplink('Wired', four)
})

it('a device is done only after its soak; one that leaves, restarts, loses its uplink or raises an alarm has failed', async () => {
  const { sql } = bench.ctx
  const five = fleet.slice(0, 5)
  const [well, gone, restarted, cut, alarmed] = five
  if (!well || !gone || !restarted || !cut || !alarmed) throw new Error('five devices')
  const made = await rollout(5, { soak_minutes: 10, max_failure_percent: null }, five)
  await round()
  await installs(made, five)
  await round()
  expect((await bench.item(made.itemOf(well))).sending).toBe('soaking')
  expect(await bench.standing(made.taskId)).toEqual({ away: 5 })
  // An old report changes nothing.
  await bench.progress(well, made.itemOf(well), 'upgrading')
  bench.pass(MINUTE)
  const now = bench.ctx.now()
  await sql`update device_states set online = false, last_logout_at = ${now} where device_id = ${gone.id}`
  await bench.hello(restarted, 'boot-3', '2.0.0')
  await sql`
    update device_states set status_at = ${now}, ip = '10.0.0.2', interfaces = '[{"name":"wan","up":false,"ip":"10.0.0.2"}]'
    where device_id = ${cut.id}`
  await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, started_at, last_at)
    values (${alarmed.customerId}, 'r', 'reboots', 'minor', ${alarmed.id}, ${alarmed.sn}, 'x', 'g', ${now}, ${now})`
  await round(2 * MINUTE)
  const why = async () =>
    Object.fromEntries(
      (
        await sql<{ sn: string; why: string | null }[]>`
          select d.sn, i.failure_detail as why from task_items i join devices d on d.id = i.device_id
          where task_id = ${made.taskId} and outcome = 'failed'`
      ).map((row) => [row.sn, row.why]),
    )
  expect(await why()).toEqual({
    [gone.sn]: 'soakOffline',
    [restarted.sn]: 'soakReboot',
    [cut.sn]: 'soakWan',
    [alarmed.sn]: 'soakAlarm',
  })
  expect((await bench.item(made.itemOf(well))).outcome).toBe(null)
  await round(8 * MINUTE)
  expect(await bench.item(made.itemOf(well))).toMatchObject({
    outcome: 'done',
    step: 'done',
    status: 'completed',
  })
})

it('a soak judges the uplink by what the device reports: without an address, by its interfaces, and without these not at all', async () => {
  const { sql } = bench.ctx
  const four = fleet.slice(5, 9)
  const [silent, up, down, moved] = four
  if (!silent || !up || !down || !moved) throw new Error('four devices')
  const made = await rollout(4, { soak_minutes: 10, max_failure_percent: null }, four)
  await round()
  await installs(made, four)
  await round()
  bench.pass(MINUTE)
  const reports = (device: (typeof fleet)[number], ip: string | null, interfaces: object[] | null) => sql`
    update device_states set status_at = ${bench.ctx.now()}, ip = ${ip}, interfaces = ${interfaces && sql.json(interfaces as never)}
    where device_id = ${device.id}`
  await reports(silent, null, null)
  await reports(up, null, [
    { name: 'wan', up: false },
    { name: 'wwan0', up: true },
  ])
  await reports(down, null, [{ name: 'wan', up: false }])
  await reports(moved, '10.0.0.3', [
    { name: 'wan', up: false, ip: '10.0.0.2' },
    { name: 'wwan0', up: true, ip: '10.0.0.3' },
  ])
  await round(MINUTE)
  const failed = await sql<{ sn: string; why: string }[]>`
    select d.sn, i.failure_detail as why from task_items i join devices d on d.id = i.device_id
    where task_id = ${made.taskId} and outcome is not null`
  expect([...failed]).toEqual([{ sn: down.sn, why: 'soakWan' }])
})

it('a device that goes on soaking is not locked at each look', async () => {
  const { sql } = bench.ctx
  const [device] = fleet
  if (!device) throw new Error('a device')
  const made = await rollout(1, { soak_minutes: 60, max_failure_percent: null }, [device])
  await round()
  await installs(made, [device])
  await round()
  const id = made.itemOf(device)
  /** Of the last transaction that has locked it. */
  const lock = async () =>
    (await sql`select xmax from task_items where id = ${id} and sending = 'soaking'`)[0]
  const before = await lock()
  expect(before).toBeDefined()
  await round()
  expect(await lock()).toEqual(before)
})

it('a device that was disconnected by a broker’s end fails its soak only after a minute to return', async () => {
  const { sql } = bench.ctx
  const [device] = fleet
  if (!device) throw new Error('a device')
  const made = await rollout(1, { soak_minutes: 60, max_failure_percent: null }, [device])
  await round()
  await installs(made, [device])
  await round()
  await sql`delete from brokers where id = 'bench'`
  await sql`update device_states set online = false, last_logout_at = ${bench.ctx.now()} where device_id = ${device.id}`
  await round(20 * MINUTE)
  expect(await bench.item(made.itemOf(device))).toMatchObject({ sending: 'soaking', outcome: null })
  await sql`insert into brokers (id, started_at, beat_at) values ('bench', ${bench.ctx.now()}, 'infinity')`
  await round(RETURN_GRACE_MS - 1000)
  expect(await bench.item(made.itemOf(device))).toMatchObject({ sending: 'soaking', outcome: null })
  await round(2000)
  expect((await bench.item(made.itemOf(device))).outcome).toBe('failed')
})

it('retries the failures that it names after growing pauses, never a device past recall, and ends afterwards', async () => {
  const { sql } = bench.ctx
  const [lazy, other, locked] = fleet
  if (!lazy || !other || !locked) throw new Error('three devices')
  const retries = [
    { failure: 'downloadTimeout', times: 2, afterMinutes: 10 },
    { failure: 'upgradeFailed', times: 2, afterMinutes: 10 },
  ]
  const made = await rollout(3, { retries: sql.json(retries), max_failure_percent: null }, [
    lazy,
    other,
    locked,
  ])
  await round()
  await fails(made, [lazy], 'downloadTimeout')
  await fails(made, [other], 'md5Failed')
  await bench.progress(locked, made.itemOf(locked), 'upgrading')
  await fails(made, [locked], 'upgradeFailed')
  await round()
  const tries = async () =>
    (
      await sql<{ n: number }[]>`
        select count(*)::int as n from task_items where device_id = ${lazy.id} and task_id = ${made.taskId} and offers > 0`
    )[0]?.n
  const failAgain = async () => {
    const [row] = await sql<{ id: string }[]>`
      select id from task_items where device_id = ${lazy.id} and task_id = ${made.taskId} and not superseded`
    await bench.progress(lazy, row?.id ?? '', 'failed', { failure: 'downloadTimeout' })
    await round()
  }
  await round(8 * MINUTE)
  expect(await tries()).toBe(1)
  await round(3 * MINUTE)
  expect(await tries()).toBe(2)
  await failAgain()
  await round(12 * MINUTE)
  expect(await tries()).toBe(2)
  await round(9 * MINUTE)
  expect(await tries()).toBe(3)
  expect(await sql`select status from tasks where id = ${made.taskId}`).toEqual([{ status: 'ongoing' }])
  await failAgain()
  await round(24 * HOUR)
  expect(await tries()).toBe(3)
  expect(await sql`select status from tasks where id = ${made.taskId}`).toEqual([{ status: 'completed' }])
  expect(await sql`select count(*)::int as n from task_items where task_id = ${made.taskId}`).toEqual([
    { n: 5 },
  ])
})
