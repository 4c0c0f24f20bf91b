import type { ISql } from 'postgres'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { meanwhile } from '#test/meanwhile'
import { type Bench, openBench } from '#test/worker-bench'
import { dispatchTasksJob } from '../task/dispatch-tasks.ts'
import { drainInboxJob } from './drain-inbox.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(async () => {
  bench.line.said.length = 0
  await bench.ctx.sql`delete from tasks`
  await bench.ctx.sql`delete from device_warnings`
})
const drain = () => drainInboxJob.run(bench.ctx, {})

/** Offers an item and reports `steps`. */
async function offered(...steps: string[]) {
  const device = bench.tenants.a.devices[0]
  if (!device) throw new Error('no device')
  await bench.greet(device)
  const { itemOf, taskId } = await bench.task([device])
  const item = itemOf(device)
  await dispatchTasksJob.run(bench.ctx, {})
  for (const step of steps) await bench.progress(device, item, step)
  await drain()
  return { device, item, taskId }
}

describe('progress', () => {
  it('moves the item in the order of arrival and ends in done only with a hello of another boot', async () => {
    const { device, item } = await offered('connected', 'downloading', 'downloaded', 'upgrading', 'done')
    expect(await bench.item(item)).toMatchObject({ step: 'upgrading', outcome: null, status: 'ongoing' })
    await bench.hello(device, 'boot-2', '2.0.0')
    await drain()
    expect(await bench.item(item)).toMatchObject({
      step: 'done',
      outcome: 'done',
      sending: 'none',
      status: 'completed',
      events: ['sent', 'connected', 'downloading', 'downloaded', 'upgrading', 'done'],
    })
  })

  it('is handled correctly when the whole life of an item is in one batch', async () => {
    const { device, item } = await offered()
    for (const step of ['connected', 'downloading', 'downloaded', 'upgrading'])
      await bench.progress(device, item, step)
    await bench.hello(device, 'boot-2', '1.0.0')
    await drain()
    expect(await bench.item(item)).toMatchObject({
      outcome: 'failed',
      failure: 'upgradeFailed',
      step: 'upgrading',
    })
  })

  it('changes nothing when it is repeated, late, of another device, or of an unknown item', async () => {
    const { device, item } = await offered('connected', 'downloading', 'downloaded')
    const before = await bench.item(item)
    const foreign = bench.tenants.b.devices[0]
    if (!foreign) throw new Error('no device')
    await bench.progress(foreign, item, 'upgrading')
    await bench.progress(foreign, item, 'failed', { failure: 'md5Failed' })
    await bench.progress(device, item, 'connected')
    await bench.progress(device, item, 'downloading', { percent: 50 })
    await bench.progress(device, item, 'downloaded')
    await bench.progress(device, item, 'unknown')
    await bench.progress(device, '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11', 'upgrading')
    await drain()
    expect(await bench.item(item)).toEqual(before)
  })

  it('changes nothing of an item that was never offered', async () => {
    const device = bench.tenants.a.devices[1]
    if (!device) throw new Error('no device')
    const item = (await bench.task([device])).itemOf(device)
    await bench.progress(device, item, 'upgrading')
    await drain()
    expect(await bench.item(item)).toMatchObject({ step: 'created', sending: 'none', outcome: null })
    await bench.ctx.sql`delete from task_items where id = ${item}`
  })

  it('belongs to its item, however its device writes a UUID', async () => {
    const { device, item } = await offered('connected')
    await bench.progress(device, item.toUpperCase(), 'downloaded')
    await drain()
    expect(await bench.item(item)).toMatchObject({ step: 'downloaded' })
  })

  it('keeps the reason and the detail of a failure and completes the task', async () => {
    const { device, item } = await offered('connected')
    await bench.progress(device, item, 'failed', { failure: 'fileNotFound', detail: 'HTTP 404' })
    await drain()
    expect(await bench.item(item)).toMatchObject({
      step: 'connected',
      outcome: 'failed',
      failure: 'fileNotFound',
      status: 'completed',
    })
  })

  it('that responds unknown to a query causes the same offer again, and otherwise changes nothing', async () => {
    const { device, item } = await offered()
    await bench.progress(device, item, 'unknown')
    await drain()
    expect(await bench.item(item)).toMatchObject({ sending: 'sent', offers: 1 })
    await bench.hello(device, 'boot-1', '1.0.0')
    await drain()
    expect(bench.heard('query')).toHaveLength(1)
    expect(await bench.item(item)).toMatchObject({ sending: 'asking' })
    await bench.progress(device, item, 'unknown')
    await drain()
    await dispatchTasksJob.run(bench.ctx, {})
    expect(await bench.item(item)).toMatchObject({ sending: 'sent', step: 'sent', offers: 2 })
    expect(bench.heard('offer').map(({ payload }) => payload['item'])).toEqual([item, item])
  })

  it('proves an item that waits to be sent again, if the first offer has arrived and is installed meanwhile', async () => {
    const { device, item } = await offered()
    await bench.hello(device, 'boot-1', '1.0.0')
    await bench.progress(device, item, 'unknown')
    await drain()
    expect(await bench.item(item)).toMatchObject({ sending: 'none', outcome: null })
    await bench.hello(device, 'boot-1', '2.0.0')
    await bench.progress(device, item, 'done')
    await drain()
    expect(await bench.item(item)).toMatchObject({ step: 'done', sending: 'none', outcome: 'done' })
    expect(await bench.ctx.sql`select 1 from device_warnings where what = 'unreadableReport'`).toHaveLength(0)
  })

  it('ends an item whose device forgets every offer', async () => {
    const { device, item } = await offered()
    for (let i = 0; i < 5; i++) {
      await bench.hello(device, 'boot-1', '1.0.0')
      await bench.progress(device, item, 'unknown')
      await drain()
      await dispatchTasksJob.run(bench.ctx, {})
    }
    expect(await bench.item(item)).toMatchObject({ outcome: 'failed', failure: 'unknownError', offers: 5 })
  })
})

