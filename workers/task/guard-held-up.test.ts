/**
 * What must not hold up a guarded task: devices that were called back and never responded, and the turns of
 * other tasks.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { RAMP_START } from '#schema/task/task-guard'
import { addDevices, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { settleTasks } from './settle-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

let bench: Bench
let app: FastifyInstance
let token: string
let fleet: TestDevice[]

beforeAll(async () => {
  bench = await openBench()
  const { customerId, groups, admin } = bench.tenants.a
  fleet = await addDevices(bench.ctx.sql, customerId, groups.root, 'HELD-', 30)
  app = await buildServer(bench.ctx)
  await app.ready()
  const payload = { username: admin.username, password: TEST_PASSWORD }
  token = (await app.inject({ method: 'POST', url: '/api/userLogin', payload })).json().data.token
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from tasks`
  for (const device of fleet) await bench.greet(device)
})
afterAll(() => app?.close())

const dispatch = () => dispatchTasksJob.run(bench.ctx, {})
const sweep = () => sweepTasksJob.run(bench.ctx, {})
const offered = () => bench.heard('offer').map(({ sn }) => sn)

async function control(call: 'pauseTask' | 'resumeTask', taskId: number) {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/task/${call}`,
    headers: { token },
    payload: { taskId },
  })
  expect(answer.json()).toMatchObject({ code: 0 })
}
async function guarded(devices: readonly TestDevice[], waitMinutes = 15) {
  const made = await bench.task(devices)
  await bench.ctx.sql`
    update tasks set max_failure_percent = 50, slow_start = true, wait_offline_minutes = ${waitMinutes} where id = ${made.taskId}`
  return made
}

it('devices that were called back and stay away do not hold up a resumed task', async () => {
  const { taskId } = await guarded(fleet, 7 * 24 * 60)
  await dispatch()
  expect(offered()).toHaveLength(RAMP_START)
  await control('pauseTask', taskId)
  await sweep()
  const away = fleet.filter(({ sn }) => offered().includes(sn))
  for (const device of away) await bench.leave(device)
  await control('resumeTask', taskId)
  await dispatch()
  // Some of them may be installing: for as long as that takes their slots stay occupied.
  expect(offered()).toHaveLength(RAMP_START)
  bench.pass(11 * 60_000)
  for (const device of fleet) if (!away.includes(device)) await bench.greet(device)
  await sweep()
  await dispatch()
  expect(new Set(offered()).size).toBe(2 * RAMP_START)
})

it('devices whose turn it is in another task take no slot in this one', async () => {
  const first = await guarded(fleet.slice(0, 25))
  bench.pass(1000)
  const second = await guarded(fleet)
  await dispatch()
  expect(offered()).toContain(fleet[0]?.sn)
  // The 15 that wait for their turn in the first task do not block the other five.
  expect(new Set(offered())).toEqual(
    new Set([...fleet.slice(0, RAMP_START), ...fleet.slice(25)].map(({ sn }) => sn)),
  )
  const items = bench.heard('offer').map(({ payload }) => payload['item'])
  for (const device of fleet.slice(25)) expect(items).toContain(second.itemOf(device))
  for (const device of fleet.slice(0, 2)) expect(items).toContain(first.itemOf(device))
})

it('after a short pause, a hanging device is waited for no longer than without the pause', async () => {
  const { taskId, itemOf } = await guarded(fleet.slice(0, 1), 7 * 24 * 60)
  await dispatch()
  await control('pauseTask', taskId)
  bench.pass(1000)
  await control('resumeTask', taskId)
  bench.pass(62_000)
  await sweep()
  expect(await bench.item(itemOf(fleet[0] as TestDevice))).toMatchObject({ outcome: 'failed' })
})

it('tasks are locked in one order, whether they are paused or completed', async () => {
  const [a, b, c] = fleet as [TestDevice, TestDevice, TestDevice]
  const { sql } = bench.ctx
  const low = await guarded([a])
  const high = await guarded([b, c])
  await sql`update task_items set outcome = 'failed', failure = 'md5Failed' where device_id = any(${[a.id, b.id]})`
  const waits = async () =>
    (
      await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    ).length
  let settled: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await tx`select 1 from tasks where id = ${low.taskId} for update`
    settled = sql.begin((other) =>
      settleTasks(other, { ended: [low.taskId, high.taskId], failed: [high.taskId] }, bench.ctx),
    )
    await expect.poll(waits).toBe(1)
    // If it were locked already, this would deadlock.
    await tx`select 1 from tasks where id = ${high.taskId} for update`
  })
  await settled
  expect(await bench.item(low.itemOf(a))).toMatchObject({ status: 'completed' })
  expect(await bench.item(high.itemOf(c))).toMatchObject({ status: 'ongoing' })
})

it('a device that waited online for its turn and disconnects briefly is not given up', async () => {
  const [a] = fleet as [TestDevice]
  const { itemOf } = await guarded([a])
  bench.pass(3 * 3_600_000)
  await bench.leave(a)
  await bench.ctx.sql`update device_states set last_logout_at = ${bench.ctx.now()} where device_id = ${a.id}`
  await sweep()
  expect(await bench.item(itemOf(a))).toMatchObject({ outcome: null })
  bench.pass(15 * 60_000 + 1000)
  await sweep()
  expect(await bench.item(itemOf(a))).toMatchObject({ outcome: 'failed', failure: 'deviceOffline' })
})
