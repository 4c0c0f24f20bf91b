/** What a rollout must not do, on a simulated clock: continue after it was stopped, or wait forever without a notice. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
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
  fleet = await addDevices(bench.ctx.sql, a.customerId, a.groups.branch, 'TRAP-', 6)
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from tasks`
  for (const device of fleet) await bench.greet(device)
})

const round = async (ms = 3000) => {
  bench.pass(ms)
  await drainInboxJob.run(bench.ctx, {})
  await sweepTasksJob.run(bench.ctx, {})
  await dispatchTasksJob.run(bench.ctx, {})
}
const offers = () => bench.heard('offer').length

async function waves(first: number) {
  const made = await bench.task(fleet)
  const { sql } = bench.ctx
  const later = fleet.slice(first).map(({ id }) => id)
  await sql`update tasks set last_wave = 1 where id = ${made.taskId}`
  await sql`update task_items set wave = 1 where task_id = ${made.taskId} and device_id = any(${later})`
  await sql`insert into task_waves (task_id, nth, by) values (${made.taskId}, 0, 'count'), (${made.taskId}, 1, 'rest')`
  return made
}
const pausedBy = async (taskId: number) =>
  (await bench.ctx.sql`select pause_reason as why from tasks where id = ${taskId}`)[0]?.['why']

it('a wave all of whose devices were cancelled pauses its task', async () => {
  const made = await waves(2)
  await bench.force({ outcome: 'cancelled' }, fleet.slice(0, 2).map(made.itemOf))
  await round()
  await round(HOUR)
  expect(await pausedBy(made.taskId)).toBe('wave')
})

it('a wave none of whose devices connected in time pauses its task', async () => {
  const made = await waves(2)
  for (const device of fleet.slice(0, 2)) await bench.leave(device)
  await round()
  await round(2 * HOUR)
  await round()
  expect(await pausedBy(made.taskId)).toBe('wave')
})

it('resumed after all of its wave had failed, the next wave begins', async () => {
  const made = await waves(2)
  await round()
  for (const device of fleet.slice(0, 2))
    await bench.progress(device, made.itemOf(device), 'failed', { failure: 'md5Failed' })
  await round()
  await round()
  expect(await pausedBy(made.taskId)).toBe('wave')
  await bench.ctx
    .sql`update task_items set before_resume = true where task_id = ${made.taskId} and outcome is not null`
  await bench.ctx.sql`update tasks set paused_at = null, pause_reason = null where id = ${made.taskId}`
  await round()
  await round()
  expect(offers()).toBe(6)
})

it('a cancelled task retries nothing, although a device past recall fails later', async () => {
  const [failed, locked] = fleet
  if (!failed || !locked) throw new Error('two devices')
  const made = await bench.task([failed, locked])
  const { sql } = bench.ctx
  await sql`update tasks set retries = ${sql.json([{ failure: 'md5Failed', times: 3, afterMinutes: 1 }])} where id = ${made.taskId}`
  await round()
  await bench.progress(failed, made.itemOf(failed), 'failed', { failure: 'md5Failed' })
  await bench.progress(locked, made.itemOf(locked), 'upgrading')
  await round()
  // As cancelTask does (api/task/upgrade.test.ts).
  await sql`update task_items set retry_at = null, retry_off = true where task_id = ${made.taskId}`
  await bench.progress(locked, made.itemOf(locked), 'failed', { failure: 'upgradeFailed' })
  await round()
  await round(HOUR)
  expect(offers()).toBe(2)
  expect(await sql`select status from tasks where id = ${made.taskId}`).toEqual([{ status: 'completed' }])
})

it('what waits for its approval does not expire', async () => {
  const taskId = await bench.reboot(fleet, { waitMs: 10 * MINUTE })
  await bench.ctx
    .sql`update tasks set approval = 'waiting', approval_until = ${new Date(bench.ctx.now().getTime() + 24 * HOUR)}, paused_at = ${bench.ctx.now()}, pause_reason = 'approval' where id = ${taskId}`
  await round()
  await round(2 * HOUR)
  expect(await bench.standing(taskId)).toEqual({ waiting: 6 })
})

it('a download that lasts longer than the hours is called back, and begins anew in the next', async () => {
  const [slow, flashing] = fleet
  if (!slow || !flashing) throw new Error('two devices')
  const { sql } = bench.ctx
  await sql`update devices set time_zone = 'Asia/Tokyo'`
  const made = await bench.task([slow, flashing])
  // Now, and for an hour.
  const clock = (ms: number) =>
    new Date(bench.ctx.now().getTime() + 9 * HOUR + ms).toISOString().slice(11, 16)
  const window = { from: clock(-MINUTE), to: clock(HOUR) }
  await sql`update tasks set "window" = ${sql.json(window)} where id = ${made.taskId}`
  await round()
  expect(offers()).toBe(2)
  await bench.progress(slow, made.itemOf(slow), 'downloading', { percent: 5 })
  await bench.progress(flashing, made.itemOf(flashing), 'upgrading')
  await round()
  expect(bench.heard('cancel')).toEqual([])
  await sql`update task_items set deadline_at = ${new Date(bench.ctx.now().getTime() + 9 * HOUR)} where task_id = ${made.taskId}`
  await round(HOUR)
  expect(bench.heard('cancel').map(({ sn }) => sn)).toEqual([slow.sn])
  await bench.progress(slow, made.itemOf(slow), 'failed', { failure: 'unknownError', detail: 'cancelled' })
  await round()
  await round(HOUR)
  expect(offers()).toBe(2)
  expect(await bench.item(made.itemOf(slow))).toMatchObject({ outcome: 'cancelled' })
  expect((await bench.item(made.itemOf(flashing))).outcome).toBe(null)
  await round(22 * HOUR + 10 * MINUTE)
  expect(offers()).toBe(3)
  await sql`update devices set time_zone = null`
})

it('of what was taken to be sent, only the part that is on its way leaves after a pause', async () => {
  const { sql } = bench.ctx
  const { a } = bench.tenants
  const many = await addDevices(sql, a.customerId, a.groups.branch, 'MANY-', 150)
  for (const device of many) await bench.greet(device)
  const made = await bench.task(many)
  const publish = bench.line.publish
  bench.line.publish = async (...message) => {
    await sql`update tasks set paused_at = ${bench.ctx.now()}, pause_reason = 'person' where id = ${made.taskId} and paused_at is null`
    return publish(...message)
  }
  try {
    await round()
  } finally {
    bench.line.publish = publish
  }
  expect(offers()).toBe(100)
  // The others are known to have been sent nothing: resumed, they get it.
  bench.line.said.length = 0
  await round(20_000)
  await sql`delete from tasks`
})

it('a paused task that is resumed sets no device back that a later task has brought further', async () => {
  const [first, second, third] = fleet
  if (!first || !second || !third) throw new Error('three devices')
  const { sql } = bench.ctx
  const old = await bench.task([first, second, third], { version: '1.6' })
  await sql`update tasks set paused_at = ${bench.ctx.now()}, pause_reason = 'person' where id = ${old.taskId}`
  const later = await bench.task([first], { version: '1.7' })
  await round()
  await bench.progress(first, later.itemOf(first), 'upgrading')
  await bench.hello(first, 'booted-1', '1.7')
  await round()
  expect(await bench.item(later.itemOf(first))).toMatchObject({ outcome: 'done' })
  await sql`update tasks set paused_at = null, pause_reason = null where id = ${old.taskId}`
  await round()
  await round()
  expect(await bench.item(old.itemOf(first))).toMatchObject({ outcome: 'cancelled', offers: 0 })
  expect((await bench.item(old.itemOf(second))).offers).toBe(1)
  expect(bench.heard('offer').filter(({ sn }) => sn === first.sn)).toHaveLength(1)
})

it('a failed device is not retried by an earlier task after a later one has brought it further', async () => {
  const [device] = fleet
  if (!device) throw new Error('a device')
  const { sql } = bench.ctx
  const old = await bench.task([device], { version: '1.6' })
  await sql`update tasks set retries = ${sql.json([{ failure: 'md5Failed', times: 3, afterMinutes: 60 }])}, join_until = ${new Date(bench.ctx.now().getTime() + 24 * HOUR)}, joins = '{"model":"none"}' where id = ${old.taskId}`
  await round()
  await bench.progress(device, old.itemOf(device), 'failed', { failure: 'md5Failed' })
  await round()
  const later = await bench.task([device], { version: '1.7' })
  await round()
  await bench.progress(device, later.itemOf(device), 'upgrading')
  await bench.hello(device, 'booted-2', '1.7')
  await round()
  expect(await bench.item(later.itemOf(device))).toMatchObject({ outcome: 'done' })
  await round(2 * HOUR)
  await round()
  expect(offers()).toBe(2)
})

it('a patch is done although its device says hello before it reports that it installs', async () => {
  const [device] = fleet
  if (!device) throw new Error('a device')
  const made = await bench.task([device])
  await bench.ctx.sql`
    update tasks set kind = 'patch', type = 'patch', package_name = 'fix' where id = ${made.taskId}`
  await round()
  await bench.progress(device, made.itemOf(device), 'downloaded')
  await round()
  // A report of done alone proves nothing.
  await bench.progress(device, made.itemOf(device), 'done')
  await round()
  expect(await bench.item(made.itemOf(device))).toMatchObject({ outcome: null, step: 'upgrading' })
  await bench.force({ step: 'downloaded' }, [made.itemOf(device)])
  await bench.hello(device, 'boot-1', '1.0.0', { packages: { fix: '2.0.0' } })
  await round()
  expect(await bench.item(made.itemOf(device))).toMatchObject({ outcome: null, step: 'downloaded' })
  await bench.progress(device, made.itemOf(device), 'done')
  await round()
  expect(await bench.item(made.itemOf(device))).toMatchObject({ outcome: 'done', status: 'completed' })
})

it('what is asked, or told that it is over, is not waited for while the reports of its device are being stored', async () => {
  const { sql } = bench.ctx
  const [held, other, gone, over] = fleet
  if (!held || !other || !gone || !over) throw new Error('four devices')
  const made = await bench.task([held, other, gone, over])
  await round()
  await bench.force({ sending: 'intent', step: 'created' }, [held, other].map(made.itemOf))
  await bench.force({ outcome: 'cancelled' }, [gone, over].map(made.itemOf))
  bench.line.said.length = 0
  bench.pass(15_000)
  const sweep = () => sweepTasksJob.run(bench.ctx, {})
  await sql.begin(async (tx) => {
    await tx`select 1 from task_items where id = any(${[held, gone].map(made.itemOf)}::uuid[]) for update`
    await sweep()
  })
  expect(bench.heard('query').map(({ sn }) => sn)).toEqual([other.sn])
  expect((await bench.item(made.itemOf(over))).sending).toBe('none')
  await sweep()
  expect(bench.heard('query').map(({ sn }) => sn)).toEqual([other.sn, held.sn])
  expect((await bench.item(made.itemOf(gone))).sending).toBe('none')
})
