import { beforeAll, beforeEach, expect, it } from 'vitest'
import { deviceRebootPermission } from '#schema/device/commands/power'
import { addDevices, type TestDevice, type TestUser } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

let bench: Bench
let many: TestDevice[]
beforeAll(async () => {
  bench = await openBench()
  const { a } = bench.tenants
  many = await addDevices(bench.ctx.sql, a.customerId, a.groups.branch, 'MANY-', 60)
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from tasks`
  bench.pass(600_000)
  for (const device of many) await bench.greet(device, 'boot-1')
})
const drive = async () => {
  bench.pass(2500)
  await sweepTasksJob.run(bench.ctx, {})
  await dispatchTasksJob.run(bench.ctx, {})
}
const told = () => new Set(bench.heard('command').map(({ sn }) => sn)).size
const reboot = (sender: TestUser, devices: readonly TestDevice[] = many) =>
  bench.reboot(devices, { sender, waitMs: 1_800_000 })
const pauseOf = async (id: number) => {
  const [row] = await bench.ctx.sql<{ reason: string | null; failed: number | null; tried: number | null }[]>`
    select pause_reason as reason, paused_failed as failed, paused_tried as tried from tasks where id = ${id}`
  return row
}
const GOES_ON = { reason: null, failed: null, tried: null }
/** This many of the devices that were sent to stay away too long. */
const stayAway = (count: number) => bench.ctx.sql`
  update task_items set outcome = 'failed', failure = 'connectTimeout' where id in (
    select id from task_items where outcome is null and sending = 'sent' order by id limit ${count})`
const allBack = () => bench.ctx.sql`
  update task_items set outcome = 'done', step = 'done', sending = 'none' where outcome is null and sending = 'sent'`
const waiting = async () => (await bench.standing())['waiting'] ?? 0

it('a reboot of which too many devices stay away sends nothing more, and waiting items do not expire immediately', async () => {
  const id = await reboot(bench.tenants.a.admin)
  await drive()
  expect(told()).toBe(15)
  await stayAway(4)
  await drive()
  expect(await pauseOf(id)).toEqual(GOES_ON)
  const sent = told()
  await stayAway(1)
  await drive()
  expect(await pauseOf(id)).toEqual({ reason: 'failures', failed: 5, tried: sent })
  expect(told()).toBe(sent)
  bench.pass(1_900_000)
  await drive()
  expect(await waiting()).toBe(60 - sent)
  expect(told()).toBe(sent)
  bench.pass(3_600_000)
  await drive()
  expect(await waiting()).toBe(0)
})

it('a task whose sender is disabled, lost the permission or is deleted pauses and says so', async () => {
  const { sql } = bench.ctx
  const { admin, customerId } = bench.tenants.a
  const [role] = await sql<{ id: number }[]>`
    insert into roles (customer_id, name, function_ids) values (${customerId}, 'May reboot', ${[deviceRebootPermission.id]}) returning id`
  const addUser = async (name: string): Promise<TestUser> => {
    const [row] = await sql<{ id: number }[]>`
      insert into users (username, password_hash, type, role_id, customer_id) values (${name}, '-', 'customerAdmin', ${role?.id ?? 0}, ${customerId}) returning id`
    return { ...admin, id: row?.id ?? 0, username: name }
  }
  const third = many.length / 3
  const senders = [
    await addUser('disabled-one'),
    await addUser('gone-one'),
    await addUser('lesser-one'),
  ] as const
  const ids: number[] = []
  for (const [i, sender] of senders.entries())
    ids.push(await reboot(sender, many.slice(i * third, (i + 1) * third)))
  await drive()
  const sent = told()
  expect(sent).toBe(15)
  await sql`update users set status = 0 where id = ${senders[0].id}`
  await sql`delete from users where id = ${senders[1].id}`
  await sql`update roles set function_ids = '{}' where id = ${role?.id ?? 0}`
  await allBack()
  await drive()
  for (const id of ids) expect((await pauseOf(id))?.reason).toBe('sender')
  expect(told()).toBe(sent)
})

it('an upgrade pauses, too, when the responsible user may no longer create it', async () => {
  const { taskId } = await bench.task(many.slice(0, 2))
  await bench.ctx.sql`update tasks set responsible_id = ${bench.tenants.a.viewer.id} where id = ${taskId}`
  await drive()
  expect((await pauseOf(taskId))?.reason).toBe('sender')
  expect(bench.heard('offer')).toHaveLength(0)
})

it("waiting devices of a normal user's task that left their groups are sent nothing", async () => {
  const { sql } = bench.ctx
  const { operator, groups } = bench.tenants.a
  await reboot(operator)
  await drive()
  await sql`update devices set group_id = ${groups.other} where id = any(${many.slice(30).map(({ id }) => id)})`
  await allBack()
  const left = await waiting()
  await drive()
  expect((await bench.standing())['cancelled']).toBeGreaterThan(0)
  expect(await waiting()).toBeLessThan(left)
  const [outside] = await sql<{ n: number }[]>`
    select count(*)::int as n from task_items i join devices d on d.id = i.device_id
    where i.outcome is null and i.sending = 'none' and d.group_id = ${groups.other}`
  expect(outside?.n).toBe(0)
  await sql`update devices set group_id = ${groups.branch} where id = any(${many.map(({ id }) => id)})`
})
