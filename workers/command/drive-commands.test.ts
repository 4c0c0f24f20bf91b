import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { driveCommandsJob } from './drive-commands.ts'

let bench: Bench
let device: TestDevice
beforeAll(async () => {
  bench = await openBench()
  const found = bench.tenants.a.devices[0]
  if (!found) throw new Error('no device')
  device = found
})
beforeEach(async () => {
  bench.line.said.length = 0
  bench.line.fail = false
  await bench.ctx.sql`delete from commands`
})
const drive = () => driveCommandsJob.run(bench.ctx, {})
const drain = () => drainInboxJob.run(bench.ctx, {})

async function reboot(): Promise<string> {
  const id = randomUUID()
  await bench.ctx.sql`
    insert into commands (id, device_id, customer_id, name, args, deadline_at)
    values (${id}, ${device.id}, ${device.customerId}, 'reboot', '{"delayS":0}', ${new Date(bench.ctx.now().getTime() + 60_000)})`
  return id
}
const state = async (id: string) => {
  const [row] = await bench.ctx.sql<{ state: string; error: string | null; ended: boolean }[]>`
    select state, error, ended_at is not null as ended from commands where id = ${id}`
  return row
}
const reply = (id: string, said: string, more: object = {}) =>
  bench.report(device, 'reply', { id, at: 0, state: said, ...more })

it('a reboot is sent, accepted, and done only when the device is back with another boot id', async () => {
  await bench.greet(device, 'boot-1')
  const id = await reboot()
  await drive()
  expect(
    bench.heard('command').map(({ sn, payload }) => [sn, payload['id'], payload['name'], payload['args']]),
  ).toEqual([[device.sn, id, 'reboot', { delayS: 0 }]])
  await reply(id, 'accepted')
  await drain()
  expect(await state(id)).toMatchObject({ state: 'accepted', ended: false })
  await bench.hello(device, 'boot-1', '1.0.0')
  await drain()
  expect(await state(id)).toMatchObject({ state: 'accepted', ended: false })
  await bench.hello(device, 'boot-2', '1.0.0')
  await drain()
  expect(await state(id)).toMatchObject({ state: 'done', ended: true })
})

it('after a crash in the sending window the device is asked, and only an unknown command is sent again', async () => {
  await bench.greet(device, 'boot-1')
  const id = await reboot()
  bench.line.fail = true
  await drive()
  bench.line.fail = false
  expect(await state(id)).toMatchObject({ state: 'sending' })
  bench.pass(11_000)
  await drive()
  await drive()
  expect(bench.line.said.map(({ name, payload }) => [name, payload['id']])).toEqual([['inquire', id]])
  await reply(id, 'unknown')
  await drain()
  expect(await state(id)).toMatchObject({ state: 'queued' })
  await drive()
  expect(bench.heard('command').map(({ payload }) => payload['id'])).toEqual([id])
  await reply(id, 'failed', { error: 'busy flashing' })
  await reply(id, 'done')
  await drain()
  expect(await state(id)).toEqual({ state: 'failed', error: 'busy flashing', ended: true })
})

it('a reply of another device changes nothing', async () => {
  await bench.greet(device, 'boot-1')
  const id = await reboot()
  await drive()
  const foreign = bench.tenants.b.devices[0]
  if (!foreign) throw new Error('no device')
  await bench.report(foreign, 'reply', { id, at: 0, state: 'failed', error: 'not mine' })
  await drain()
  expect(await state(id)).toMatchObject({ state: 'sent' })
})

it('silence is timedOut, and a device that does not come in time makes it expired', async () => {
  await bench.greet(device, 'boot-1')
  const sent = await reboot()
  await drive()
  await bench.leave(device)
  const waiting = await reboot()
  bench.pass(61_000)
  await drive()
  expect(await state(waiting)).toMatchObject({ state: 'expired', ended: true })
  expect(await state(sent)).toMatchObject({ state: 'sent' })
  bench.pass(240_000)
  await drive()
  expect(await state(sent)).toMatchObject({ state: 'timedOut', ended: true })
})

it('a command that was sent is not timedOut while no broker runs, and has its full time again after its return', async () => {
  const { sql } = bench.ctx
  await bench.greet(device, 'boot-1')
  const sent = await reboot()
  await drive()
  await bench.leave(device)
  const waiting = await reboot()
  await sql`delete from brokers where id = 'bench'`
  bench.pass(3_600_000)
  await drive()
  expect(await state(waiting)).toMatchObject({ state: 'expired', ended: true })
  expect(await state(sent)).toMatchObject({ state: 'sent', ended: false })
  await sql`insert into brokers (id, started_at, beat_at) values ('bench', ${bench.ctx.now()}, 'infinity')`
  bench.pass(59_000)
  await drive()
  expect(await state(sent)).toMatchObject({ state: 'sent', ended: false })
  bench.pass(241_000)
  await drive()
  expect(await state(sent)).toMatchObject({ state: 'timedOut', ended: true })
})

it('a command that was sent is not timedOut because the clock of the server is set forward by hours', async () => {
  const { sql } = bench.ctx
  await bench.greet(device, 'boot-1')
  const sent = await reboot()
  await drive()
  bench.pass(3 * 3_600_000)
  // The next heartbeat notices that the one before is three hours old.
  await sql`update brokers set started_at = ${bench.ctx.now()}`
  bench.pass(90_000)
  await drive()
  expect(await state(sent)).toMatchObject({ state: 'sent', ended: false })
  bench.pass(300_000)
  await drive()
  expect(await state(sent)).toMatchObject({ state: 'timedOut', ended: true })
  await sql`update brokers set started_at = to_timestamp(0)`
})

it('the deadline of a delayed reboot counts from its start', async () => {
  await bench.greet(device, 'boot-1')
  const id = await reboot()
  await bench.ctx.sql`update commands set args = '{"delayS":600}' where id = ${id}`
  await drive()
  await reply(id, 'accepted')
  await drain()
  bench.pass(600_000)
  await drive()
  expect(await state(id)).toMatchObject({ state: 'accepted', ended: false })
  await bench.hello(device, 'boot-2', '1.0.0')
  await drain()
  expect(await state(id)).toMatchObject({ state: 'done', ended: true })
})

it('does not wait for commands whose replies are being stored: that transaction locks several', async () => {
  const { sql } = bench.ctx
  await bench.greet(device, 'boot-1')
  const [held, queued, late, cut] = [await reboot(), await reboot(), await reboot(), await reboot()]
  const past = new Date(bench.ctx.now().getTime() - 1000)
  const [lateHeld, cutHeld] = [await reboot(), await reboot()]
  await sql`update commands set deadline_at = ${past} where id = any(${[late, lateHeld]}::uuid[])`
  await sql`
    update commands set state = 'sending', sent_at = ${new Date(bench.ctx.now().getTime() - 60_000)} where id = any(${[cut, cutHeld]}::uuid[])`
  await sql.begin(async (tx) => {
    await tx`select 1 from commands where id = any(${[held, lateHeld, cutHeld]}::uuid[]) for update`
    await drive()
  })
  const states = async (ids: string[]) => Promise.all(ids.map(async (id) => (await state(id))?.state))
  expect(await states([queued, late, held, lateHeld])).toEqual(['sent', 'expired', 'queued', 'queued'])
  const asked = () => bench.heard('inquire').map(({ payload }) => payload['id'])
  expect(asked()).toEqual([cut])
  await drive()
  expect(await states([held, lateHeld])).toEqual(['sent', 'expired'])
  expect(asked()).toEqual([cut, cutHeld])
})
