import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { downloadPassword, downloadSignature } from '#infra/secrets'
import type { TestDevice } from '#test/tenants'
import { addDevices } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

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
  bench.line.up = true
  bench.line.fail = false
  await bench.ctx.sql`delete from tasks`
  await bench.ctx.sql`update device_states set online = false`
  await bench.ctx.sql`update devices set hello_at = null`
})
const dispatch = () => dispatchTasksJob.run(bench.ctx, {})
const sweep = () => sweepTasksJob.run(bench.ctx, {})
const drain = () => drainInboxJob.run(bench.ctx, {})
const offers = () => bench.heard('offer').map(({ payload }) => payload['item'])

describe('an offer', () => {
  it('carries the data of the task and a link that only this device can use', async () => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    await dispatch()
    const [said] = bench.heard('offer')
    const payload = said?.payload as Record<string, string | number>
    expect(said?.sn).toBe(device.sn)
    expect(payload).toMatchObject({
      item: itemOf(device),
      type: 'upgrade',
      model: 'R200',
      version: '2.0.0',
      username: device.sn,
      password: downloadPassword(bench.ctx.env.JWT_SECRET, itemOf(device)),
      keepConfig: true,
    })
    const url = new URL(String(payload['url']))
    expect(url.origin).toBe(bench.ctx.env.PUBLIC_URL)
    expect(url.pathname).toBe(`/files/${itemOf(device)}`)
    expect(url.searchParams.get('sig')).toBe(
      downloadSignature(
        bench.ctx.env.JWT_SECRET,
        itemOf(device),
        device.sn,
        Number(url.searchParams.get('expires')),
      ),
    )
    expect(await bench.item(itemOf(device))).toMatchObject({
      step: 'sent',
      sending: 'sent',
      events: ['sent'],
    })
  })

  it('waits for the start, for the device, for its hello on this connection, and for its secret', async () => {
    const { itemOf } = await bench.task([device], { startAt: new Date(bench.ctx.now().getTime() + 60_000) })
    await bench.greet(device)
    await dispatch()
    expect(offers()).toEqual([])
    bench.pass(61_000)
    await bench.leave(device)
    await dispatch()
    expect(offers()).toEqual([])
    // Connected again, but without a hello so far.
    await bench.ctx
      .sql`update device_states set online = true, last_login_at = ${bench.ctx.now()} where device_id = ${device.id}`
    await dispatch()
    expect(offers()).toEqual([])
    await bench.greet(device)
    const [secret] = await bench.ctx.sql`select secret_hash from devices where id = ${device.id}`
    await bench.ctx.sql`update devices set secret_hash = null where id = ${device.id}`
    await dispatch()
    expect(offers()).toEqual([])
    await bench.ctx.sql`update devices set secret_hash = ${secret?.['secret_hash']} where id = ${device.id}`
    await dispatch()
    expect(offers()).toEqual([itemOf(device)])
  })

  it('is made once by several dispatchers, and one task at a time per device', async () => {
    await bench.greet(device)
    const first = await bench.task([device])
    bench.pass(1000)
    const second = await bench.task([device], { version: '3.0.0' })
    await Promise.all([dispatch(), dispatch(), dispatch()])
    await dispatch()
    expect(offers()).toEqual([first.itemOf(device)])
    await bench.progress(device, first.itemOf(device), 'failed', { failure: 'md5Failed' })
    await drain()
    await dispatch()
    expect(offers()).toEqual([first.itemOf(device), second.itemOf(device)])
  })

  it('is not made to a device that has the version already: that item is done', async () => {
    await bench.greet(device, 'boot-1', '2.0.0')
    const { itemOf } = await bench.task([device])
    await dispatch()
    expect(offers()).toEqual([])
    expect(await bench.item(itemOf(device))).toMatchObject({
      outcome: 'done',
      step: 'done',
      status: 'completed',
    })
  })

  it('is not needed only from its start on', async () => {
    await bench.greet(device, 'boot-1', '2.0.0')
    const { itemOf } = await bench.task([device], { startAt: new Date(bench.ctx.now().getTime() + 60_000) })
    await dispatch()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null, status: 'ongoing' })
    bench.pass(61_000)
    await dispatch()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: 'done' })
  })

  it('waits until the device was informed that the previous one has ended', async () => {
    await bench.greet(device)
    const first = await bench.task([device])
    await dispatch()
    await bench.ctx.sql`update task_items set outcome = 'cancelled' where id = ${first.itemOf(device)}`
    const second = await bench.task([device], { version: '3.0.0' })
    await dispatch()
    expect(offers()).toEqual([first.itemOf(device)])
    await sweep()
    expect(bench.heard('cancel')).toHaveLength(1)
    await dispatch()
    expect(offers()).toEqual([first.itemOf(device), second.itemOf(device)])
  })

  it('that was called back while it was being sent is not treated as valid', async () => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    const { publish } = bench.line
    bench.line.publish = async (sn, message, payload) => {
      await publish(sn, message, payload)
      await bench.ctx.sql`update task_items set sending = 'withdrawing' where id = ${itemOf(device)}`
    }
    await dispatch()
    bench.line.publish = publish
    expect(await bench.item(itemOf(device))).toMatchObject({ step: 'created', sending: 'withdrawing' })
  })

  it('goes to at most 500 devices of a task at the same time', async () => {
    const { customerId, groups } = bench.tenants.b
    const many = await addDevices(bench.ctx.sql, customerId, groups.root, 'MANY-', 510)
    await bench.ctx
      .sql`update device_states set online = true, last_login_at = ${bench.ctx.now()} where device_id = any(${many.map(({ id }) => id)})`
    await bench.ctx
      .sql`update devices set hello_at = ${bench.ctx.now()}, boot_id = 'b' where id = any(${many.map(({ id }) => id)})`
    const { itemOf } = await bench.task(many)
    await dispatch()
    expect(new Set(offers()).size).toBe(500)
    const first = many[0]
    if (!first) throw new Error('no device')
    await bench.progress(first, itemOf(first), 'failed', { failure: 'domainError' })
    await drain()
    await dispatch()
    expect(new Set(offers()).size).toBe(501)
  })
})