describe('after a batch', () => {
  /** The jobs that draining adds. */
  async function woken(): Promise<string[]> {
    const jobs: string[] = []
    const queue = { ...bench.ctx.queue, add: async ({ name }: { name: string }) => void jobs.push(name) }
    await drainInboxJob.run({ ...bench.ctx, queue } as typeof bench.ctx, {})
    return jobs
  }

  it('nothing is woken by reports, or by the end of an item, while nothing waits', async () => {
    const { device, item } = await offered('connected')
    await bench.progress(device, item, 'downloading')
    expect(await woken()).toEqual([])
    await bench.progress(device, item, 'failed', { failure: 'md5Failed' })
    expect(await woken()).toEqual([])
  })

  it('tasks are woken when an item has ended and others wait', async () => {
    const { device, item } = await offered('connected')
    const other = bench.tenants.a.devices[1]
    if (!other) throw new Error('no device')
    await bench.task([other])
    await bench.progress(device, item, 'downloading')
    expect(await woken()).toEqual([])
    await bench.progress(device, item, 'failed', { failure: 'md5Failed' })
    expect(await woken()).toEqual(['dispatchTasks'])
  })

  it('tasks and commands are woken by the hello of a device for which they wait', async () => {
    const [device, other] = bench.tenants.a.devices
    if (!device || !other) throw new Error('no devices')
    await bench.task([other])
    await bench.ctx.sql`
      insert into commands (id, device_id, customer_id, name, args, deadline_at)
      values (gen_random_uuid(), ${device.id}, ${device.customerId}, 'getConfig', '{}', now() + interval '1 hour')`
    await bench.hello(other, 'boot-9', '1.0.0')
    expect(await woken()).toEqual(['dispatchTasks'])
    await bench.hello(device, 'boot-9', '1.0.0')
    expect(await woken()).toEqual(['driveCommands'])
    await bench.ctx.sql`delete from commands`
  })
})

