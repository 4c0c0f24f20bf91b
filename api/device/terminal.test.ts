/** [§5 Terminal] name, template, device, slave id (0-255), slave address and protocol are required. */

import { describe, expect, it } from 'vitest'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const template = async (customerId: number, name = 'Meter') => {
  const [made] = await context.sql<{ id: number }[]>`
    insert into collection_templates (customer_id, name, type) values (${customerId}, ${name}, 'powerMeter') returning id`
  return made?.id ?? 0
}
const templateId = await template(a.customerId)
const fields = {
  name: 'Meter 1',
  templateId,
  protocol: 'modbusRtu',
  deviceId: a.devices[0]?.id,
  slaveId: 1,
  slaveAddress: 'bus1',
}
const add = (body: object, who = a.admin) => call<{ id: number }>('terminal/addTerminal', body, who)
type Listed = { list: { name: string }[]; total: number }
const list = (body: object, who = a.admin) => call<Listed>('terminal/getTerminalList', body, who)

it('says what it loses with another template: variables with history, and notices that cover it', async () => {
  const { sql } = context
  const own = await template(a.customerId, 'Lossy')
  const id = (await add({ ...fields, templateId: own, name: 'Lossy', slaveId: 77 })).data?.id ?? 0
  await sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type)
    select ${own}, n, 'V' || n, 'V', 'holding', n, 'int16' from generate_series(0, 1) n`
  const loss = () => call('terminal/getTemplateLoss', { id }, a.admin)
  expect(await loss()).toMatchObject({ data: { variables: 0, notices: [] } })
  await sql`
    insert into terminal_latest (terminal_id, at, vals) values (${id}, ${[Date.now() + 1000]}::bigint[], '{5}')
    on conflict (terminal_id) do update set at = excluded.at, vals = excluded.vals`
  const [{ variableId } = { variableId: 0 }] = await sql<{ variableId: number }[]>`
    select id as "variableId" from variables where template_id = ${own} and slot = 0`
  const notice = { variableId, operator: 'gt', low: 1, timeZone: 'UTC' }
  const create = (more: object) =>
    call('variableNotice/createVariableNotice', { ...notice, ...more }, a.admin)
  expect(await create({ name: 'Covers', terminalScope: 'terminals', terminalIds: [id] })).toMatchObject({
    code: 0,
  })
  await create({ name: 'All', terminalScope: 'all' })
  expect(await loss()).toMatchObject({ data: { variables: 1, notices: ['All', 'Covers'] } })
  expect(await call('terminal/getTemplateLoss', { id }, b.admin)).toMatchObject({
    code: sessionRefusals.noPermission.code,
  })
  await call('terminal/deleteTerminal', { id }, a.admin)
  await sql`delete from collection_templates where id = ${own}`
})

describe('a terminal', () => {
  it('is added, listed, changed, hidden and deleted', async () => {
    const own = { ...fields, deviceId: a.devices[1]?.id }
    const id = (await add({ ...own, name: 'Boiler', port: 502 }, a.operator)).data?.id
    const changed = { id, ...own, name: 'Boiler 2', serial: 'B-17' }
    expect(await call('terminal/modifyTerminal', changed, a.operator)).toMatchObject({ code: 0 })
    expect(await call('terminal/hideTerminal', { id, hidden: true }, a.operator)).toMatchObject({ code: 0 })
    expect((await list({ search: 'boiler', hidden: 'yes' }, a.operator)).data?.list).toMatchObject([
      { name: 'Boiler 2', serial: 'B-17', port: null, hidden: true },
    ])
    expect(await call('terminal/deleteTerminal', { id }, a.operator)).toMatchObject({ code: 0 })
    expect((await list({}, a.operator)).data?.total).toBe(0)
  })

  it.each([
    ['name', { name: ' ' }],
    ['templateId', { templateId: '' }],
    ['deviceId', { deviceId: '' }],
    ['slaveAddress', { slaveAddress: '' }],
    ['protocol', { protocol: '' }],
    ['parity', { parity: 'mark' }],
    ['dataBits', { dataBits: 9 }],
    ['stopBits', { stopBits: 3 }],
    ['baudRate', { baudRate: 299 }],
    ['protocol', { protocol: 'ftp' }],
    ['slaveId', { slaveId: 256 }],
    ['slaveId', { slaveId: -1 }],
    ['slaveId', { slaveId: '' }],
    ['slaveId', { slaveId: null }],
    ['slaveAddress', { slaveAddress: 'http://x/' }],
    ['port', { port: 65_536 }],
  ])('is refused for its %s', async (field, wrong) => {
    expect(await add({ ...fields, ...wrong })).toMatchObject({ code: sessionRefusals.invalid.code, field })
  })

  it.each([
    ['name', 'Name is required'],
    ['templateId', 'Template is required'],
    ['deviceId', 'Parent device is required'],
    ['slaveId', 'Slave ID is required'],
    ['slaveAddress', 'Slave address is required'],
    ['protocol', 'Protocol is required'],
  ])('[§5 Terminal] is refused without %s, and says so', async (name, message) => {
    const { [name as 'slaveId']: _, ...rest } = fields
    expect(await add(rest)).toMatchObject({ code: sessionRefusals.invalid.code, field: name, message })
  })

  it('has no slave where it is the gateway itself, or a foreign source', async () => {
    for (const protocol of ['interfaces', 'source']) {
      const { slaveId: _, slaveAddress: __, ...rest } = fields
      const added = await add({ ...rest, protocol, name: protocol })
      expect(added).toMatchObject({ code: 0 })
      const [row] = await context.sql`
        select slave_id, slave_address, baud_rate from terminals where name = ${protocol}`
      expect(row).toEqual({ slave_id: null, slave_address: null, baud_rate: null })
    }
  })

  it('of a foreign source says whether that is connected, wherever its gateway is', async () => {
    const added = await add({ ...fields, protocol: 'source', name: 'Linked' })
    const terminalId = added.data?.id ?? 0
    const [project] = await context.sql<{ id: number }[]>`
      insert into projects (customer_id, name, type, group_id) values (${a.customerId}, 'P', 'other', ${a.groups.root}) returning id`
    const [account] = await context.sql<{ id: number }[]>`
      insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
      values (${a.customerId}, ${project?.id ?? 0}, 'Neuron', 'neuron', 'linked', '', '{}') returning id`
    const id = account?.id ?? 0
    await context.sql`insert into south_terminals (terminal_id, account_id, source) values (${terminalId}, ${id}, 'x')`
    const shown = async (state: string) => (await list({ search: 'Linked', state })).data?.list ?? []
    expect(await shown('unknown')).toMatchObject([{ source: { name: 'Neuron', connected: false } }])
    await context.sql`
      insert into south_states (account_id, brokers)
      values (${id}, jsonb_build_object('b', jsonb_build_object('at', extract(epoch from now()) * 1000, 'perSecond', 1)))`
    expect(await shown('unknown')).toEqual([])
    expect(await shown('answering')).toMatchObject([{ source: { name: 'Neuron', connected: true } }])
    await context.sql`delete from terminals where id = ${terminalId}`
  })

  it('has a unique name and a unique slave at its device', async () => {
    expect(await add(fields)).toMatchObject({ code: 0 })
    expect(await add({ ...fields, slaveId: 2 })).toMatchObject({
      code: printerRefusals.terminalNameTaken.code,
      field: 'name',
    })
    expect(await add({ ...fields, name: 'Meter 2' })).toMatchObject({
      code: printerRefusals.slaveTaken.code,
      field: 'slaveId',
    })
  })

  it('cannot be attached to a device outside the own groups', async () => {
    expect(await add(fields, a.operator)).toMatchObject({ code: sessionRefusals.noPermission.code })
  })

  it('has a template of the customer of its gateway', async () => {
    const foreign = await template(b.customerId)
    expect(await add({ ...fields, name: 'Foreign', templateId: foreign })).toMatchObject({
      code: sessionRefusals.noPermission.code,
    })
    const asRoot = await add({ ...fields, name: 'Foreign', templateId: foreign }, tenants.superAdmin)
    expect(asRoot).toMatchObject({ code: monitorRefusals.templateOfOtherCustomer.code, field: 'templateId' })
    const offered = await call<{ list: { id: number }[] }>('terminal/getTerminalTemplates', {}, a.operator)
    expect(offered.data?.list.map(({ id }) => id)).toEqual([templateId])
  })

  it('on a serial bus has the line of the others on it', async () => {
    const bus = { ...fields, deviceId: a.devices[2]?.id, slaveAddress: 'bus9' }
    await add({ ...bus, name: 'One', slaveId: 1, baudRate: 9600 }, a.operator)
    await add({ ...bus, name: 'Two', slaveId: 2, baudRate: 19_200, parity: 'even' }, a.operator)
    const rows = await context.sql`
      select name, baud_rate, parity, data_bits from terminals where slave_address = 'bus9' order by name`
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['One', 19_200, 'even', 8],
      ['Two', 19_200, 'even', 8],
    ])
  })

  it('on one bus is changed by several users at once: they wait for each other, and the bus has one line', async () => {
    const bus = { ...fields, slaveAddress: 'busy' }
    const ids: number[] = []
    for (const slaveId of [21, 22, 23])
      ids.push((await add({ ...bus, name: `Busy ${slaveId}`, slaveId })).data?.id ?? 0)
    const change = (id: number, i: number) => {
      const line = { baudRate: [9_600, 19_200, 38_400][i] }
      const own = { id, name: `Busy ${i + 21}`, slaveId: i + 21 }
      return call('terminal/modifyTerminal', { ...bus, ...line, ...own }, a.admin)
    }
    for (let round = 0; round < 3; round++)
      expect((await Promise.all(ids.map(change))).map(({ code }) => code)).toEqual([0, 0, 0])
    const lines = await context.sql`select distinct baud_rate from terminals where id = any(${ids})`
    expect(lines).toHaveLength(1)
  })

  it('with another template starts over: the slots of its old samples meant other variables', async () => {
    const [other] = await context.sql<{ id: number }[]>`
      insert into collection_templates (customer_id, name, type) values (${a.customerId}, 'Other meter', 'powerMeter') returning id`
    const own = { ...fields, name: 'Changing', slaveId: 77 }
    const id = (await add(own)).data?.id ?? 0
    await context.sql`update terminals set template_since = now() - interval '1 day' where id = ${id}`
    await context.sql`update terminal_latest set at = '{1795226400000}', vals = '{1}' where terminal_id = ${id}`
    await call('terminal/modifyTerminal', { id, ...own, location: 'Hall' }, a.admin)
    const state = () => context.sql`
      select t.template_since > now() - interval '1 hour' as fresh, (select count(*)::int from variable_latest l where l.terminal_id = t.id) as latest
      from terminals t where id = ${id}`
    expect(await state()).toMatchObject([{ fresh: false, latest: 1 }])
    await call('terminal/modifyTerminal', { id, ...own, templateId: other?.id }, a.admin)
    expect(await state()).toMatchObject([{ fresh: true, latest: 0 }])
  })
})

it('a terminal behind another gateway has no state until that one has said how its slave responds', async () => {
  const own = { ...fields, name: 'Moving', slaveId: 78 }
  const id = (await add(own)).data?.id ?? 0
  await context.sql`insert into terminal_states (terminal_id, state, since) values (${id}, 'silent', now())`
  const states = () => context.sql`select state from terminal_states where terminal_id = ${id}`
  await call('terminal/modifyTerminal', { id, ...own, location: 'Hall' }, a.admin)
  expect(await states()).toEqual([{ state: 'silent' }])
  const moved = { id, ...own, deviceId: a.devices[1]?.id }
  expect(await call('terminal/modifyTerminal', moved, a.admin)).toMatchObject({ code: 0 })
  expect(await states()).toEqual([])
})

it('a terminal is not added to a device that another customer gets at the same moment', async () => {
  const { sql } = context
  const id = a.devices[2]?.id ?? 0
  const give = (customerId: number, groupId: number) =>
    sql`update devices set customer_id = ${customerId}, group_id = ${groupId} where id = ${id}`
  const added = await meanwhile(
    sql,
    () => add({ ...fields, deviceId: id, name: 'Late', slaveId: 99 }),
    async (tx) => {
      await tx`select 1 from devices where id = ${id} for update`
      await tx`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${id}`
    },
  )
  expect(added.code).toBe(sessionRefusals.noPermission.code)
  expect(await sql`select 1 from terminals where name = 'Late'`).toHaveLength(0)
  await give(a.customerId, a.groups.root)
})
