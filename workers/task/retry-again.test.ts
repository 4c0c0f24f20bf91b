/** What a retry or a resumption by another user means: for who is responsible, and for the wave that is shown. */
import type { FastifyInstance } from 'fastify'
import type { ISql } from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { meanwhile } from '#test/meanwhile'
import { addDevices, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { retryFailed } from './retry-failed.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

let bench: Bench
let app: FastifyInstance
let token = ''
let fleet: TestDevice[]

beforeAll(async () => {
  bench = await openBench()
  const { customerId, groups, admin } = bench.tenants.a
  fleet = await addDevices(bench.ctx.sql, customerId, groups.root, 'AGAIN-', 4)
  app = await buildServer(bench.ctx)
  await app.ready()
  token = String(
    (await post('userLogin', { username: admin.username, password: TEST_PASSWORD })).data['token'],
  )
})
beforeEach(async () => {
  const { sql } = bench.ctx
  bench.line.said.length = 0
  await sql`delete from tasks`
  await sql`delete from inbox`
  for (const device of fleet) await bench.greet(device)
})
afterAll(() => app?.close())

async function post(name: string, payload: object) {
  const headers = { ...(token ? { token } : {}), 'accept-language': 'en-US' }
  const answer = await app.inject({ method: 'POST', url: `/api/${name}`, headers, payload })
  return answer.json() as { code: number; data: Record<string, unknown> }
}
const round = async () => {
  bench.pass(3000)
  await drainInboxJob.run(bench.ctx, {})
  await sweepTasksJob.run(bench.ctx, {})
  await dispatchTasksJob.run(bench.ctx, {})
}
const taskOf = async (id: number) =>
  (
    await bench.ctx.sql<{ status: string; why: string | null; by: number | null }[]>`
      select status, pause_reason as why, responsible_id as by from tasks where id = ${id}`
  )[0]
const waveStates = async (id: number) =>
  (
    await bench.ctx.sql<{ state: string }[]>`select state from task_waves where task_id = ${id} order by nth`
  ).map(({ state }) => state)
const failAll = async (taskId: number) => {
  const items = await bench.ctx.sql<{ id: string; deviceId: number }[]>`
    select id, device_id as "deviceId" from task_items where task_id = ${taskId} and sending = 'sent' and outcome is null`
  for (const { id, deviceId } of items) {
    const device = fleet.find((one) => one.id === deviceId)
    if (device) await bench.progress(device, id, 'failed', { failure: 'md5Failed' })
  }
}

/** A task whose user is gone. */
const orphan = async () => {
  const made = await bench.task(fleet.slice(0, 2))
  await bench.ctx.sql`update tasks set responsible_id = ${bench.tenants.a.admin.id} where id = ${made.taskId}`
  await round()
  await failAll(made.taskId)
  await round()
  expect(await taskOf(made.taskId)).toMatchObject({ status: 'completed' })
  await bench.ctx.sql`update tasks set responsible_id = null, created_by = null where id = ${made.taskId}`
  bench.line.said.length = 0
  return made.taskId
}

it('a completed task whose user is gone is continued by whoever retries it, who is responsible from then on', async () => {
  const taskId = await orphan()
  expect(await post('task/retryTask', { taskId })).toMatchObject({ code: 0, data: { retried: 2 } })
  await round()
  expect(await taskOf(taskId)).toEqual({ status: 'ongoing', why: null, by: bench.tenants.a.admin.id })
  expect(bench.heard('offer')).toHaveLength(2)
})

it('a wave that fell short runs again when its devices are retried and the task is resumed', async () => {
  const made = await bench.task(fleet)
  const { taskId } = made
  const { sql } = bench.ctx
  const later = fleet.slice(2).map(({ id }) => id)
  await sql`update tasks set last_wave = 1, responsible_id = ${bench.tenants.a.admin.id} where id = ${taskId}`
  await sql`update task_items set wave = 1 where task_id = ${taskId} and device_id = any(${later})`
  await sql`insert into task_waves (task_id, nth, by) values (${taskId}, 0, 'count'), (${taskId}, 1, 'rest')`
  await round()
  await failAll(taskId)
  await round()
  await round()
  expect(await taskOf(taskId)).toMatchObject({ why: 'wave' })
  expect(await waveStates(taskId)).toEqual(['short', 'waiting'])
  expect(await post('task/retryTask', { taskId })).toMatchObject({ code: 0 })
  // Paused still, the verdict stands.
  expect(await waveStates(taskId)).toEqual(['short', 'waiting'])
  expect(await post('task/resumeTask', { taskId })).toMatchObject({ code: 0 })
  await round()
  expect(await waveStates(taskId)).toEqual(['running', 'waiting'])
  await failAll(taskId)
  await round()
  await round()
  expect(await taskOf(taskId)).toMatchObject({ why: 'wave' })
  expect(await waveStates(taskId)).toEqual(['short', 'waiting'])
})

it('the last wave of a completed task runs again with its retried devices', async () => {
  const { taskId } = await bench.task(fleet.slice(0, 2))
  const { sql } = bench.ctx
  await sql`update tasks set responsible_id = ${bench.tenants.a.admin.id} where id = ${taskId}`
  await sql`insert into task_waves (task_id, nth, by) values (${taskId}, 0, 'rest')`
  await round()
  await failAll(taskId)
  await round()
  expect(await taskOf(taskId)).toMatchObject({ status: 'completed' })
  expect(await waveStates(taskId)).toEqual(['short'])
  expect(await post('task/retryTask', { taskId })).toMatchObject({ code: 0 })
  expect(await waveStates(taskId)).toEqual(['running'])
})

it('the next wave of a paused task may be begun, and the answer says that it waits for the task to be resumed', async () => {
  const { taskId } = await bench.task(fleet)
  const { sql } = bench.ctx
  const later = fleet.slice(2).map(({ id }) => id)
  await sql`update tasks set last_wave = 1, responsible_id = ${bench.tenants.a.admin.id} where id = ${taskId}`
  await sql`update task_items set wave = 1 where task_id = ${taskId} and device_id = any(${later})`
  await sql`insert into task_waves (task_id, nth, by) values (${taskId}, 0, 'count'), (${taskId}, 1, 'rest')`
  await round()
  expect(await post('task/pauseTask', { taskId })).toMatchObject({ code: 0 })
  expect(await post('task/skipWave', { taskId })).toMatchObject({ code: 0, data: { wave: 1, paused: true } })
  await round()
  expect(bench.heard('offer')).toHaveLength(2)
})

it('a wave that has begun while a user was asked about it does not become the one after it', async () => {
  const { taskId } = await bench.task(fleet)
  const { sql } = bench.ctx
  await sql`update tasks set last_wave = 2, responsible_id = ${bench.tenants.a.admin.id} where id = ${taskId}`
  await sql`
    update task_items set wave = case device_id when ${fleet[0]?.id ?? 0} then 0 when ${fleet[1]?.id ?? 0} then 1 else 2 end
    where task_id = ${taskId}`
  await sql`
    insert into task_waves (task_id, nth, by)
    values (${taskId}, 0, 'count'), (${taskId}, 1, 'count'), (${taskId}, 2, 'rest')`
  await round()
  expect(await post('task/skipWave', { taskId, wave: 1 })).toMatchObject({ code: 0, data: { wave: 1 } })
  expect(await post('task/skipWave', { taskId, wave: 1 })).toMatchObject({ code: 339 })
  expect(await waveStates(taskId)).toEqual(['skipped', 'running', 'waiting'])
  expect(await post('task/skipWave', { taskId, wave: 2 })).toMatchObject({ code: 0, data: { wave: 2 } })
  expect(await post('task/skipWave', { taskId, wave: 2 })).toMatchObject({ code: 339 })
})

it('a failed device is not retried, by a user or by its task, that is given to another customer at the same moment', async () => {
  const { sql } = bench.ctx
  const { a, b } = bench.tenants
  const [device] = fleet
  if (!device) throw new Error('no device')
  const give = (owner: typeof a | typeof b) => (tx: ISql) =>
    tx`update devices set customer_id = ${owner.customerId}, group_id = ${owner.groups.root}
      where id = (select id from devices where id = ${device.id} for update)`
  const failed = async () => {
    const { taskId } = await bench.task([device])
    await sql`update task_items set outcome = 'failed', failure = 'md5Failed', sending = 'none' where task_id = ${taskId}`
    return taskId
  }
  const attempts = (taskId: number) => sql`select attempt from task_items where task_id = ${taskId}`
  const byUser = await failed()
  expect(await meanwhile(sql, () => post('task/retryTask', { taskId: byUser }), give(b))).toMatchObject({
    code: 0,
    data: { retried: 0, skipped: 1 },
  })
  expect(await attempts(byUser)).toHaveLength(1)
  await give(a)(sql)
  const byTask = await failed()
  await sql`update task_items set retry_at = ${bench.ctx.now()} where task_id = ${byTask}`
  await meanwhile(sql, () => retryFailed(bench.ctx), give(b))
  await retryFailed(bench.ctx)
  expect(await attempts(byTask)).toHaveLength(1)
  await give(a)(sql)
})
