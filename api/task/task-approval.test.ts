import { beforeEach, expect, it } from 'vitest'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandRefusals } from '#schema/task/command-refusals'
import { taskRefusals } from '#schema/task/task-refusals'
import { apiTest } from '#test/api-client'
import { addPackage, type TestUser } from '#test/tenants'

const { context, tenants, call } = await apiTest()
const { sql } = context
const { a, b } = tenants
const spId = (await addPackage(context, { customerId: null, model: 'R200', version: '7.1.0' })).id
const branch = a.devices.slice(1, 3).map(({ id }) => id)

beforeEach(async () => {
  await sql`delete from tasks`
  await sql`update device_states set online = true`
})

type Task = {
  approval: string | null
  canApprove: boolean
  approvalNote: string | null
  approvedBy: string | null
  paused: { reason: string } | null
}
const upgrade = async (user: TestUser = a.admin, more: object = { approval: true }) =>
  (
    await call<{ taskId: number }>(
      'levelUp/addLevelUp',
      { name: 'Careful', spId, dids: branch, maxFailurePercent: 10, ...more },
      user,
    )
  ).data?.taskId ?? 0
const get = async (taskId: number, user: TestUser = a.admin) =>
  (await call<Task>('task/getTask', { taskId }, user)).data
const decisions = async (taskId: number, user: TestUser = a.admin) =>
  (
    await call<{ list: { what: string; by: string | null }[] }>(
      'task/getTaskDecisions',
      { taskId, order: 'asc' },
      user,
    )
  ).data?.list.map(({ what, by }) => `${what} ${by}`)

it('a task may ask for a second person: its creator cannot be the one, another user can', async () => {
  const taskId = await upgrade()
  expect(await get(taskId)).toMatchObject({
    approval: 'waiting',
    canApprove: false,
    paused: { reason: 'approval' },
  })
  for (const name of ['approveTask', 'refuseTask'])
    expect(await call(`task/${name}`, { taskId }, a.admin)).toMatchObject({
      code: taskRefusals.taskOwnApproval.code,
    })
  for (const name of ['resumeTask', 'pauseTask'])
    expect(await call(`task/${name}`, { taskId }, a.admin)).toMatchObject({
      code: taskRefusals.taskAwaitsApproval.code,
    })
  for (const user of [a.viewer, b.admin])
    expect((await call('task/approveTask', { taskId }, user)).code).toBe(sessionRefusals.noPermission.code)
  expect((await get(taskId, a.operator))?.canApprove).toBe(true)
  expect((await call('task/approveTask', { taskId }, a.operator)).code).toBe(0)
  expect(await get(taskId)).toMatchObject({
    approval: 'approved',
    approvedBy: a.operator.username,
    paused: null,
  })
  // The creator stays responsible.
  const [row] = await sql`select responsible_id as id from tasks where id = ${taskId}`
  expect(row?.['id']).toBe(a.admin.id)
  expect(await decisions(taskId)).toEqual([
    `created ${a.admin.username}`,
    `approvalAsked ${a.admin.username}`,
    `approved ${a.operator.username}`,
  ])
  expect((await call('task/refuseTask', { taskId }, a.operator)).code).toBe(
    taskRefusals.taskAwaitsNothing.code,
  )
})

it('the console of users who may decide shows that it waits, until it is decided', async () => {
  const awaited = async (user: TestUser) =>
    (
      await call<{ list: { taskId: number; name: string; createdBy: string | null }[] }>(
        'task/getAwaitedApprovals',
        {},
        user,
      )
    ).data?.list
  const taskId = await upgrade()
  const everywhere = await upgrade(a.admin, { approval: true, dids: a.devices.map(({ id }) => id) })
  expect(await awaited(a.operator)).toEqual([{ taskId, name: 'Careful', createdBy: a.admin.username }])
  // Not to its creator, nor where some of its devices are not visible, nor to another customer.
  expect(await awaited(a.admin)).toEqual([])
  expect(await awaited(b.admin)).toEqual([])
  expect((await awaited(tenants.superAdmin))?.map((one) => one.taskId)).toEqual([taskId, everywhere])
  await call('task/refuseTask', { taskId }, a.operator)
  expect(await awaited(a.operator)).toEqual([])
})

it('a user who does not see all of its devices cannot approve it', async () => {
  const taskId = await upgrade(a.admin, { approval: true, dids: a.devices.map(({ id }) => id) })
  expect((await call('task/approveTask', { taskId }, a.operator)).code).toBe(
    taskRefusals.taskOfOthersToo.code,
  )
})

it('refused, every device ends without having been sent anything', async () => {
  const taskId = await upgrade()
  expect((await call('task/refuseTask', { taskId, note: 'not tonight' }, a.operator)).code).toBe(0)
  expect(await get(taskId)).toMatchObject({ approval: 'refused', approvalNote: 'not tonight' })
  const items = await sql`
    select outcome, failure_detail as why, offers from task_items where task_id = ${taskId}`
  expect(items).toEqual(branch.map(() => ({ outcome: 'cancelled', why: 'refused', offers: 0 })))
})

it('refused, a task that would have taken in devices for days takes in none and ends', async () => {
  const taskId = await upgrade()
  await sql`update tasks set joins = '{}', join_until = now() + interval '9 days' where id = ${taskId}`
  expect((await call('task/refuseTask', { taskId }, a.operator)).code).toBe(0)
  // Otherwise the sweeper keeps it ongoing until then.
  expect(await sql`select join_until from tasks where id = ${taskId}`).toEqual([{ join_until: null }])
})

it('not decided in time, it can no longer be approved, even before the engine has ended it', async () => {
  const taskId = await upgrade()
  await sql`update tasks set approval_until = now() - interval '1 second' where id = ${taskId}`
  for (const name of ['approveTask', 'refuseTask'])
    expect((await call(`task/${name}`, { taskId }, a.operator)).code).toBe(
      taskRefusals.taskAwaitsNothing.code,
    )
  expect((await get(taskId))?.approval).toBe('waiting')
})

it('without the option a task starts as before', async () => {
  expect(await get(await upgrade(a.admin, {}))).toMatchObject({ approval: null, paused: null })
})

it('a factory reset of many always needs the second person and the typed number, and no other kind may send it', async () => {
  const reset = (more: object) =>
    call<{ taskId: number }>(
      'task/addTask',
      { kind: 'factoryReset', name: 'Reset', dids: branch, ...more },
      a.admin,
    )
  expect(await call('task/previewTask', { kind: 'factoryReset', dids: branch }, a.admin)).toMatchObject({
    data: { eligible: 2, secondPerson: true },
  })
  for (const typedCount of [undefined, 1])
    expect(await reset({ typedCount })).toMatchObject({
      code: taskRefusals.taskCountDiffers.code,
      field: 'typedCount',
    })
  expect(await reset({ kind: 'command', command: 'factoryReset', typedCount: 2 })).toMatchObject({
    code: commandRefusals.notForMany.code,
  })
  const made = await reset({ typedCount: 2, approval: false })
  expect(await get(made.data?.taskId ?? 0)).toMatchObject({ approval: 'waiting' })
  // What only waits for an approval keeps nobody from rebooting the device.
  expect(await call('task/previewTask', { kind: 'reboot', dids: branch }, a.admin)).toMatchObject({
    data: { eligible: 2 },
  })
})
