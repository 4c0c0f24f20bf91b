import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { addDevices, type TestDevice, type TestUser } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { commandBook } from '../command/command-book.ts'
import { driveCommandsJob } from '../command/drive-commands.ts'
import { drainInboxJob } from '../inbox/drain-inbox.ts'

let bench: Bench
let site: TestDevice[]
beforeAll(async () => {
  bench = await openBench()
  const { a } = bench.tenants
  site = await addDevices(bench.ctx.sql, a.customerId, a.groups.other, 'SITE-', 12)
})
beforeEach(async () => {
  bench.line.said.length = 0
  bench.line.fail = false
  await bench.ctx.sql`delete from commands`
  await bench.ctx.sql`delete from command_batches`
  bench.pass(600_000)
})
const drive = () => driveCommandsJob.run(bench.ctx, {})
const told = () => new Set(bench.heard('command').map(({ sn }) => sn))

async function batch(
  of: readonly TestDevice[],
  waitMs = 3_600_000,
  sender: TestUser = bench.tenants.a.admin,
): Promise<string> {
  const batchId = randomUUID()
  await bench.ctx.sql`
    insert into command_batches (id, customer_id, created_by, request_id, name, args, created_at, expires_at, matching, left_out)
    values (${batchId}, ${bench.tenants.a.customerId}, ${sender.id}, ${randomUUID()}, 'reboot', '{}', ${bench.ctx.now()},
      ${new Date(bench.ctx.now().getTime() + waitMs)}, ${of.length}, '[]')`
  for (const device of of) await bench.greet(device, 'boot-1')
  await bench.ctx.sql`
    insert into commands (id, device_id, customer_id, name, args, created_at, deadline_at, batch_id)
    select gen_random_uuid(), id, customer_id, 'reboot', '{"delayS":0}', ${bench.ctx.now()},
      ${new Date(bench.ctx.now().getTime() + waitMs)}, ${batchId} from devices where id = any(${of.map(({ id }) => id)})`
  return batchId
}
const states = async () =>
  Object.fromEntries(
    (
      await bench.ctx.sql<{ state: string; n: number }[]>`
        select state, count(*)::int as n from commands group by 1`
    ).map(({ state, n }) => [state, n]),
  )
const comeBack = async (sns: Iterable<string>, bootId: string) => {
  for (const device of site.filter(({ sn }) => new Set(sns).has(sn)))
    await bench.hello(device, bootId, '1.0.0')
  await drainInboxJob.run(bench.ctx, {})
}

it('what must be typed for one device never goes to many, nor what the platform alone sends', () => {
  const bulk = [...commandBook.values()].filter((command) => command.bulk)
  expect(bulk.map(({ name }) => name)).toEqual(['reboot'])
  expect(bulk.filter(({ confirm, platformOnly }) => confirm === 'typed' || platformOnly)).toEqual([])
})

it('a site does not go dark as a whole: the next go when those before are back', async () => {
  await batch(site)
  await drive()
  expect(told().size).toBe(3)
  bench.pass(2000)
  await drive()
  expect(told().size).toBe(3)
  for (const rounds of [2, 3, 4]) {
    await comeBack(told(), `boot-${rounds}`)
    bench.pass(2000)
    await drive()
    expect(told().size).toBe(3 * rounds)
  }
  await comeBack(told(), 'boot-5')
  expect(await states()).toEqual({ done: 12 })
})

it('two batches over one site count together and take turns: the small one does not wait for the end of the big one', async () => {
  const big = await batch(site.slice(0, 8))
  await drive()
  expect(told().size).toBe(2)
  const small = await batch(site.slice(8))
  const sentOf = async (id: string) => {
    const [row] = await bench.ctx.sql<{ n: number }[]>`
      select count(*)::int as n from commands where batch_id = ${id} and state <> 'queued'`
    return row?.n
  }
  await drive()
  expect([await sentOf(big), await sentOf(small)]).toEqual([2, 1])
  await comeBack(told(), 'boot-2')
  bench.pass(2000)
  await drive()
  expect([await sentOf(big), await sentOf(small)]).toEqual([4, 2])
})

it('a site that several batches address one after another is no bigger for it', async () => {
  // Each is done with all but some, which wait: twelve devices, three batches of twelve.
  for (const [from, to] of [
    [0, 4],
    [4, 8],
    [8, 12],
  ] as const) {
    const id = await batch(site)
    await bench.ctx.sql`
      update commands set state = 'done', ended_at = ${bench.ctx.now()}
      where batch_id = ${id} and device_id <> all(${site.slice(from, to).map((device) => device.id)})`
  }
  await drive()
  expect(told().size).toBe(3)
})

it('no more leave per second than declared', async () => {
  const { a } = bench.tenants
  const many: TestDevice[] = []
  for (let i = 0; i < 30; i++) {
    const [row] = await bench.ctx.sql<{ id: number }[]>`
      insert into groups (customer_id, name, level) values (${a.customerId}, ${`Shop ${i}`}, 1) returning id`
    many.push(...(await addDevices(bench.ctx.sql, a.customerId, row?.id ?? 0, `SHOP${i}-`, 1)))
  }
  await batch(many)
  await drive()
  await drive()
  expect(told().size).toBe(20)
  bench.pass(2500)
  await drive()
  expect(told().size).toBe(30)
})

it('a worker that is killed while sending sends nothing twice, and what is away stays counted', async () => {
  await batch(site)
  bench.line.fail = true
  await drive()
  bench.line.fail = false
  expect(await states()).toEqual({ sending: 3, queued: 9 })
  bench.pass(11_000)
  await drive()
  expect(bench.heard('command')).toHaveLength(0)
  expect(bench.heard('inquire')).toHaveLength(3)
})

it('a device that comes back days later is not rebooted: what waited is expired', async () => {
  await batch(site.slice(0, 2), 1_200_000)
  for (const device of site.slice(0, 2)) await bench.leave(device)
  await drive()
  expect(await states()).toEqual({ queued: 2 })
  bench.pass(3 * 86_400_000)
  for (const device of site.slice(0, 2)) await bench.greet(device, 'boot-9')
  await drive()
  expect(await states()).toEqual({ expired: 2 })
  expect(told().size).toBe(0)
})

it('what was cancelled before it was sent is never sent', async () => {
  await batch(site)
  await drive()
  await bench.ctx.sql`update commands set state = 'cancelled', ended_at = now() where state = 'queued'`
  const first = [...told()]
  await comeBack(first, 'boot-7')
  bench.pass(5000)
  await drive()
  expect([...told()]).toEqual(first)
  expect(await states()).toEqual({ done: 3, cancelled: 9 })
})

it('a device that began to flash meanwhile waits', async () => {
  const [one] = site
  if (!one) throw new Error('no device')
  const task = await bench.task([one])
  await bench.ctx.sql`update task_items set step = 'upgrading' where id = ${task.itemOf(one)}`
  await batch([one])
  await drive()
  expect(told().size).toBe(0)
})
