/** A change for many devices: how its items pass through the engine while their packages are made late. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { wantedConfig } from '#infra/config/wanted-config'
import { seal } from '#infra/secrets'
import { sampleDoc } from '#schema/config/sample-doc'
import { noTraits } from '#schema/config/tried-page'
import { UNREADABLE_AFTER_MS } from '#schema/task/task'
import { RAMP_START } from '#schema/task/task-guard'
import { configure } from '#test/configured'
import { meanwhile } from '#test/meanwhile'
import { addDevices, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from '../task/dispatch-tasks.ts'
import { sweepTasksJob } from '../task/sweep-tasks.ts'
import { takeDue } from '../task/take-due.ts'
import { driveConfigsJob } from './drive-configs.ts'
import { prepareConfigs } from './prepare-configs.ts'
import { settleConfigs } from './settle-configs.ts'

let bench: Bench
let fleet: TestDevice[]

beforeAll(async () => {
  bench = await openBench()
  const { customerId, groups } = bench.tenants.a
  fleet = await addDevices(bench.ctx.sql, customerId, groups.root, 'MANY-', 40)
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from tasks`
  await bench.ctx.sql`delete from inbox`
  for (const device of fleet) {
    await configure(bench.ctx, device.id)
    await bench.greet(device)
  }
})

const TIME = { by: 'values' as const, pages: { ntp: { servers: ['other.example'] } } }
async function change(devices: readonly TestDevice[], what: object = TIME) {
  const { sql, env } = bench.ctx
  const made = await bench.task(devices)
  await sql`
    update tasks set kind = 'config', command = 'applyConfig', package_id = null, type = null, version = null, slow_start = true,
      max_failure_percent = 10, args = ${sql.json({ change: seal(JSON.stringify(what), env.JWT_SECRET) })}
    where id = ${made.taskId}`
  return made
}
const told = () => bench.heard('command').map(({ sn }) => sn)
const dispatch = () => dispatchTasksJob.run(bench.ctx, {})

it('is sent again to a device that has never received it', async () => {
  const device = fleet[0] as TestDevice
  const { itemOf } = await change([device])
  await dispatch()
  expect(told()).toEqual([device.sn])
  bench.pass(31_000)
  await sweepTasksJob.run(bench.ctx, {})
  await bench.report(device, 'reply', { id: itemOf(device), at: 0, state: 'unknown' })
  await drainInboxJob.run(bench.ctx, {})
  await settleConfigs(bench.ctx)
  await dispatch()
  expect(await bench.item(itemOf(device))).toMatchObject({ sending: 'sent', offers: 2 })
  expect(told()).toEqual([device.sn, device.sn])
})

it('tries it on few devices first, also if many others run the values already', async () => {
  const { taskId } = await change(fleet)
  const ahead = fleet.slice(0, 25)
  const target = { deviceId: 0, groupId: 0, own: {}, level: 1, doc: sampleDoc, traits: noTraits }
  const { after: doc } = wantedConfig(TIME, target, null, 'en-US')
  for (const device of ahead) await configure(bench.ctx, device.id, { doc })
  await dispatch()
  expect(await bench.standing(taskId)).toEqual({ done: 25, away: RAMP_START, waiting: 15 - RAMP_START })
  expect(told()).toHaveLength(RAMP_START)
})

it('does not deadlock with a report of its device, which locks the item before the configuration', async () => {
  const { ctx } = bench
  const device = fleet[0] as TestDevice
  const { itemOf } = await change([device])
  const rows = await ctx.sql.begin((tx) => takeDue(tx, ctx))
  const made = await meanwhile(
    ctx.sql,
    () => prepareConfigs(ctx, rows),
    (tx) => tx`select 1 from task_items where id = ${itemOf(device)} for update`,
    (tx) => tx`update device_configs set asked_at = now() where device_id = ${device.id}`,
  )
  expect(made).toHaveLength(1)
})

it('ends on a device that is there, but whose configuration can never be read; not on one that was read meanwhile', async () => {
  const { ctx } = bench
  const [never, again] = fleet as [TestDevice, TestDevice]
  const { itemOf } = await change([never, again])
  await ctx.sql`
    update device_states set online = true, online_changed_at = ${ctx.now()} where device_id = any(${[never.id, again.id]})`
  const unread = (device: TestDevice) =>
    ctx.sql`update device_configs set running_hash = 'unheard of', asked_at = null where device_id = ${device.id}`
  await unread(never)
  await unread(again)
  const look = async () => {
    await driveConfigsJob.run(ctx, {})
    await sweepTasksJob.run(ctx, {})
  }
  await look()
  await ctx.sql`update device_configs set running_hash = document_hash where device_id = ${again.id}`
  await look()
  // Its waiting time is over, but nothing is known against it.
  await ctx.sql`update task_items set deadline_at = ${ctx.now()} where outcome is null`
  bench.pass(UNREADABLE_AFTER_MS - 60_000)
  await look()
  expect(await bench.item(itemOf(never))).toMatchObject({ outcome: null, sending: 'none' })
  await unread(again)
  bench.pass(90_000)
  await look()
  expect(await bench.item(itemOf(never))).toMatchObject({ outcome: 'failed', failure: 'upgradeFailed' })
  const [told] = await ctx.sql`select failure_detail from task_items where id = ${itemOf(never)}`
  expect(told).toEqual({ failure_detail: 'noConfiguration' })
  expect(await bench.item(itemOf(again))).toMatchObject({ outcome: null, sending: 'none' })
})
