import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { deviceRebootPermission } from '#schema/device/commands/power'
import { addDevices, type TestDevice, type TestUser } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { driveCommandsJob } from '../command/drive-commands.ts'

let bench: Bench
let many: TestDevice[]
beforeAll(async () => {
  bench = await openBench()
  const { a } = bench.tenants
  many = await addDevices(bench.ctx.sql, a.customerId, a.groups.branch, 'MANY-', 60)
  for (const device of many) await bench.greet(device, 'boot-1')
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from commands`
  await bench.ctx.sql`delete from command_batches`
  bench.pass(600_000)
})
const drive = async () => {
  bench.pass(2500)
  await driveCommandsJob.run(bench.ctx, {})
}
const told = () => new Set(bench.heard('command').map(({ sn }) => sn)).size

async function batch(sender: TestUser, devices: readonly TestDevice[] = many): Promise<string> {
  const id = randomUUID()
  const now = bench.ctx.now()
  const expires = new Date(now.getTime() + 1_800_000)
  await bench.ctx.sql`
    insert into command_batches (id, customer_id, created_by, request_id, name, args, created_at, expires_at, matching, left_out)
    values (${id}, ${sender.customerId}, ${sender.id}, ${randomUUID()}, 'reboot', '{}', ${now}, ${expires}, ${devices.length}, '[]')`
  await bench.ctx.sql`
    insert into commands (id, device_id, customer_id, name, args, created_at, deadline_at, batch_id)
    select gen_random_uuid(), id, customer_id, 'reboot', '{"delayS":0}', ${now}, ${expires}, ${id}
    from devices where id = any(${devices.map((device) => device.id)})`
  return id
}
const stopOf = async (id: string) => {
  const [row] = await bench.ctx.sql<{ reason: string | null; failed: number | null; tried: number | null }[]>`
    select stop_reason as reason, stopped_failed as failed, stopped_tried as tried from command_batches where id = ${id}`
  return row
}
const NOT_STOPPED = { reason: null, failed: null, tried: null }
/** So many of those that were sent to stay away too long. */
const stayAway = (count: number) => bench.ctx.sql`
  update commands set state = 'timedOut', ended_at = ${bench.ctx.now()} where id in (
    select id from commands where state = 'sent' order by id limit ${count})`
const queued = async () => {
  const [row] = await bench.ctx.sql<
    { n: number }[]
  >`select count(*)::int as n from commands where state = 'queued'`
  return row?.n
}

it('a batch of which too many stay away sends nothing more, and what waits does not expire at once', async () => {
  const id = await batch(bench.tenants.a.admin)
  await drive()
  expect(told()).toBe(15)
  await stayAway(4)
  await drive()
  expect(await stopOf(id)).toEqual(NOT_STOPPED)
  const sent = told()
  await stayAway(1)
  await drive()
  expect(await stopOf(id)).toEqual({ reason: 'failures', failed: 5, tried: sent })
  expect(told()).toBe(sent)
  bench.pass(1_900_000)
  await drive()
  expect(await queued()).toBe(60 - sent)
  expect(told()).toBe(sent)
  bench.pass(3_600_000)
  await drive()
  expect(await queued()).toBe(0)
})

it('after it was let go on by hand failures count anew', async () => {
  const id = await batch(bench.tenants.a.admin)
  await drive()
  await stayAway(5)
  await drive()
  expect((await stopOf(id))?.reason).toBe('failures')
  await bench.ctx.sql`
    update command_batches set stopped_at = null, resumed_at = ${bench.ctx.now()}, resumed_by = created_by where id = ${id}`
  const before = told()
  await drive()
  expect(told()).toBeGreaterThan(before)
  const [row] = await bench.ctx.sql`select stopped_at from command_batches where id = ${id}`
  expect(row).toEqual({ stopped_at: null })
})

it('a batch whose sender is disabled, lost the right or is gone stops and says so', async () => {
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
  const ids: string[] = []
  for (const [i, sender] of senders.entries())
    ids.push(await batch(sender, many.slice(i * third, (i + 1) * third)))
  await drive()
  const sent = told()
  expect(sent).toBe(15)
  await sql`update users set status = 0 where id = ${senders[0].id}`
  await sql`delete from users where id = ${senders[1].id}`
  await sql`update roles set function_ids = '{}' where id = ${role?.id ?? 0}`
  await sql`update commands set state = 'done', ended_at = ${bench.ctx.now()} where state = 'sent'`
  await drive()
  for (const id of ids) expect((await stopOf(id))?.reason).toBe('sender')
  expect(told()).toBe(sent)
})

it("what waits of a normal user's batch and left his groups gets nothing", async () => {
  const { sql } = bench.ctx
  const { operator, groups } = bench.tenants.a
  await batch(operator)
  await drive()
  await sql`update devices set group_id = ${groups.other} where id = any(${many.slice(30).map(({ id }) => id)})`
  await sql`update commands set state = 'done', ended_at = ${bench.ctx.now()} where state = 'sent'`
  const left = await queued()
  await drive()
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from commands where state = 'cancelled'`
  expect(row?.n).toBeGreaterThan(0)
  expect(await queued()).toBeLessThan(left ?? 0)
  const [outside] = await sql<{ n: number }[]>`
    select count(*)::int as n from commands c join devices d on d.id = c.device_id where c.state = 'queued' and d.group_id = ${groups.other}`
  expect(outside?.n).toBe(0)
  await sql`update devices set group_id = ${groups.branch} where id = any(${many.map(({ id }) => id)})`
})
