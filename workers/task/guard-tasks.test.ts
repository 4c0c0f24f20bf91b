/**
 * A task pauses itself: the decision in the database, what stops, what continues, and what resuming means.
 */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { addDevices, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { guardTasks } from './guard-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

let bench: Bench
let app: FastifyInstance
let token: string
let fleet: TestDevice[]

beforeAll(async () => {
  bench = await openBench()
  const { customerId, groups, admin } = bench.tenants.a
  fleet = await addDevices(bench.ctx.sql, customerId, groups.root, 'GUARD-', 24)
  app = await buildServer(bench.ctx)
  await app.ready()
  const login = await post('userLogin', { username: admin.username, password: TEST_PASSWORD })
  token = String(login.data['token'])
})
beforeEach(async () => {
  const { sql } = bench.ctx
  bench.line.said.length = 0
  await sql`delete from tasks`
  await sql`delete from inbox`
  await sql`delete from mails`
  await sql`update device_states set online = false`
  await sql`update devices set hello_at = null, firmware = '1.0.0' where sn like 'GUARD-%'`
})
afterAll(() => app?.close())

async function post(name: string, payload: object) {
  const headers = { ...(token ? { token } : {}), 'accept-language': 'en-US' }
  const answer = await app.inject({ method: 'POST', url: `/api/${name}`, headers, payload })
  return answer.json() as { code: number; data: Record<string, unknown>; field?: string }
}
const dispatch = () => dispatchTasksJob.run(bench.ctx, {})
const sweep = () => sweepTasksJob.run(bench.ctx, {})
const drain = () => drainInboxJob.run(bench.ctx, {})
const offered = () => bench.heard('offer').map(({ sn }) => sn)
const at = (index: number) => {
  const device = fleet[index]
  if (!device) throw new Error('too few devices')
  return device
}
const taskOf = async (id: number) => {
  const [row] = await bench.ctx.sql<Record<string, unknown>[]>`
    select status, paused_at is not null as paused, pause_reason as reason, paused_failed as failed, paused_tried as tried
    from tasks where id = ${id}`
  return row
}
/** The current item of a device. */
const living = async (taskId: number, device: TestDevice) => {
  const [row] = await bench.ctx.sql<Record<string, unknown>[]>`
    select id, step, outcome, failure, sending, offers, attempt, deadline_at as "deadlineAt" from task_items
    where task_id = ${taskId} and device_id = ${device.id} and not superseded`
  return row ?? {}
}

type Limits = { maxFailures?: number; maxFailurePercent?: number; maxInFlight?: number }
async function guarded(count: number, { maxFailures, maxFailurePercent, maxInFlight = 500 }: Limits) {
  const devices = fleet.slice(0, count)
  for (const device of devices) await bench.greet(device)
  const made = await bench.task(devices)
  await bench.ctx.sql`
    update tasks set max_failures = ${maxFailures ?? null}, max_failure_percent = ${maxFailurePercent ?? null},
      max_in_flight = ${maxInFlight}, slow_start = ${(maxFailures ?? maxFailurePercent) !== undefined}, created_by = ${bench.tenants.a.admin.id}, responsible_id = ${bench.tenants.a.admin.id}, language = 'en-US' where id = ${made.taskId}`
  return { ...made, devices }
}
const fails = (device: TestDevice, item: string, failure = 'md5Failed') =>
  bench.progress(device, item, 'failed', { failure })

describe('a task with a failure limit', () => {
  it('pauses itself with the failure that reaches it, and sends nothing more', async () => {
    const { taskId, itemOf } = await guarded(20, { maxFailures: 3, maxInFlight: 4 })
    await dispatch()
    expect(offered()).toHaveLength(4)
    for (const index of [0, 1]) await fails(at(index), itemOf(at(index)))
    await drain()
    await dispatch()
    expect(await taskOf(taskId)).toMatchObject({ paused: false })
    expect(offered()).toHaveLength(6)
    await fails(at(2), itemOf(at(2)))
    await drain()
    await dispatch()
    await sweep()
    expect(await taskOf(taskId)).toEqual({
      status: 'ongoing',
      paused: true,
      reason: 'failures',
      failed: 3,
      tried: 6,
    })
    expect(offered()).toHaveLength(6)
  })

  it('sends a mail to its creator, once', async () => {
    const { itemOf } = await guarded(6, { maxFailures: 1 })
    await dispatch()
    await fails(at(0), itemOf(at(0)))
    await fails(at(1), itemOf(at(1)), 'upgradeFailed')
    await drain()
    await sweep()
    const mails = await bench.ctx.sql`select recipient, subject, text from mails`
    expect(mails).toHaveLength(1)
    expect(mails[0]).toMatchObject({
      recipient: `${bench.tenants.a.admin.username}@example.test`,
      subject: 'Task “T” was paused automatically: 2 failed',
    })
    expect(mails[0]?.['text']).toContain('MD5 check failed: 1')
    expect(mails[0]?.['text']).toContain('/task/upgrade/')
  })

  it('sends it also to who took the task over, and not to a creator who is gone', async () => {
    const { sql } = bench.ctx
    const { a, systemAdmin } = bench.tenants
    for (const created_by of [a.admin.id, null]) {
      await sql`delete from tasks`
      await sql`delete from mails`
      const { taskId, itemOf } = await guarded(2, { maxFailures: 1 })
      await sql`update tasks set ${sql({ created_by, responsible_id: systemAdmin.id })} where id = ${taskId}`
      await dispatch()
      await fails(at(0), itemOf(at(0)))
      await drain()
      const mails = await sql<{ recipient: string }[]>`select recipient from mails order by recipient`
      expect(mails.map(({ recipient }) => recipient)).toEqual(
        [systemAdmin, ...(created_by === null ? [] : [a.admin])]
          .map(({ username }) => `${username}@example.test`)
          .toSorted(),
      )
    }
  })

  it('does not count devices that were never reached', async () => {
    const { taskId } = await guarded(6, { maxFailures: 2, maxInFlight: 1 })
    for (const device of fleet.slice(0, 6)) await bench.leave(device)
    bench.pass(16 * 60_000)
    await sweep()
    expect(await taskOf(taskId)).toMatchObject({ status: 'completed' })
    const [row] = await bench.ctx
      .sql`select count(*)::int as n from task_items where failure = 'deviceOffline'`
    expect(row).toEqual({ n: 6 })
  })

  it('counts silence after the command like any failure', async () => {
    const { taskId, itemOf } = await guarded(8, { maxFailures: 2, maxInFlight: 2 })
    await dispatch()
    for (const index of [0, 1]) await bench.progress(at(index), itemOf(at(index)), 'upgrading')
    await drain()
    // They never come back.
    for (const index of [0, 1]) await bench.leave(at(index))
    bench.pass(11 * 60_000)
    await sweep()
    await dispatch()
    expect(await taskOf(taskId)).toMatchObject({ paused: true, failed: 2, tried: 2 })
    expect(offered()).toHaveLength(2)
  })

  it('is completed, not paused, if nothing is left to stop', async () => {
    const { taskId, itemOf } = await guarded(2, { maxFailures: 2 })
    await dispatch()
    for (const index of [0, 1]) await fails(at(index), itemOf(at(index)))
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ status: 'completed', paused: false })
  })

  it('of ten devices pauses at the first failure, at ten percent; of eleven at the second', async () => {
    const { taskId, itemOf } = await guarded(10, { maxFailurePercent: 10 })
    await dispatch()
    await fails(at(0), itemOf(at(0)))
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ paused: true, reason: 'failures', failed: 1, tried: 10 })
    await bench.ctx.sql`delete from tasks`
    const more = await guarded(11, { maxFailurePercent: 10 })
    await dispatch()
    await fails(at(0), more.itemOf(at(0)))
    await drain()
    await sweep()
    expect(await taskOf(more.taskId)).toMatchObject({ paused: false })
    await fails(at(1), more.itemOf(at(1)))
    await drain()
    expect(await taskOf(more.taskId)).toMatchObject({ paused: true, failed: 2 })
  })

  it('does not pause for a failure that the platform is about to retry, and does when it is final', async () => {
    const { taskId, itemOf } = await guarded(10, { maxFailurePercent: 10 })
    const retries = [{ failure: 'downloadTimeout', times: 1, afterMinutes: 10 }]
    await bench.ctx.sql`update tasks set retries = ${bench.ctx.sql.json(retries)} where id = ${taskId}`
    await dispatch()
    await fails(at(0), itemOf(at(0)), 'downloadTimeout')
    await drain()
    await sweep()
    expect(await taskOf(taskId)).toMatchObject({ paused: false })
    bench.pass(11 * 60_000)
    for (const device of fleet.slice(0, 10)) await bench.greet(device)
    await bench.ctx
      .sql`update task_items set deadline_at = ${new Date(bench.ctx.now().getTime() + 60_000)} where task_id = ${taskId}`
    await sweep()
    await dispatch()
    await fails(at(0), String((await living(taskId, at(0)))['id']), 'downloadTimeout')
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ paused: true, failed: 1 })
  })

  it('begins with ten devices and adds more as they come back with the new version', async () => {
    const { itemOf } = await guarded(24, { maxFailurePercent: 10 })
    await dispatch()
    expect(offered()).toHaveLength(10)
    await bench.progress(at(0), itemOf(at(0)), 'upgrading')
    await drain()
    await bench.hello(at(0), 'boot-2', '2.0.0')
    await drain()
    await dispatch()
    // Twelve at a time, one has ended.
    expect(offered()).toHaveLength(13)
  })

  it('is paused once by failures that arrive at the same time, in any order', async () => {
    const { sql } = bench.ctx
    const { taskId } = await guarded(24, { maxFailures: 8 })
    await sql`update task_items set sending = 'sent', step = 'sent', offers = 1 where task_id = ${taskId}`
    const ends = fleet.slice(0, 12).map(({ id }) =>
      sql.begin(async (tx) => {
        await tx`
          update task_items set outcome = 'failed', failure = 'md5Failed', sending = 'none'
          where task_id = ${taskId} and device_id = ${id}`
        return guardTasks(tx, [taskId], bench.ctx)
      }),
    )
    const paused = (await Promise.all(ends)) as number[]
    expect(paused.filter((count) => count > 0)).toHaveLength(1)
    expect(await taskOf(taskId)).toMatchObject({ paused: true, reason: 'failures' })
    expect(await sql`select 1 from mails`).toHaveLength(1)
    const failed = Number((await taskOf(taskId))?.['failed'])
    expect(failed).toBeGreaterThanOrEqual(8)
  })

  it('loses neither failure nor pause when the transaction is aborted', async () => {
    const { sql } = bench.ctx
    const { taskId, itemOf } = await guarded(6, { maxFailures: 1 })
    await dispatch()
    await fails(at(0), itemOf(at(0)))
    const torn = { ...bench.ctx, env: { ...bench.ctx.env } }
    // As if the process died after the writes and before the commit.
    await expect(
      sql.begin(async (tx) => {
        await tx`update task_items set outcome = 'failed', failure = 'md5Failed' where id = ${itemOf(at(0))}`
        expect(await guardTasks(tx, [taskId], torn)).toBe(1)
        throw new Error('killed')
      }),
    ).rejects.toThrow('killed')
    expect(await taskOf(taskId)).toMatchObject({ paused: false })
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ paused: true, failed: 1 })
    expect(await sql`select 1 from mails`).toHaveLength(1)
  })
})

