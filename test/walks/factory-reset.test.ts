/** Factory settings for a site: approved by a second person, a quarter at a time, each device back and proved. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dispatchTasks } from '#schema/task/task'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { addDevices, seedTenants, simulated, TEST_PASSWORD, type Tenant } from '../tenants.ts'
import { until } from './until.ts'
import { completed } from './watch-task.ts'

let booted: Booted
let a: Tenant
let dids: number[]

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.2' })
  a = (await seedTenants(context)).a
  const site = await addDevices(context.sql, a.customerId, a.groups.branch, 'FACTORY-', 4)
  dids = site.map(({ id }) => id)
  booted = await bootAll({
    context,
    sim: {
      count: 4,
      speed: 50,
      ...simulated(site),
    },
  })
  await until('four are there', async () => {
    const [row] = await context.sql<{ n: number }[]>`
      select count(*)::int as n from devices d join device_states s on s.device_id = d.id
      where s.online and d.hello_at is not null and d.id = any(${dids})`
    return row?.n === 4
  })
})
afterAll(() => booted?.close())

it('nothing is sent before the second person agrees; then all come back from a new boot', async () => {
  const [creator, second] = await Promise.all([
    booted.login(a.admin.username, TEST_PASSWORD),
    booted.login(a.operator.username, TEST_PASSWORD),
  ])
  const boots = async () =>
    (
      await booted.context.sql<{ boot: string }[]>`
        select boot_id as boot from devices where id = any(${dids}) order by id`
    ).map(({ boot }) => boot)
  const before = await boots()
  const body = { kind: 'factoryReset', name: 'Site back to factory', dids, atMost: 4, typedCount: 4 }
  const made = await booted.call('task/addTask', { ...body, requestId: crypto.randomUUID() }, creator)
  const { taskId } = made.data as { taskId: number }
  await booted.runJob(dispatchTasks, 2)
  const [sent] = await booted.context.sql`
    select count(*)::int as n from task_items where task_id = ${taskId} and offers > 0`
  expect(sent).toEqual({ n: 0 })
  expect((await booted.call('task/approveTask', { taskId }, creator)).code).not.toBe(0)
  expect((await booted.call('task/approveTask', { taskId }, second)).code).toBe(0)
  const items = await completed(booted.context, taskId)
  expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done'])
  expect((await boots()).filter((boot, i) => boot === before[i])).toEqual([])
}, 120_000)