describe('hello', () => {
  it('stores the time zone that a device reports; an unknown one is recorded, and the message accepted', async () => {
    const device = bench.tenants.b.devices[3]
    if (!device) throw new Error('no device')
    const told = async (bootId: string, timeZone: unknown) => {
      await bench.hello(device, bootId, '1.0.0', timeZone === undefined ? {} : { timeZone })
      await drain()
      const [row] = await bench.ctx.sql`select boot_id, time_zone from devices where id = ${device.id}`
      expect(row?.['boot_id']).toBe(bootId)
      return row?.['time_zone']
    }
    expect(await told('zone-1', 'Europe/Berlin')).toBe('Europe/Berlin')
    // The time zone is reported at each connect; otherwise it is no longer known.
    expect(await told('zone-2', undefined)).toBeNull()
    expect(await told('zone-3', 'Mars/Olympus')).toBeNull()
    await told('zone-3', 'Mars/Olympus')
    expect(await told('zone-4', '+08:00')).toBeNull()
    expect(await told('zone-5', 'x'.repeat(65))).toBeNull()
    expect(await told('zone-6', 8)).toBeNull()
    const notes = await bench.ctx.sql`
      select detail from device_warnings where device_id = ${device.id} and what = 'timeZone' order by at, id`
    expect(notes.map((note) => note['detail'])).toEqual(['Mars/Olympus', '+08:00', null, null])
  })

  it('stores the difference of its clock when it has changed by a second', async () => {
    const device = bench.tenants.b.devices[2]
    if (!device) throw new Error('no device')
    const skewAfter = async (aheadMs: number | null) => {
      const at = aheadMs === null ? 0 : bench.ctx.now().getTime() + aheadMs
      await bench.hello(device, 'boot-8', '1.0.0', { at })
      await drain()
      const [row] = await bench.ctx.sql`select clock_skew_ms from devices where id = ${device.id}`
      return row?.['clock_skew_ms']
    }
    expect(await skewAfter(40)).toBe(40)
    expect(await skewAfter(-200)).toBe(40)
    expect(await skewAfter(1_039)).toBe(40)
    expect(await skewAfter(1_040)).toBe(1_040)
    expect(await skewAfter(null)).toBeNull()
    expect(await skewAfter(-7_200_000)).toBe(-7_200_000)
  })

  it('stores the identity, responds with welcome, and records a new firmware', async () => {
    const device = bench.tenants.b.devices[1]
    if (!device) throw new Error('no device')
    await bench.hello(device, 'boot-7', '1.0.1', {
      at: bench.ctx.now().getTime() + 5000,
      mac: '02:00:5E:10:00:01',
      packages: { luci: '24.10' },
      features: ['reboot'],
    })
    await drain()
    const [row] = await bench.ctx.sql`
      select boot_id, firmware, mac, packages, features, clock_skew_ms, hello_at from devices where id = ${device.id}`
    expect(row).toMatchObject({
      boot_id: 'boot-7',
      firmware: '1.0.1',
      mac: '02:00:5E:10:00:01',
      packages: { luci: '24.10' },
      features: ['reboot'],
      clock_skew_ms: 5000,
    })
    expect(row?.['hello_at'].getTime()).toBe(bench.ctx.now().getTime())
    expect(bench.heard('welcome')).toEqual([
      { sn: device.sn, name: 'welcome', payload: { at: bench.ctx.now().getTime(), statusEveryS: 30 } },
    ])
    const notes = await bench.ctx.sql`select what, detail from device_warnings where device_id = ${device.id}`
    expect(notes).toEqual([{ what: 'firmware', detail: '1.0.0 → 1.0.1' }])
  })

  it('does not fail an item whose device rebooted before it began to install', async () => {
    const { device, item } = await offered('connected', 'downloading')
    await bench.hello(device, 'boot-2', '1.0.0')
    await bench.progress(device, item, 'downloaded')
    await bench.progress(device, item, 'upgrading')
    // Only the connection breaks; the boot is the same.
    await bench.hello(device, 'boot-2', '1.0.0')
    await drain()
    expect(await bench.item(item)).toMatchObject({ step: 'upgrading', outcome: null })
    await bench.hello(device, 'boot-3', '2.0.0')
    await drain()
    expect(await bench.item(item)).toMatchObject({ outcome: 'done' })
  })

  it('sends cancel again for an item that ended recently', async () => {
    const { device, item } = await offered('connected')
    await bench.force({ outcome: 'cancelled', sending: 'none' }, [item])
    await bench.ctx.sql`update task_items set step_at = ${bench.ctx.now()} where id = ${item}`
    await bench.hello(device, 'boot-1', '1.0.0')
    await drain()
    expect(bench.heard('cancel').map(({ payload }) => payload)).toEqual([{ item }])
  })
})

