import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { byForce } from '#test/move-check'
import { addPackage } from '#test/tenants'

const { context, tenants, call } = await apiTest()
const { sql } = context

it('a device says what keeps its step waiting, until the step or the task is over', async () => {
  const { admin, devices } = tenants.a
  const { id: spId } = await addPackage(context, { customerId: null, model: 'R200', version: '7.1.0' })
  const made = await call<{ taskId: number }>(
    'levelUp/addLevelUp',
    { name: 'Held up', spId, dids: [devices[0]?.id] },
    admin,
  )
  const taskId = made.data?.taskId ?? 0
  const item = async () => {
    type Reply = { list: { heldUpBy: string | null; failure: string | null }[] }
    return (await call<Reply>('task/getTaskItems', { taskId }, admin)).data?.list[0]
  }
  expect(await item()).toMatchObject({ heldUpBy: null, failure: null })
  await sql`update task_items set held_up_by = 'domainError' where task_id = ${taskId}`
  expect(await item()).toMatchObject({ heldUpBy: 'domainError', failure: null })
  await byForce(sql, async (tx) => {
    await tx`update task_items set outcome = 'failed', failure = 'domainError' where task_id = ${taskId}`
  })
  expect(await item()).toMatchObject({ heldUpBy: null, failure: 'domainError', retryAt: null })
  await sql`update task_items set retry_at = '2031-01-01T00:00:00Z' where task_id = ${taskId}`
  expect(await item()).toMatchObject({ retryAt: '2031-01-01T00:00:00.000Z' })
  // Nothing is retried before the task is resumed.
  await sql`update tasks set paused_at = now() where id = ${taskId}`
  expect(await item()).toMatchObject({ retryAt: null })
})

it('a device that waits for its turn has no deadline while it is online; offline, it has the time of the task for that', async () => {
  const { admin, devices } = tenants.a
  const [first] = devices
  const { id: spId } = await addPackage(context, { customerId: null, model: 'R200', version: '7.2.0' })
  const made = await call<{ taskId: number }>(
    'levelUp/addLevelUp',
    {
      name: 'By night',
      spId,
      dids: [first?.id],
      waitOfflineMinutes: 15,
      window: { from: '01:00', to: '05:00' },
    },
    admin,
  )
  const taskId = made.data?.taskId ?? 0
  const deadline = async () => {
    type Reply = { list: { deadlineAt: string | null }[] }
    return (await call<Reply>('task/getTaskItems', { taskId }, admin)).data?.list[0]?.deadlineAt
  }
  const at = (minutes: number) =>
    new Date(Math.floor(Date.now() / 1000) * 1000 + minutes * 60_000).toISOString()
  // Its hours have not begun within the time for offline devices.
  await sql`update task_items set deadline_at = ${at(-30)} where task_id = ${taskId}`
  await sql`update device_states set online = true where device_id = ${first?.id ?? 0}`
  expect(await deadline()).toBeNull()
  await sql`update device_states set online = false, last_logout_at = ${at(-5)} where device_id = ${first?.id ?? 0}`
  const scale = context.env.TASK_DEADLINE_SCALE
  expect(Date.parse((await deadline()) ?? '')).toBeCloseTo(Date.parse(at(-5 + 15 * scale)), -4)
  await sql`update device_states set online = true where device_id = ${first?.id ?? 0}`
  await sql`update task_items set sending = 'sent', step = 'sent', deadline_at = ${at(3)} where task_id = ${taskId}`
  expect(Date.parse((await deadline()) ?? '')).toBeCloseTo(Date.parse(at(3)), -4)
})

it('names of the devices that were left out only those that the reader sees, not those of other groups or customers', async () => {
  const { a, b } = tenants
  const [own, branch] = a.devices
  const [foreign] = b.devices
  if (!own || !branch || !foreign) throw new Error('no device')
  await sql`update devices set model = 'R500' where id in (${own.id}, ${foreign.id})`
  const { id: spId } = await addPackage(context, { customerId: null, model: 'R200', version: '7.3.0' })
  const made = await call<{ taskId: number }>(
    'levelUp/addLevelUp',
    { name: 'Of the platform', spId, dids: [own.id, branch.id, foreign.id] },
    tenants.superAdmin,
  )
  const taskId = made.data?.taskId ?? 0
  const leftOut = async (reader: typeof a.admin) =>
    (await call<{ leftOut: unknown }>('task/getTask', { taskId }, reader)).data?.leftOut
  const reason = { reason: 'modelMismatch', count: 2 }
  expect(await leftOut(tenants.superAdmin)).toEqual([{ ...reason, sample: [own.sn, foreign.sn] }])
  expect(await leftOut(a.admin)).toEqual([{ ...reason, sample: [own.sn] }])
  expect(await leftOut(a.viewer)).toEqual([{ ...reason, sample: [] }])
})
