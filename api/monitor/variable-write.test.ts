/** Setting a value: who may, what is refused before it leaves, and what goes to the gateway. */
import { expect, it } from 'vitest'
import { variableWriteRefusals } from '#schema/monitor/variable-write'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants
const deviceId = a.devices[0]?.id ?? 0

const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0
await sql`update device_states set online = true where device_id = ${deviceId}`
const templateId = await one(sql`
  insert into collection_templates (customer_id, name, type, next_slot) values (${a.customerId}, 'PLC', 'plc', 2) returning id`)
const terminalId = await one(sql`
  insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
  values (${deviceId}, 'Boiler', ${templateId}, 'modbusTcp', 3, '192.168.1.20') returning id`)
const setpoint = await one(sql`
  insert into variables (template_id, slot, name, unit, register_type, address, data_type, factor, min, max, access, precision)
  values (${templateId}, 0, 'Setpoint', '°C', 'holding', 100, 'int16', 0.1, -10, 90, 'readWrite', 1) returning id`)
const reading = await one(sql`
  insert into variables (template_id, slot, name, unit, register_type, address, data_type)
  values (${templateId}, 1, 'Reading', '°C', 'input', 0, 'int16') returning id`)

const set = (value: string, more: object = {}, who = a.admin) =>
  call('variable/setVariableValue', { deviceId, terminalId, variableId: setpoint, value, ...more }, who)
const queued = () =>
  sql<{ args: Record<string, unknown> }[]>`select args from commands where name = 'writeVariable'`

it('is refused for read-only variables, for other customers, and for users who may only view', async () => {
  expect((await set('5', { variableId: reading })).code).toBe(variableWriteRefusals.variableReadOnly.code)
  expect((await set('5', {}, b.admin)).code).toBe(sessionRefusals.noPermission.code)
  expect((await set('5', {}, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
  const foreign = { deviceId: b.devices[0]?.id }
  expect((await set('5', foreign, b.admin)).code).toBe(variableWriteRefusals.writtenVariableGone.code)
  expect(await queued()).toHaveLength(0)
})

it.each([
  ['-10.1', variableWriteRefusals.variableTooLow],
  ['90.5', variableWriteRefusals.variableTooHigh],
  ['warm', variableWriteRefusals.variableNotNumber],
  ['45.55', variableWriteRefusals.variableOffGrid],
])('%s is refused at its field, and nothing is sent', async (value, { code }) => {
  expect(await set(value)).toMatchObject({ code, field: 'value' })
  expect(await queued()).toHaveLength(0)
})

it('names the violated bound with its unit, and without the "-" of a variable that has none', async () => {
  expect((await set('90.5')).message).toMatch(/ 90 °C[.。]$/)
  await sql`update variables set unit = '-' where id = ${setpoint}`
  expect((await set('90.5')).message).toMatch(/ 90[.。]$/)
  await sql`update variables set unit = '°C' where id = ${setpoint}`
})

it('is not broadcast: slave 0 of a serial bus addresses all slaves', async () => {
  await sql`update terminals set protocol = 'modbusRtu', slave_address = 'bus1', slave_id = 0 where id = ${terminalId}`
  expect((await set('45')).code).toBe(variableWriteRefusals.variableToAll.code)
  await sql`update terminals set protocol = 'modbusTcp', slave_address = '192.168.1.20', slave_id = 3 where id = ${terminalId}`
})

it('is sent as a raw value with the line of the terminal, and is in the operation log with before and after', async () => {
  await sql`update terminal_latest set at = array[1795226400000], vals = '{44.9}' where terminal_id = ${terminalId}`
  expect((await set('45.5')).code).toBe(0)
  expect((await queued())[0]?.args).toMatchObject({
    kind: 'tcp',
    host: '192.168.1.20',
    port: 502,
    unit: 3,
    table: 'holding',
    address: 100,
    type: 'int16',
    order: 'ABCD',
    value: 455,
    readable: true,
  })
  const [logged] = await sql<{ before: unknown; after: unknown }[]>`
    select before, after from operations where call = 'variable/setVariableValue' order by id desc limit 1`
  expect(logged).toMatchObject({
    before: { variable: 'Boiler / Setpoint', value: 44.9 },
    after: { variable: 'Boiler / Setpoint', value: 45.5 },
  })
})

it('a relay of the gateway is set without a line; its inputs, and what a foreign source sends, are not', async () => {
  const relay = await one(sql`
    insert into variables (template_id, slot, name, unit, data_type, io_controller, interface_number, access)
    values (${templateId}, 2, 'Pump', '-', 'bool', 'relay', 2, 'readWrite') returning id`)
  await sql`delete from commands`
  expect((await set('1', { variableId: relay })).code).toBe(0)
  const [sent] = await queued()
  expect(sent?.args).toMatchObject({
    kind: 'own',
    unit: 0,
    table: 'coil',
    address: 1001,
    type: 'bool',
    value: 1,
  })
  expect(sent?.args).not.toHaveProperty('host')
  await sql`update terminals set protocol = 'interfaces', slave_address = null, slave_id = null where id = ${terminalId}`
  expect((await set('45')).code).toBe(variableWriteRefusals.variableReadOnly.code)
  await sql`update terminals set protocol = 'source' where id = ${terminalId}`
  expect((await set('1', { variableId: relay })).code).toBe(variableWriteRefusals.variableReadOnly.code)
})
