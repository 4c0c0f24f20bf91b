import { beforeAll, beforeEach, expect, it } from 'vitest'
import { sessionRefusals } from '#schema/people/session-refusals'
import { taskRefusals } from '#schema/task/task-refusals'
import { apiTest } from '#test/api-client'
import { byForce } from '#test/move-check'
import { addPackage } from '#test/tenants'

const { context, tenants, call } = await apiTest()
const { sql } = context
const { a, b } = tenants
const MODEL = 'R200'
let taskId: number
let spId: number

beforeAll(async () => {
  await addPackage(context, { customerId: null, model: MODEL, version: '1.0.0' })
  spId = (await addPackage(context, { customerId: null, model: MODEL, version: '2.0.0' })).id
  await addPackage(context, { customerId: b.customerId, model: MODEL, version: '1.1.0' })
  await sql`update packages set synced_at = now()`
})
beforeEach(async () => {
  await sql`delete from tasks`
  await sql`update packages set deleted_at = null`
  await sql`update devices set model = ${MODEL}, firmware = '1.0.0'`
  const dids = a.devices.map(({ id }) => id)
  const made = await call<{ taskId: number }>('levelUp/addLevelUp', { name: 'Bad', spId, dids }, a.admin)
  taskId = made.data?.taskId ?? 0
  // Two had 1.0.0 and one 1.1.0; the fourth has been sent nothing.
  await sql`update task_items set offers = 1 where device_id <> ${dids[3] ?? 0}`
  await sql`update task_items set from_version = '1.1.0' where device_id = ${dids[2] ?? 0}`
  await sql`update devices set firmware = '2.0.0' where id = any(${dids})`
})

const rollBack = (user = a.admin, name = 'Back again') =>
  call<{ tasks: { taskId: number; version: string; devices: number }[]; without: object[] }>(
    'task/rollBackTask',
    { taskId, name },
    user,
  )

it('the devices that installed the version get the previous one; packages of other customers do not count', async () => {
  const preview = await call<object>('task/previewRollback', { taskId }, a.admin)
  expect(preview.data).toMatchObject({
    former: [
      { version: '1.0.0', devices: 2, spId: expect.any(Number) },
      { version: '1.1.0', devices: 1, spId: null },
    ],
  })
  const { data } = await rollBack()
  expect(data).toMatchObject({
    tasks: [{ version: '1.0.0', devices: 2 }],
    without: [{ version: '1.1.0', devices: 1, spId: null }],
  })
  const items = await sql<{ id: number }[]>`
    select device_id as id from task_items where task_id = ${data?.tasks[0]?.taskId ?? 0} order by 1`
  expect(items.map(({ id }) => id)).toEqual(a.devices.slice(0, 2).map(({ id }) => id))
})

it('the platform, which sees the packages of all customers, sends none of them to another one', async () => {
  const { data } = await call<object>('task/previewRollback', { taskId }, tenants.superAdmin)
  expect(data).toMatchObject({
    former: [
      { version: '1.0.0', devices: 2, spId: expect.any(Number) },
      { version: '1.1.0', devices: 1, spId: null },
    ],
  })
  const own = await addPackage(context, { customerId: a.customerId, model: MODEL, version: '1.1.0' })
  const again = await call<object>('task/previewRollback', { taskId }, tenants.superAdmin)
  await sql`delete from packages where id = ${own.id}`
  expect(again.data).toMatchObject({ former: [{ version: '1.0.0' }, { version: '1.1.0', spId: own.id }] })
})

it('asked for by several at once is done once', async () => {
  const answers = await Promise.all([rollBack(), rollBack(), rollBack()])
  expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  expect(await sql`select 1 from tasks where id <> ${taskId}`).toHaveLength(1)
})

it('pauses the task that it undoes, as long as that runs: its later waves get nothing', async () => {
  const paused = async () => (await sql`select paused_at, pause_reason from tasks where id = ${taskId}`)[0]
  expect((await call('task/previewRollback', { taskId }, a.admin)).data).toMatchObject({ pauses: true })
  expect((await rollBack()).data).toMatchObject({ paused: true })
  expect(await paused()).toMatchObject({ paused_at: expect.any(Date), pause_reason: 'person' })
  const decided = await sql`select what from task_decisions where task_id = ${taskId} order by id`
  expect(decided.map(({ what }) => what)).toEqual(['created', 'rolledBack', 'paused'])
  // What has ended, or is paused already, stays as it is.
  expect((await call('task/previewRollback', { taskId }, a.admin)).data).toMatchObject({ pauses: false })
  await sql`delete from tasks where id <> ${taskId}`
  await sql`update tasks set paused_at = null, pause_reason = null, status = 'completed', completed_at = now() where id = ${taskId}`
  expect((await rollBack()).data).toMatchObject({ paused: false })
})

it('devices that have another version meanwhile are left alone', async () => {
  await sql`update devices set firmware = '3.0.0'`
  expect((await rollBack()).code).toBe(taskRefusals.taskNotRolledBack.code)
})

