import { expect, it } from 'vitest'
import { openBench } from '#test/worker-bench'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

const HOUR_MS = 3_600_000
const bench = await openBench()
const { sql } = bench.ctx

it('a task that is not approved in time ends; until then nothing is sent, and its devices do not time out', async () => {
  const { a } = bench.tenants
  for (const device of a.devices) await bench.greet(device)
  const id = await bench.reboot(a.devices, { sender: a.admin, waitMs: 60_000 })
  await sql`
    update tasks set approval = 'waiting', paused_at = ${bench.ctx.now()}, pause_reason = 'approval', expires_at = null,
      approval_until = ${new Date(bench.ctx.now().getTime() + 72 * HOUR_MS)} where id = ${id}`
  const round = async (ms: number) => {
    bench.pass(ms)
    await sweepTasksJob.run(bench.ctx, {})
    await dispatchTasksJob.run(bench.ctx, {})
  }
  await round(71 * HOUR_MS)
  expect(bench.heard('command')).toEqual([])
  expect(await bench.standing()).toEqual({ waiting: a.devices.length })
  await round(2 * HOUR_MS)
  expect(bench.heard('command')).toEqual([])
  expect(await sql`select status, approval from tasks where id = ${id}`).toEqual([
    { status: 'completed', approval: 'expired' },
  ])
  expect(await sql`select distinct outcome, failure_detail as why from task_items`).toEqual([
    { outcome: 'cancelled', why: 'approvalExpired' },
  ])
  expect(await sql`select what from task_decisions where task_id = ${id} order by id`).toEqual([
    { what: 'approvalExpired' },
    { what: 'completed' },
  ])
})

it('a task that is not approved in time ends, even if it would have taken in devices for days', async () => {
  const { a } = bench.tenants
  const id = await bench.reboot(a.devices, { sender: a.admin, waitMs: 60_000 })
  const now = bench.ctx.now().getTime()
  await sql`
    update tasks set approval = 'waiting', paused_at = ${bench.ctx.now()}, pause_reason = 'approval', expires_at = null,
      approval_until = ${new Date(now + HOUR_MS)}, joins = '{}', join_until = ${new Date(now + 99 * HOUR_MS)} where id = ${id}`
  bench.pass(2 * HOUR_MS)
  await sweepTasksJob.run(bench.ctx, {})
  expect(await sql`select status, approval from tasks where id = ${id}`).toEqual([
    { status: 'completed', approval: 'expired' },
  ])
})