describe('the inbox', () => {
  it('sets one bad report aside and keeps the others of its batch', async () => {
    const { device, item } = await offered()
    await bench.progress(device, item, 'connected')
    // Does not fit the declaration: an old broker may have accepted it.
    await bench.report(device, 'progress', { item: 7 })
    // Fits the declaration, but the database refuses it.
    await bench.ctx.sql`alter table device_logs add constraint no_evil check (text <> 'evil')`
    await bench.report(device, 'log', {
      bootId: 'b',
      lines: [{ seq: 1, at: 0, priority: 'info', text: 'evil' }],
    })
    await bench.report(device, 'log', {
      bootId: 'b',
      lines: [{ seq: 2, at: 0, priority: 'info', text: 'good' }],
    })
    await bench.progress(device, item, 'downloading', { percent: 3 })
    await drain()
    expect(await bench.item(item)).toMatchObject({ step: 'downloading', percent: 3 })
    expect(await bench.ctx.sql`select seq, text from device_logs where device_id = ${device.id}`).toEqual([
      { seq: 2, text: 'good' },
    ])
    expect(await bench.ctx.sql`select what, detail from device_warnings order by id`).toEqual([
      { what: 'unreadableReport', detail: 'progress' },
      { what: 'unreadableReport', detail: 'log' },
    ])
    expect(await bench.ctx.sql`select 1 from inbox`).toHaveLength(0)
  })

  it.each(['21000', '54000'])('sets aside a report that the database refuses with %s', async (code) => {
    const device = bench.tenants.b.devices[1]
    if (!device) throw new Error('no device')
    await bench.ctx.sql.unsafe(`
      create or replace function refuse_code() returns trigger language plpgsql as
        'begin if new.text = ''${code}'' then raise exception ''refused'' using errcode = new.text; end if; return new; end';
      create or replace trigger refuse_code before insert on device_logs for each row execute function refuse_code()`)
    for (const [seq, text] of [code, 'good'].entries())
      await bench.report(device, 'log', { bootId: code, lines: [{ seq, at: 0, priority: 'info', text }] })
    await drain()
    expect(
      await bench.ctx.sql`select text from device_logs where device_id = ${device.id} and boot_id = ${code}`,
    ).toEqual([{ text: 'good' }])
    // The next tests count all lines.
    await bench.ctx.sql`delete from device_logs where boot_id = ${code}`
    expect(await bench.ctx.sql`select 1 from inbox`).toHaveLength(0)
  })

  it('stores a log line once however often it arrives', async () => {
    const device = bench.tenants.b.devices[0]
    if (!device) throw new Error('no device')
    const at = bench.ctx.now().getTime() - 1000
    const lines = [{ seq: 9, at, priority: 'error', tag: 'k', text: 'once' }]
    for (let i = 0; i < 3; i++) await bench.report(device, 'log', { bootId: 'b', lines })
    await drain()
    await bench.report(device, 'log', { bootId: 'b', lines })
    await drain()
    expect(
      await bench.ctx.sql`select priority, text from device_logs where device_id = ${device.id}`,
    ).toEqual([{ priority: 3, text: 'once' }])
  })

  it('stores a line of a device without a clock once, too', async () => {
    const device = bench.tenants.b.devices[1]
    if (!device) throw new Error('no device')
    const lines = [
      { seq: 1, at: 0, priority: 'info', text: 'one' },
      { seq: 2, at: 0, priority: 'info', text: 'two' },
    ]
    for (let i = 0; i < 2; i++) await bench.report(device, 'log', { bootId: 'b', lines })
    await drain()
    await new Promise((done) => setTimeout(done, 5))
    await bench.report(device, 'log', { bootId: 'b', lines })
    await drain()
    const [kept] = await bench.ctx
      .sql`select count(*)::int as lines from device_logs where device_id = ${device.id}`
    expect(kept).toEqual({ lines: 2 })
  })

  it('is drained in order by several processes at the same time', async () => {
    const { device, item } = await offered()
    for (let percent = 1; percent <= 100; percent++)
      await bench.progress(device, item, 'downloading', { percent })
    await Promise.all(
      [bench.ctx, { ...bench.ctx }, { ...bench.ctx }].map((ctx) => drainInboxJob.run(ctx, {})),
    )
    expect(await bench.item(item)).toMatchObject({ step: 'downloading', percent: 100 })
    expect(await bench.ctx.sql`select 1 from inbox`).toHaveLength(0)
  })

  it('loses no report that arrives while it is drained: a wake-up meanwhile makes the run look again', async () => {
    const { device, item } = await offered()
    const runs: Promise<unknown>[] = []
    for (let percent = 1; percent <= 20; percent++) {
      await bench.progress(device, item, 'downloading', { percent })
      runs.push(drain())
    }
    const totals = (await Promise.all(runs)) as { total: number }[]
    expect(totals.reduce((sum, { total }) => sum + total, 0)).toBe(20)
    expect(await bench.item(item)).toMatchObject({ percent: 20 })
    expect(await bench.ctx.sql`select 1 from inbox`).toHaveLength(0)
  })
})

