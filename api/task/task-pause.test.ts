import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sessionRefusals } from '#schema/people/session-refusals'
import { taskDeletePermission } from '#schema/task/task-pages'
import { taskRefusals } from '#schema/task/task-refusals'
import { apiTest } from '#test/api-client'
import { addPackage } from '#test/tenants'

const { context, tenants, call } = await apiTest()
const { sql } = context
let spId: number

beforeAll(async () => {
  spId = (await addPackage(context, { customerId: null, model: 'R200', version: '7.0.0' })).id
})
beforeEach(async () => {
  await sql`delete from tasks`
})

async function create(of: 'all' | 'branch', more: object = {}) {
  const { devices, admin } = tenants.a
  const dids = (of === 'all' ? devices : devices.slice(1, 3)).map(({ id }) => id)
  const answer = await call<{ taskId: number }>(
    'levelUp/addLevelUp',
    { name: 'Night', spId, dids, ...more },
    admin,
  )
  expect(answer.code, answer.message).toBe(0)
  return answer.data?.taskId ?? 0
}
const paused = async (taskId: number) => {
  const [row] = await sql<
    { paused: boolean }[]
  >`select paused_at is not null as paused from tasks where id = ${taskId}`
  return row?.paused
}

it('a task with devices of other groups is not deleted by a user who sees only some of them', async () => {
  const { operator } = tenants.a
  const [all, branch] = [await create('all'), await create('branch')]
  await sql`update tasks set status = 'completed'`
  await sql`update roles set function_ids = function_ids || ${taskDeletePermission.id}::int
    where id = (select role_id from users where id = ${operator.id})`
  expect(await call('task/deleteTask', { taskId: all }, operator)).toMatchObject({
    code: taskRefusals.taskOfOthersToo.code,
  })
  expect((await call('task/deleteTask', { taskId: branch }, operator)).code).toBe(0)
  expect((await call('task/deleteTask', { taskId: all }, tenants.a.admin)).code).toBe(0)
})

it('cancelled by a user who sees only some of its devices, a task goes on following its filter', async () => {
  const { operator, admin } = tenants.a
  const all = await create('all')
  await sql`update tasks set join_until = now() + interval '1 day', joins = '{"model":"R200"}' where id = ${all}`
  const follows = async () =>
    (await sql`select 1 from tasks where id = ${all} and join_until is not null`).length
  expect((await call('task/cancelTask', { taskId: all }, operator)).data).toMatchObject({ cancelled: 2 })
  expect(await follows()).toBe(1)
  expect((await call('task/cancelTask', { taskId: all }, admin)).code).toBe(0)
  expect(await follows()).toBe(0)
})

describe('pausing a task', () => {
  it('refuses values out of bounds, naming the field', async () => {
    const { admin } = tenants.a
    for (const [field, value] of [
      ['maxFailures', 0],
      ['maxFailurePercent', 101],
      ['maxInFlight', 501],
    ] as const) {
      const answer = await call(
        'levelUp/addLevelUp',
        { name: 'Night', spId, dids: [tenants.a.devices[0]?.id], [field]: value },
        admin,
      )
      expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field })
    }
  })

  it('has no limit in the body of the specification', async () => {
    const taskId = await create('all')
    const [row] = await sql`
      select max_failures as count, max_failure_percent as percent, max_in_flight as "atOnce" from tasks where id = ${taskId}`
    expect(row).toEqual({ count: null, percent: null, atOnce: 500 })
  })

  it('requires a user who sees all of its devices', async () => {
    const { operator } = tenants.a
    const whole = await create('all')
    expect(await call('task/pauseTask', { taskId: whole }, operator)).toMatchObject({
      code: taskRefusals.taskOfOthersToo.code,
    })
    expect(await paused(whole)).toBe(false)
    const branch = await create('branch')
    expect((await call('task/pauseTask', { taskId: branch }, operator)).code).toBe(0)
    expect(await paused(branch)).toBe(true)
    expect((await call('task/resumeTask', { taskId: branch }, operator)).code).toBe(0)
  })

  it('needs its permission, and a visible task', async () => {
    const taskId = await create('all')
    for (const user of [tenants.a.viewer, tenants.b.admin])
      for (const name of ['pauseTask', 'resumeTask'])
        expect((await call(`task/${name}`, { taskId }, user)).code).toBe(sessionRefusals.noPermission.code)
    expect(await paused(taskId)).toBe(false)
  })

  it('refuses a completed task, a paused one, and resuming one that is not paused', async () => {
    const { admin } = tenants.a
    const taskId = await create('all')
    expect((await call('task/resumeTask', { taskId }, admin)).code).toBe(taskRefusals.taskNotPaused.code)
    expect((await call('task/pauseTask', { taskId }, admin)).code).toBe(0)
    expect((await call('task/pauseTask', { taskId }, admin)).code).toBe(taskRefusals.taskPaused.code)
    await sql`update tasks set status = 'completed' where id = ${taskId}`
    for (const name of ['pauseTask', 'resumeTask'])
      expect((await call(`task/${name}`, { taskId }, admin)).code).toBe(taskRefusals.taskCompleted.code)
  })

  it('before it starts takes none of its time: it expires as planned', async () => {
    const taskId = await create('all')
    await sql`
      update tasks set start_at = now() + interval '5 hours', expires_at = now() + interval '6 hours' where id = ${taskId}`
    await call('task/pauseTask', { taskId }, tenants.a.admin)
    await sql`update tasks set paused_at = now() - interval '20 hours' where id = ${taskId}`
    expect((await call('task/resumeTask', { taskId }, tenants.a.admin)).code).toBe(0)
    const [task] = await sql`
      select expires_at between now() + interval '5.9 hours' and now() + interval '6 hours' as kept from tasks where id = ${taskId}`
    expect(task).toEqual({ kept: true })
  })

  it('is logged with user and details', async () => {
    const { admin } = tenants.a
    const taskId = await create('all')
    await call('task/pauseTask', { taskId }, admin)
    await call('task/resumeTask', { taskId }, admin)
    await expect
      .poll(
        async () =>
          sql`select username, call, object from operations where call in ('task/pauseTask', 'task/resumeTask')
          and code = 0 and object = 'Night' order by id desc limit 2`,
      )
      .toMatchObject([
        { username: admin.username, call: 'task/resumeTask', object: 'Night' },
        { username: admin.username, call: 'task/pauseTask', object: 'Night' },
      ])
  })
})