it('keeps to what the task kept to: no mobile data, its hours, its attempts', async () => {
  const retries = [{ failure: 'connectTimeout', times: 2, afterMinutes: 5 }]
  const window = { from: '01:00', to: '05:00', zone: 'Asia/Shanghai' }
  await sql`
    update tasks set unmetered = true, retries = ${sql.json(retries)}, "window" = ${sql.json(window)} where id = ${taskId}`
  const { data } = await rollBack()
  const [task] = await sql`
    select unmetered, retries, "window" from tasks where id = ${data?.tasks[0]?.taskId ?? 0}`
  expect(task).toEqual({ unmetered: true, retries, window })
})

it.each([
  ['Back again', 'Back again'],
  [`${'x'.repeat(47)}😀`, 'x'.repeat(47)],
])('names the tasks by their versions if there are several: %s', async (given, named) => {
  await addPackage(context, { customerId: null, model: MODEL, version: '1.1.0' })
  await sql`update packages set synced_at = now()`
  const { data } = await rollBack(a.admin, given)
  const ids = data?.tasks.map((one) => one.taskId) ?? []
  const rows = await sql<{ name: string }[]>`select name from tasks where id = any(${ids}) order by version`
  expect(rows.map(({ name }) => name)).toEqual([`${named} → 1.0.0`, `${named} → 1.1.0`])
  await sql`delete from tasks where id = any(${ids})`
  await sql`delete from packages where version = '1.1.0' and customer_id is null`
})

it('says which package is no longer stored', async () => {
  await sql`update packages set deleted_at = now() where version = '1.0.0'`
  expect(await rollBack()).toMatchObject({
    code: taskRefusals.formerPackageGone.code,
    message: expect.stringContaining('1.0.0, 1.1.0'),
  })
})

it('needs the permission to upgrade, and a visible task', async () => {
  for (const user of [a.viewer, b.admin])
    expect((await rollBack(user)).code).toBe(sessionRefusals.noPermission.code)
})

it('ends what the task still does with them: no observation delays it, no other attempt follows it', async () => {
  const [observed, waiting, failed] = a.devices
  const item = async (id = 0) =>
    (
      await sql`
        select outcome, sending, failure_detail as detail, retry_at as again, retry_off as off
        from task_items where task_id = ${taskId} and device_id = ${id} and not superseded`
    )[0]
  await sql`update task_items set from_version = '1.0.0' where task_id = ${taskId}`
  await byForce(sql, async (tx) => {
    await tx`update task_items set step = 'upgrading', sending = 'soaking', soak_until = now() + interval '1 hour'
      where task_id = ${taskId} and device_id = ${observed?.id ?? 0}`
    await tx`update task_items set step = 'connected', outcome = 'failed', failure = 'connectTimeout', retry_at = now() + interval '1 hour'
      where task_id = ${taskId} and device_id = ${failed?.id ?? 0}`
    // Its first attempt came back with the version after it had been given up.
    await tx`update task_items set outcome = 'failed', failure = 'connectTimeout', superseded = true
      where task_id = ${taskId} and device_id = ${waiting?.id ?? 0}`
    await tx`insert into task_items (id, task_id, device_id, customer_id, attempt, deadline_at, from_version)
      values (gen_random_uuid(), ${taskId}, ${waiting?.id ?? 0}, ${a.customerId}, 2, now() + interval '1 hour', '1.0.0')`
  })
  expect((await rollBack()).data).toMatchObject({ tasks: [{ version: '1.0.0', devices: 3 }] })
  expect(await item(observed?.id)).toMatchObject({ outcome: 'failed', sending: 'none', detail: 'rolledBack' })
  expect(await item(waiting?.id)).toMatchObject({
    outcome: 'cancelled',
    sending: 'none',
    detail: 'rolledBack',
  })
  expect(await item(failed?.id)).toMatchObject({ outcome: 'failed', again: null, off: true })
})

it('devices that wait for another package of the same version are not on their way back', async () => {
  const [device] = a.devices
  const of = (name: string, version: string) =>
    addPackage(context, { customerId: null, model: MODEL, version, name, type: 'ordinary' })
  const [, tool, lib] = [await of('tool', '1.0'), await of('tool', '2.0'), await of('lib', '1.0')]
  const send = async (spId: number) =>
    (
      await call<{ taskId: number }>(
        'levelUp/addLevelUp',
        { name: 'Extra', spId, dids: [device?.id] },
        a.admin,
      )
    ).data?.taskId ?? 0
  const toolTask = await send(tool.id)
  await sql`update task_items set offers = 1, from_version = '1.0' where task_id = ${toolTask}`
  await sql`update devices set packages = '{"tool":"2.0"}' where id = ${device?.id ?? 0}`
  await send(lib.id)
  const { data } = await call<object>('task/previewRollback', { taskId: toolTask }, a.admin)
  await sql`update devices set packages = null where id = ${device?.id ?? 0}`
  expect(data).toMatchObject({ former: [{ version: '1.0', devices: 1 }] })
})

it('when it is pressed twice, no device is rolled back twice', async () => {
  expect((await rollBack()).data?.tasks).toHaveLength(1)
  expect((await rollBack()).code).toBe(taskRefusals.formerPackageGone.code)
  await sql`update task_items set from_version = '1.0.0' where task_id = ${taskId}`
  expect((await rollBack()).data).toMatchObject({ tasks: [{ devices: 1 }] })
  expect((await rollBack()).code).toBe(taskRefusals.taskNotRolledBack.code)
})
