/** Plans follow what is configured, reach the gateway once, and its answers are believed only about its own terminals. */
import { beforeAll, describe, expect, it } from 'vitest'
import { addTemplate, addTerminal } from '#test/collecting'
import type { TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '#workers/inbox/drain-inbox'
import { drivePlansJob } from './drive-plans.ts'

let bench: Bench
let sql: Bench['ctx']['sql']
let templateId = 0
let terminalId = 0
let gateway: TestDevice
const drive = () => drivePlansJob.run(bench.ctx, {})
const drain = () => drainInboxJob.run(bench.ctx, {})
const sent = () => bench.heard('plan').map(({ payload }) => payload)
const lastSent = () => sent().at(-1) as { revision: number; terminals: { t: number; vars: unknown[] }[] }
const state = async (device = gateway) =>
  (
    await sql<
      {
        revision: number
        running: number | null
        stale: Date | null
        refused: number | null
        reason: string | null
        offset: number
      }[]
    >`
      select revision, running_revision as running, stale_since as stale, refused_revision as refused, refused_reason as reason,
        clock_offset_ms as "offset" from collection_states where device_id = ${device.id}`
  )[0]
const addVariable = (slot: number, address: number) => sql`
  insert into variables (template_id, slot, name, unit, register_type, address, data_type)
  values (${templateId}, ${slot}, ${`Variable ${slot}`}, 'V', 'holding', ${address}, 'float32')`

beforeAll(async () => {
  bench = await openBench()
  sql = bench.ctx.sql
  gateway = bench.tenants.a.devices[0] as TestDevice
  await bench.greet(gateway)
  templateId = await addTemplate(sql, gateway.customerId)
  terminalId = await addTerminal(sql, gateway, templateId)
})

describe('a plan', () => {
  it('is compiled when a variable is added, and sent once to a gateway that is online', async () => {
    await addVariable(0, 10)
    await drive()
    await drive()
    expect(sent()).toHaveLength(1)
    expect(lastSent().terminals).toMatchObject([{ t: terminalId, vars: [{ slot: 0 }] }])
    expect(await state()).toMatchObject({ revision: lastSent().revision, running: null, stale: null })
  })

  it('is sent again after a while without an answer, and not once it runs', async () => {
    bench.pass(31_000)
    await drive()
    expect(sent()).toHaveLength(2)
    await bench.report(gateway, 'collection', {
      at: bench.ctx.now().getTime(),
      plan: lastSent().revision,
      slaves: [],
    })
    await drain()
    bench.pass(31_000)
    await drive()
    expect(sent()).toHaveLength(2)
  })

  it.each([
    ['a variable is changed', () => sql`update variables set address = 12 where template_id = ${templateId}`],
    [
      'only a factor is changed',
      () => sql`update variables set factor = 0.1 where template_id = ${templateId}`,
    ],
    [
      'the template is changed',
      () => sql`update collection_templates set retries = 4 where id = ${templateId}`,
    ],
    ['the terminal is changed', () => sql`update terminals set slave_id = 77 where id = ${terminalId}`],
    ['a terminal is added', () => addTerminal(sql, gateway, templateId)],
    [
      'a variable is removed',
      async () => {
        await addVariable(1, 20)
        await drive()
        await sql`delete from variables where template_id = ${templateId} and slot = 1`
      },
    ],
  ])('has a new revision when %s', async (_what, change) => {
    const before = (await state())?.revision ?? 0
    await change()
    await drive()
    expect((await state())?.revision).toBeGreaterThan(before)
    expect(lastSent().revision).toBe((await state())?.revision)
  })

  it('keeps its revision when the change means nothing to it', async () => {
    const before = await state()
    await sql`update terminals set location = 'Hall 2' where id = ${terminalId}`
    await sql`update variables set name = 'Another' where template_id = ${templateId}`
    expect((await state())?.stale).not.toBeNull()
    await drive()
    expect(await state()).toEqual(before)
  })

  it('has a new revision when a terminal gets a copy of its template: values by the one before are not stored any more', async () => {
    const [copy] = await sql<{ id: number }[]>`
      insert into collection_templates (customer_id, name, type, retries)
      select customer_id, 'Copy', type, retries from collection_templates where id = ${templateId} returning id`
    await sql`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type, factor)
      select ${copy?.id ?? 0}, slot, name, unit, register_type, address, data_type, factor from variables where template_id = ${templateId}`
    const before = (await state())?.revision ?? 0
    for (const id of [copy?.id ?? 0, templateId]) {
      await sql`update terminals set template_id = ${id} where id = ${terminalId}`
      await drive()
      expect((await state())?.revision).toBe(lastSent().revision)
      const [known] = await sql<{ takes: boolean }[]>`
        select p.created_at >= t.template_since as takes from poll_plans p join terminals t on t.device_id = p.device_id
        where t.id = ${terminalId} order by p.revision desc limit 1`
      expect(known).toEqual({ takes: true })
    }
    expect(lastSent().revision).toBeGreaterThan(before)
  })

  it('leaves out a hidden terminal until it is shown again', async () => {
    const polled = () => lastSent().terminals.map(({ t }) => t)
    await drive()
    expect(polled()).toContain(terminalId)
    await sql`update terminals set hidden = true where id = ${terminalId}`
    await drive()
    expect(polled()).not.toContain(terminalId)
    await sql`update terminals set hidden = false where id = ${terminalId}`
    await drive()
    expect(polled()).toContain(terminalId)
  })

  it('that the gateway refuses is shown and not sent again', async () => {
    await sql`update collection_templates set retries = 1 where id = ${templateId}`
    await drive()
    const { revision } = lastSent()
    await bench.report(gateway, 'collection', {
      at: 0,
      plan: null,
      refused: { plan: revision, reason: 'no port bus1' },
      slaves: [],
    })
    await drain()
    expect(await state()).toMatchObject({ refused: revision, reason: 'no port bus1' })
    const count = sent().length
    bench.pass(31_000)
    await drive()
    expect(sent()).toHaveLength(count)
  })

  it('is sent after a hello that runs another one', async () => {
    await sql`update collection_templates set retries = 2 where id = ${templateId}`
    await drive()
    const { revision } = lastSent()
    const count = sent().length
    await bench.hello(gateway, 'boot-1', '1.0.0', { plan: revision - 1 })
    await drain()
    await drive()
    expect(sent()).toHaveLength(count + 1)
    await bench.hello(gateway, 'boot-1', '1.0.0', { plan: revision })
    await drain()
    await drive()
    expect(sent()).toHaveLength(count + 1)
  })

  it('is not sent to a device that does not collect', async () => {
    const other = bench.tenants.a.devices[1] as TestDevice
    await bench.greet(other)
    await sql`update devices set features = '["reboot"]' where id = ${other.id}`
    await addTerminal(sql, other, templateId)
    const count = sent().length
    await drive()
    expect((await state(other))?.revision).toBeGreaterThan(0)
    expect(sent()).toHaveLength(count)
  })

  it('asks for inputs and outputs of the gateway once its hello says that it answers for them', async () => {
    await sql`
      insert into variables (template_id, slot, name, unit, data_type, io_controller, interface_number)
      values (${templateId}, 90, 'Door', '-', 'bool', 'digitalInput', 1)`
    await drive()
    const { id } = gateway
    const lint = async () =>
      (await sql`select lint from collection_states where device_id = ${id}`)[0]?.['lint']
    expect(await lint()).toMatchObject([{ kind: 'noInterfaces' }])
    const before = (await state())?.revision ?? 0
    await sql`update devices set features = '["collection", "interfaces"]' where id = ${id}`
    await drive()
    expect((await state())?.revision).toBeGreaterThan(before)
    expect(await lint()).toEqual([])
    const [made] = await sql<{ kinds: string[] }[]>`
      select array(select b ->> 'kind' from jsonb_array_elements(document -> 'buses') b) as kinds
      from poll_plans where device_id = ${id} order by revision desc limit 1`
    expect(made?.kinds).toContain('own')
    await sql`delete from variables where template_id = ${templateId} and slot = 90`
    await drive()
  })

  it('of a device that runs one of which we know nothing is an empty one', async () => {
    const other = bench.tenants.a.devices[2] as TestDevice
    await bench.greet(other)
    await bench.hello(other, 'boot-1', '1.0.0', { plan: 5 })
    await drain()
    await drive()
    expect(lastSent()).toMatchObject({ terminals: [] })
    expect(lastSent().revision).toBeGreaterThan(5)
  })
})

describe('what a gateway says', () => {
  it('of its slaves is stored for its own terminals only', async () => {
    const theirs = await addTerminal(sql, bench.tenants.b.devices[0] as TestDevice)
    const since = bench.ctx.now().getTime() - 60_000
    await bench.report(gateway, 'collection', {
      at: since,
      plan: 1,
      slaves: [
        { t: terminalId, state: 'silent', since, missed: 3 },
        { t: theirs, state: 'silent', since },
        { t: 2_000_000_000, state: 'silent', since },
      ],
    })
    await drain()
    expect(await sql`select terminal_id, state, since, missed from terminal_states`).toEqual([
      { terminal_id: terminalId, state: 'silent', since: new Date(since), missed: 3 },
    ])
  })

  it('of a slave that it no longer polls is forgotten, and not believed when it says so again later', async () => {
    const { customerId, id } = gateway
    const [account] = await sql<{ id: number }[]>`
      with p as (insert into projects (customer_id, group_id, name, type)
        select ${customerId}, group_id, 'Plant', 'energy' from devices where id = ${id} returning id)
      insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
      select ${customerId}, id, 'Source', 'neuron', 'south.plans', 'hash', '{"x/#"}' from p returning id`
    const since = bench.ctx.now().getTime() - 60_000
    const isSilent = async () => {
      const slaves = [{ t: terminalId, state: 'silent' as const, since, missed: 0 }]
      await bench.report(gateway, 'collection', { at: since, plan: 1, slaves })
      await drain()
      return (await sql`select 1 from terminal_states where terminal_id = ${terminalId}`).length > 0
    }
    await drive()
    expect(await isSilent()).toBe(true)
    await sql`insert into south_terminals (account_id, terminal_id, source) values (${account?.id ?? 0}, ${terminalId}, 'node')`
    await drive()
    expect(await sql`select 1 from terminal_states where terminal_id = ${terminalId}`).toEqual([])
    // It was offline meanwhile, and still runs the former plan.
    expect(await isSilent()).toBe(false)
    await sql`delete from south_terminals`
    await drive()
    expect(await isSilent()).toBe(true)
  })

  it('of its clock is kept when it is off by more than some seconds, and then does not move with the measurement', async () => {
    const hello = (skew: number) =>
      bench.hello(gateway, 'boot-1', '1.0.0', { at: bench.ctx.now().getTime() + skew, plan: 1 })
    await hello(3_000)
    await drain()
    expect(await state()).toMatchObject({ offset: 0 })
    await hello(-7_200_000)
    await drain()
    expect(await state()).toMatchObject({ offset: -7_200_000 })
    await hello(-7_199_000)
    await drain()
    expect(await state()).toMatchObject({ offset: -7_200_000 })
    await hello(200)
    await drain()
    expect(await state()).toMatchObject({ offset: 0 })
  })
})

it('a gateway that moves to another customer without its terminals gets an empty plan, and its reports are forgotten', async () => {
  await sql`
    update collection_states set refused_revision = revision, refused_reason = 'no port 192.168.1.9' where device_id = ${gateway.id}`
  await sql`delete from terminals where device_id = ${gateway.id}`
  await drive()
  expect(await state()).toMatchObject({ refused: null, reason: null })
  const [plan] = await sql`
    select p.document -> 'terminals' as terminals, p.scales from collection_states c join poll_plans p using (device_id, revision)
    where device_id = ${gateway.id}`
  expect(plan).toEqual({ terminals: [], scales: {} })
  expect(await sql`select 1 from variable_latest where terminal_id = ${terminalId}`).toEqual([])
})

it('a deleted gateway leaves nothing to compile', async () => {
  const gone = bench.tenants.a.devices[3] as TestDevice
  await addTerminal(sql, gone, templateId)
  await sql`delete from device_states where device_id = ${gone.id}`
  await sql`delete from devices where id = ${gone.id}`
  await drive()
  expect(await state(gone)).toBeUndefined()
})