describe('after a crash', () => {
  /** The intent is committed, and whether the offer was sent is unknown. */
  async function cut() {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    bench.line.fail = true
    await dispatch()
    bench.line.fail = false
    expect(await bench.item(itemOf(device))).toMatchObject({ step: 'created', sending: 'intent' })
    return itemOf(device)
  }

  it('the device is asked before anything else, and never offered blindly', async () => {
    const item = await cut()
    await dispatch()
    await sweep()
    expect(bench.line.said).toEqual([])
    bench.pass(11_000)
    await sweep()
    await dispatch()
    expect(bench.line.said.map(({ name, payload }) => [name, payload['item']])).toEqual([['query', item]])
    await bench.progress(device, item, 'downloading', { percent: 10 })
    await drain()
    await dispatch()
    expect(offers()).toEqual([])
    expect(await bench.item(item)).toMatchObject({ step: 'downloading', sending: 'sent', offers: 1 })
  })

  it('a device that never had the offer gets it with the same id', async () => {
    const item = await cut()
    bench.pass(11_000)
    await sweep()
    await bench.progress(device, item, 'unknown')
    await drain()
    await dispatch()
    expect(offers()).toEqual([item])
    expect(await bench.item(item)).toMatchObject({ step: 'sent', sending: 'sent', offers: 2 })
  })

  it('a device that remembers the offer and has not begun says accepted', async () => {
    const item = await cut()
    bench.pass(11_000)
    await sweep()
    await bench.progress(device, item, 'accepted')
    await drain()
    await dispatch()
    expect(offers()).toEqual([])
    expect(await bench.item(item)).toMatchObject({ step: 'sent', sending: 'sent', offers: 1 })
  })

  it('a device is asked before it counts as silent, however long the workers were away', async () => {
    const item = await cut()
    bench.pass(3_600_000)
    await sweep()
    await dispatch()
    expect(bench.line.said.map(({ name }) => name)).toEqual(['query'])
    await bench.progress(device, item, 'unknown')
    await drain()
    await dispatch()
    await sweep()
    expect(offers()).toEqual([item])
    expect(await bench.item(item)).toMatchObject({ step: 'sent', outcome: null })
  })

  it('nothing is taken while the broker is unavailable', async () => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    bench.line.up = false
    await dispatch()
    expect(await bench.item(itemOf(device))).toMatchObject({ sending: 'none', offers: 0 })
  })
})