describe('a paused task', () => {
  const pause = (taskId: number) => post('task/pauseTask', { taskId })
  const resume = (taskId: number) => post('task/resumeTask', { taskId })

  it('calls back devices that have not begun to install, and no others', async () => {
    const { taskId, itemOf } = await guarded(3, {})
    await dispatch()
    await bench.progress(at(0), itemOf(at(0)), 'upgrading')
    await bench.progress(at(1), itemOf(at(1)), 'downloading', { percent: 40 })
    await drain()
    expect(await pause(taskId)).toMatchObject({ code: 0 })
    await sweep()
    expect(new Set(bench.heard('cancel').map(({ sn }) => sn))).toEqual(new Set([at(1).sn, at(2).sn]))
    expect(bench.line.said.slice(-4).map(({ name }) => name)).toEqual(['cancel', 'cancel', 'query', 'query'])
    // A report from before the call changes nothing about it.
    await bench.progress(at(1), itemOf(at(1)), 'downloading', { percent: 60 })
    await drain()
    expect(await living(taskId, at(1))).toMatchObject({ step: 'downloading', sending: 'withdrawing' })
    // The documented response for a cancelled item, after a report from before the call; and one that never
    // had the offer.
    await bench.progress(at(1), itemOf(at(1)), 'downloaded')
    await fails(at(1), itemOf(at(1)), 'unknownError')
    await bench.progress(at(2), itemOf(at(2)), 'unknown')
    await drain()
    for (const device of [at(1), at(2)]) {
      const now = await living(taskId, device)
      expect(now).toMatchObject({ step: 'created', outcome: null, sending: 'none', offers: 0, attempt: 1 })
      expect(now['id']).not.toBe(itemOf(device))
    }
    expect(await bench.item(itemOf(at(1)))).toMatchObject({ outcome: 'cancelled', failure: null })
    // The one that installs continues to its end.
    await bench.hello(at(0), 'boot-2', '2.0.0')
    await drain()
    expect(await living(taskId, at(0))).toMatchObject({ outcome: 'done' })
    await dispatch()
    expect(offered()).toHaveLength(3)
    bench.line.said.length = 0
    expect(await resume(taskId)).toMatchObject({ code: 0, data: { waiting: 2 } })
    await dispatch()
    expect(offered().sort()).toEqual([at(1).sn, at(2).sn])
    expect(bench.heard('offer')[0]?.payload['item']).not.toBe(itemOf(at(1)))
  })

  it('never offers anything new to a device that had begun to install when it was called', async () => {
    const { taskId, itemOf } = await guarded(1, {})
    await dispatch()
    await pause(taskId)
    await sweep()
    await bench.progress(at(0), itemOf(at(0)), 'upgrading')
    await drain()
    await resume(taskId)
    await dispatch()
    await sweep()
    expect(offered()).toHaveLength(1)
    expect(await living(taskId, at(0))).toMatchObject({
      id: itemOf(at(0)),
      step: 'upgrading',
      sending: 'sent',
    })
    await bench.hello(at(0), 'boot-2', '2.0.0')
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ status: 'completed', paused: false })
  })

  it('waits for the response of called-back devices, even when it is resumed meanwhile', async () => {
    const { taskId, itemOf } = await guarded(1, {})
    await dispatch()
    await pause(taskId)
    await sweep()
    await bench.leave(at(0))
    await resume(taskId)
    await dispatch()
    expect(offered()).toHaveLength(1)
    // It comes back: called back again, it responds, and gets its turn.
    await bench.greet(at(0))
    await bench.hello(at(0), 'boot-1', '1.0.0')
    await drain()
    expect(bench.line.said.slice(-2).map(({ name }) => name)).toEqual(['cancel', 'query'])
    await fails(at(0), itemOf(at(0)), 'unknownError')
    await drain()
    await dispatch()
    expect(offered()).toHaveLength(2)
    expect(await living(taskId, at(0))).toMatchObject({ step: 'sent', outcome: null })
  })

  it('keeps a real failure of a device that was called back', async () => {
    const { taskId, itemOf } = await guarded(2, {})
    await dispatch()
    await pause(taskId)
    await sweep()
    await fails(at(0), itemOf(at(0)), 'md5Failed')
    await drain()
    expect(await living(taskId, at(0))).toMatchObject({ outcome: 'failed', failure: 'md5Failed' })
  })

  it('does not let waiting devices fail, and gives the time back when it is resumed', async () => {
    const { taskId } = await guarded(3, { maxInFlight: 1 })
    await dispatch()
    for (const device of fleet.slice(0, 3)) await bench.leave(device)
    const before = (await living(taskId, at(2)))['deadlineAt'] as Date
    await pause(taskId)
    bench.pass(8 * 3_600_000)
    await sweep()
    expect(await bench.ctx.sql`select 1 from task_items where outcome is not null`).toHaveLength(0)
    await resume(taskId)
    await sweep()
    expect(await bench.ctx.sql`select 1 from task_items where outcome is not null`).toHaveLength(0)
    const after = (await living(taskId, at(2)))['deadlineAt'] as Date
    expect(after.getTime() - before.getTime()).toBe(8 * 3_600_000)
    bench.pass(16 * 60_000)
    await sweep()
    expect(await taskOf(taskId)).toMatchObject({ status: 'completed' })
  })

  it('counts from zero when it is resumed, and pauses again for new failures', async () => {
    const { taskId, itemOf } = await guarded(12, { maxFailures: 2, maxInFlight: 3 })
    await dispatch()
    for (const index of [0, 1]) await fails(at(index), itemOf(at(index)))
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ paused: true })
    await resume(taskId)
    await sweep()
    await dispatch()
    expect(await taskOf(taskId)).toMatchObject({ paused: false })
    await fails(at(2), itemOf(at(2)))
    await drain()
    await sweep()
    expect(await taskOf(taskId)).toMatchObject({ paused: false })
    await fails(at(3), itemOf(at(3)))
    await drain()
    expect(await taskOf(taskId)).toMatchObject({ paused: true, failed: 2 })
  })

  it('notices a failure that came while it was being resumed', async () => {
    const { taskId, itemOf } = await guarded(4, { maxFailures: 1 })
    await dispatch()
    await bench.ctx
      .sql`update task_items set outcome = 'failed', failure = 'md5Failed' where id = ${itemOf(at(0))}`
    await sweep()
    expect(await taskOf(taskId)).toMatchObject({ paused: true })
  })

  it('is paused and resumed once by two users at the same time', async () => {
    const { taskId } = await guarded(2, {})
    const both = await Promise.all([pause(taskId), pause(taskId)])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 136])
    const again = await Promise.all([resume(taskId), resume(taskId)])
    expect(again.map(({ code }) => code).sort()).toEqual([0, 137])
  })

  it('lets a retry wait until it is resumed', async () => {
    const { taskId, itemOf } = await guarded(4, { maxFailures: 1, maxInFlight: 1 })
    await dispatch()
    await fails(at(0), itemOf(at(0)))
    await drain()
    expect(await post('task/retryTask', { taskId })).toMatchObject({ code: 0, data: { retried: 1 } })
    await dispatch()
    expect(offered()).toHaveLength(1)
    await resume(taskId)
    await dispatch()
    expect(offered()).toHaveLength(2)
  })

  it('can be cancelled; called-back devices are informed again, and it is completed', async () => {
    const { taskId, itemOf } = await guarded(3, { maxInFlight: 1 })
    await dispatch()
    await pause(taskId)
    await sweep()
    expect(await post('task/cancelTask', { taskId })).toMatchObject({
      data: { cancelled: 3, locked: 0 },
    })
    await sweep()
    expect(await taskOf(taskId)).toMatchObject({ status: 'completed', paused: false })
    expect(bench.heard('cancel').map(({ payload }) => payload['item'])).toEqual([
      itemOf(at(0)),
      itemOf(at(0)),
    ])
    await dispatch()
    expect(offered()).toHaveLength(1)
  })

  it('is returned as ongoing, with the reason of its pause, and without an estimated end', async () => {
    const { taskId } = await guarded(2, { maxFailures: 4 })
    await dispatch()
    await pause(taskId)
    const { data } = await post('task/getTask', { taskId })
    expect(data).toMatchObject({
      status: 'ongoing',
      paused: { reason: 'person', by: bench.tenants.a.admin.username, failed: null, tried: null },
      maxFailures: 4,
      maxFailurePercent: null,
      estimatedEndAt: null,
      noEstimate: 'paused',
    })
    const list = await post('task/getTaskList', { status: 'ongoing' })
    expect(list.data['list']).toMatchObject([{ taskId, status: 'ongoing', paused: { reason: 'person' } }])
  })
})
