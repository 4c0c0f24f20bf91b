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
  expect(await item()).toMatchObject({ heldUpBy: null, failure: 'domainError' })
})