describe('silence', () => {
  it('after an offer that may never have been sent counts against the online device', async () => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    bench.line.fail = true
    await dispatch()
    expect(await bench.item(itemOf(device))).toMatchObject({ step: 'created', sending: 'intent' })
    bench.line.fail = false
    bench.pass(61_000)
    await sweep()
    expect(bench.heard('query')).toHaveLength(1)
    bench.pass(9_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null })
    bench.pass(2_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: 'failed', failure: 'connectTimeout' })
  })

  const table = [
    // reported so far, seconds of silence, stays online, failure
    [[], 61, true, 'connectTimeout'],
    [[], 61, false, 'deviceOffline'],
    [['connected'], 61, true, 'downloadTimeout'],
    [['connected', 'downloading'], 121, true, 'downloadTimeout'],
    [['connected', 'downloading'], 121, false, 'deviceOffline'],
    [['downloaded'], 121, true, 'unknownError'],
    [['upgrading'], 601, false, 'connectTimeout'],
  ] as const
  it.each(table)('after %j for %d s (online: %s) is %s', async (steps, seconds, online, failure) => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    await dispatch()
    for (const step of steps) await bench.progress(device, itemOf(device), step)
    await drain()
    bench.pass((seconds - 2) * 1000)
    if (!online) await bench.leave(device)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null })
    bench.pass(2000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({
      outcome: 'failed',
      failure,
      status: 'completed',
    })
    await sweep()
    const told = online && steps.at(-1) !== 'upgrading'
    expect(bench.heard('cancel').map(({ payload }) => payload['item'])).toEqual(told ? [itemOf(device)] : [])
  })

  it('of a waiting offline device ends at the promised time, of an online one that waits for its turn never', async () => {
    const other = bench.tenants.a.devices[1]
    if (!other) throw new Error('no device')
    const { itemOf } = await bench.task([device, other])
    bench.pass(15 * 60_000 + 1000)
    await bench.greet(other)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ failure: 'deviceOffline' })
    expect(await bench.item(itemOf(other))).toMatchObject({ outcome: null })
  })

  it('is no failure while a report waits in the inbox, nor shortly after a broker started', async () => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    await dispatch()
    bench.pass(61_000)
    await bench.progress(device, itemOf(device), 'connected')
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null })
    await drain()
    bench.pass(61_000)
    await bench.ctx.sql`insert into brokers (id, started_at, beat_at) values ('b', ${bench.ctx.now()}, now())`
    bench.pass(30_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null, step: 'connected' })
    bench.pass(31_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ failure: 'downloadTimeout' })
    await bench.ctx.sql`delete from brokers where id = 'b'`
  })

  it('is no failure while no broker is running, nor within the minute after its return', async () => {
    const { sql } = bench.ctx
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    await dispatch()
    await bench.progress(device, itemOf(device), 'connected')
    await drain()
    await sql`update brokers set beat_at = now() - interval '1 minute' where id = 'bench'`
    await bench.leave(device)
    // Longer than the deadline of any step.
    bench.pass(3_600_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null, step: 'connected' })
    // As the sweep of lost brokers leaves it.
    await sql`delete from brokers where id = 'bench'`
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null, step: 'connected' })
    await sql`insert into brokers (id, started_at, beat_at) values ('bench', ${bench.ctx.now()}, 'infinity')`
    bench.pass(59_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null, step: 'connected' })
    bench.pass(2_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ failure: 'deviceOffline' })
    await sql`update brokers set started_at = to_timestamp(0)`
  })

  it('is no failure of a device that installs when the clock of the server is set forward by hours', async () => {
    const { sql } = bench.ctx
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    await dispatch()
    await bench.progress(device, itemOf(device), 'upgrading')
    await drain()
    bench.pass(3 * 3_600_000)
    // The next heartbeat notices that the one before is three hours old.
    await sql`update brokers set started_at = ${bench.ctx.now()}`
    bench.pass(5 * 60_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: null, step: 'upgrading' })
    bench.pass(30 * 60_000)
    await sweep()
    expect(await bench.item(itemOf(device))).toMatchObject({ outcome: 'failed' })
    await sql`update brokers set started_at = to_timestamp(0)`
  })

  it('for half of the deadline causes one query', async () => {
    await bench.greet(device)
    const { itemOf } = await bench.task([device])
    await dispatch()
    bench.pass(29_000)
    await sweep()
    expect(bench.heard('query')).toEqual([])
    bench.pass(2000)
    await sweep()
    await sweep()
    expect(bench.heard('query').map(({ payload }) => payload['item'])).toEqual([itemOf(device)])
  })
})