it('hellos that arrive in any order do not deadlock with others who lock the configurations of many devices', async () => {
  const { sql } = bench.ctx
  const [low, high] = bench.tenants.a.devices.toSorted((one, other) => one.id - other.id)
  if (!low || !high) throw new Error('two devices')
  const config = { level: 1, packages: {}, abilities: [] }
  await bench.hello(low, 'boot-1', '1.0.0', { config })
  await bench.hello(high, 'boot-1', '1.0.0', { config })
  await drain()
  await bench.hello(high, 'boot-2', '1.0.0', { config: { ...config, abilities: ['wifi'] } })
  await bench.hello(low, 'boot-2', '1.0.0', { config: { ...config, abilities: ['wifi'] } })
  const lock = (id: number) => (tx: ISql) =>
    tx`select 1 from device_configs where device_id = ${id} for update`
  expect(await meanwhile(sql, drain, lock(low.id), lock(high.id))).toEqual({ total: 2 })
  expect(await sql`select 1 from device_warnings`).toHaveLength(0)
})

it('reports that arrive in any order do not deadlock with others who lock many devices', async () => {
  const { sql } = bench.ctx
  const [low, high] = bench.tenants.a.devices.toSorted((one, other) => one.id - other.id)
  if (!low || !high) throw new Error('two devices')
  const lock = (id: number) => (tx: ISql) => tx`select 1 from devices where id = ${id} for update`
  const slot = [{ slot: 1, active: true, state: 'ready' }]
  for (const device of [high, low]) await bench.hello(device, 'boot-9', '1.0.0')
  expect(await meanwhile(sql, drain, lock(low.id), lock(high.id))).toEqual({ total: 2 })
  for (const device of [high, low]) await bench.report(device, 'facts', { at: 0, mobile: slot })
  expect(await meanwhile(sql, drain, lock(low.id), lock(high.id))).toEqual({ total: 2 })
  expect(await sql`select 1 from device_warnings`).toHaveLength(0)
})

it('a hello and a progress do not deadlock with those who give the device away and then end its work', async () => {
  const { sql } = bench.ctx
  const { device, item } = await offered()
  await bench.progress(device, item, 'downloading', { percent: 5 })
  await bench.hello(device, 'boot-10', '1.0.0')
  const drained = await meanwhile(
    sql,
    drain,
    (tx) => tx`select 1 from devices where id = ${device.id} for update`,
    (tx) => tx`update task_items set failure_detail = null where id = ${item}`,
  )
  expect(drained).toEqual({ total: 2 })
})
