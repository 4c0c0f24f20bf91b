/** What was encrypted with another JWT_SECRET ends with its reason, and holds up nothing else. */
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import { configure } from '#test/configured'
import { addDevices, type TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { driveCommandsJob } from '../command/drive-commands.ts'
import { dispatchTasksJob } from '../task/dispatch-tasks.ts'

let bench: Bench
let fleet: TestDevice[]
let own: string

beforeAll(async () => {
  bench = await openBench()
  own = bench.ctx.env.JWT_SECRET
  const { customerId, groups } = bench.tenants.a
  fleet = await addDevices(bench.ctx.sql, customerId, groups.root, 'KEY-', 3)
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from tasks`
  for (const device of fleet) {
    await configure(bench.ctx, device.id)
    await bench.greet(device)
  }
})

const TIME = JSON.stringify({ by: 'values', pages: { ntp: { servers: ['other.example'] } } })
/** A change of the configuration of devices, as a task stores it. */
async function change(devices: readonly TestDevice[], key: string): Promise<number> {
  const { taskId } = await bench.task(devices)
  await bench.ctx.sql`
    update tasks set kind = 'config', command = 'applyConfig', package_id = null, type = null, version = null, args = ${bench.ctx.sql.json({ change: seal(TIME, key) })}
    where id = ${taskId}`
  return taskId
}
const ends = async () =>
  (
    await bench.ctx.sql<{ detail: string | null }[]>`
      select i.failure_detail as detail from task_items i join devices d on d.id = i.device_id order by d.sn`
  ).map(({ detail }) => detail)
const told = () => bench.heard('command').map(({ sn }) => sn)

it('a change for many devices', async () => {
  await change(fleet.slice(0, 1), 'another key')
  await change(fleet.slice(1, 3), own)
  // Its configuration is read again, which has not happened yet.
  await bench.ctx.sql`
    update device_configs set document = ${seal('{}', 'another key')} where device_id = ${fleet[1]?.id ?? 0}`
  await dispatchTasksJob.run(bench.ctx, {})
  expect(await ends()).toEqual(['otherKey', 'noConfiguration', null])
  expect(told()).toEqual([fleet[2]?.sn])
})

it('the arguments that a task made before', async () => {
  await change(fleet.slice(0, 2), own)
  await bench.ctx.sql`
    update task_items set args = jsonb_build_object('of', id, 'sealed', ${seal('{}', 'another key')}::text)
    where device_id = ${fleet[0]?.id ?? 0}`
  await dispatchTasksJob.run(bench.ctx, {})
  expect(await ends()).toEqual(['otherKey', null])
  expect(told()).toEqual([fleet[1]?.sn])
})

it('the arguments of a command, which ends with its time', async () => {
  for (const [i, key] of ['another key', own].entries())
    await bench.ctx.sql`
      insert into commands (id, device_id, customer_id, name, args, deadline_at)
      values (gen_random_uuid(), ${fleet[i]?.id ?? 0}, ${bench.tenants.a.customerId}, 'setPassword', ${bench.ctx.sql.json({ sealed: seal('{}', key) })}, ${new Date(bench.ctx.now().getTime() + 60_000)})`
  await driveCommandsJob.run(bench.ctx, {})
  expect(told()).toEqual([fleet[1]?.sn])
})
