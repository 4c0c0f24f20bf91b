import { describe, expect, it } from 'vitest'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { nameKey } from '#schema/monitor/template/table'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a } = tenants

const made = await call<{ id: number }>(
  'collectionTemplate/addTemplate',
  { name: 'Meter', type: 'powerMeter' },
  a.admin,
)
const templateId = made.data?.id ?? 0
const fields = {
  templateId,
  name: 'Voltage',
  unit: 'V',
  registerType: 'input',
  address: 0,
  dataType: 'float32',
  byteOrder: 'ABCD',
  reportType: 'both',
}
const add = (body: object, who = a.admin) =>
  call<{ id: number }>('variable/addVariable', { ...fields, ...body }, who)
const staleSince = async (deviceId: number) => {
  const [row] = await sql<{ at: Date | null }[]>`
    select stale_since as at from collection_states where device_id = ${deviceId}`
  return row?.at?.getTime() ?? 0
}

describe('a variable', () => {
  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'Two\nlines' }],
    ['name', { name: 'Turned \u202Eround' }],
    ['name', { name: 'Never in a {formula}' }],
    ['unit', { unit: '' }],
    ['unit', { unit: 'x'.repeat(17) }],
    ['registerType', { registerType: '' }],
    ['registerType', { registerType: 'flash' }],
    ['address', { address: '' }],
    ['address', { address: -1 }],
    ['address', { address: ' ' }],
    ['address', { address: [] }],
    ['address', { address: true }],
    ['address', { address: 65_536 }],
    ['address', { address: 1.5 }],
    ['dataType', { dataType: undefined }],
    ['byteOrder', { byteOrder: undefined }],
    ['reportType', { reportType: undefined }],
    ['factor', { factor: 0 }],
    ['factor', { factor: 'much' }],
    ['min', { dataType: 'int32', min: -2_147_483_649 }],
    ['max', { dataType: 'uint32', max: 4_294_967_296 }],
    ['max', { min: 5, max: 4 }],
    ['access', { access: 'readWrite' }],
    ['bit', { registerType: 'holding', dataType: 'bit' }],
    ['noValue', { noValue: '0x80' }],
  ])('[§5 Variable] is refused for its %s', async (field, wrong) => {
    expect(await add({ name: 'Wrong', ...wrong })).toMatchObject({
      code: sessionRefusals.invalid.code,
      field,
    })
  })

  it('is added, listed, changed and keeps its slot; a deleted one leaves its slot unused', async () => {
    const one = (await add({ name: 'One' })).data?.id
    const two = (await add({ name: 'Two', byteOrder: 'template', factor: '0.1', precision: 1 })).data?.id
    expect(
      await call(
        'variable/modifyVariable',
        { ...fields, templateId: undefined, id: one, name: 'Uno' },
        a.admin,
      ),
    ).toMatchObject({ code: 0 })
    expect(await call('variable/deleteVariable', { id: two }, a.admin)).toMatchObject({ code: 0 })
    await add({ name: 'Three' })
    const listed = await call<{ list: { name: string; slot: number }[] }>(
      'variable/getTemplateVariables',
      { templateId },
      a.viewer,
    )
    expect(listed.data?.list.map(({ name, slot }) => [name, slot])).toEqual([
      ['Uno', 0],
      ['Three', 2],
    ])
  })

  it('whose template has used up its numbers is refused with what to do, not for a number of variables that it does not have', async () => {
    const used = await call<{ id: number }>(
      'collectionTemplate/addTemplate',
      { name: 'Remade every day', type: 'powerMeter' },
      a.admin,
    )
    const id = used.data?.id ?? 0
    await sql`update collection_templates set next_slot = 32767 where id = ${id}`
    expect(await add({ templateId: id })).toMatchObject({ code: monitorRefusals.slotsUsedUp.code })
  })

  it('that is an interface of the gateway has its type by its kind: neither type nor byte order is asked', async () => {
    const made = await add({
      name: 'Pump on',
      ioController: 'relay',
      interfaceNumber: 2,
      registerType: undefined,
      address: undefined,
      dataType: undefined,
      byteOrder: undefined,
    })
    expect(made).toMatchObject({ code: 0 })
    const [row] = await context.sql`
      select data_type as type, byte_order as "byteOrder" from variables where id = ${made.data?.id ?? 0}`
    expect(row).toEqual({ type: 'bool', byteOrder: null })
  })

  it('has a name of its own in its template', async () => {
    await add({ name: 'Power' })
    expect(await add({ name: ' power ' })).toMatchObject({
      code: monitorRefusals.variableNameTaken.code,
      field: 'name',
    })
  })

  it('[§8] under running collection cannot be deleted: not before its collection was stopped', async () => {
    const id = (await add({ name: 'Running' })).data?.id
    const device = a.devices[0]?.id ?? 0
    const terminal = {
      name: 'T',
      templateId,
      protocol: 'modbusRtu',
      deviceId: device,
      slaveId: 1,
      slaveAddress: 'bus1',
    }
    const terminalId = (await call<{ id: number }>('terminal/addTerminal', terminal, a.admin)).data?.id
    expect(await call('variable/deleteVariable', { id }, a.admin)).toMatchObject({
      code: monitorRefusals.variableCollected.code,
    })
    expect(await call('variable/hideVariable', { id, hidden: true }, a.admin)).toMatchObject({ code: 0 })
    expect(await call('variable/deleteVariable', { id }, a.admin)).toMatchObject({ code: 0 })
    await call('terminal/deleteTerminal', { id: terminalId }, a.admin)
  })

  it('whatever changes what a gateway polls makes its plan stale, and nothing else does', async () => {
    const [device, other] = a.devices
    if (!device || !other) throw new Error('no devices')
    const terminal = {
      name: 'S',
      templateId,
      protocol: 'modbusRtu',
      deviceId: device.id,
      slaveId: 9,
      slaveAddress: 'bus1',
    }
    let last = await staleSince(device.id)
    const untouched = await staleSince(other.id)
    const makesStale = async (work: Promise<{ code: number }>) => {
      expect(await work).toMatchObject({ code: 0 })
      const now = await staleSince(device.id)
      expect(now).toBeGreaterThan(last)
      last = now
    }
    await makesStale(call('terminal/addTerminal', terminal, a.admin))
    await makesStale(add({ name: 'Fresh' }))
    const [row] = await sql<{ id: number; terminal: number }[]>`
      select v.id, t.id as terminal from variables v, terminals t where v.name = 'Fresh' and t.name = 'S'`
    await makesStale(
      call(
        'variable/modifyVariable',
        { ...fields, templateId: undefined, id: row?.id, name: 'Fresh', cycleS: 5 },
        a.admin,
      ),
    )
    await makesStale(call('variable/hideVariable', { id: row?.id, hidden: true }, a.admin))
    await makesStale(call('variable/deleteVariable', { id: row?.id }, a.admin))
    await makesStale(
      call(
        'collectionTemplate/modifyTemplate',
        { id: templateId, name: 'Meter', type: 'powerMeter', timeoutMs: 700 },
        a.admin,
      ),
    )
    await makesStale(call('terminal/hideTerminal', { id: row?.terminal, hidden: true }, a.admin))
    await makesStale(call('terminal/deleteTerminal', { id: row?.terminal }, a.admin))
    await call('project/addProject', { groupId: a.groups.root, name: 'P', type: 'energy' }, a.admin)
    expect([await staleSince(device.id), await staleSince(other.id)]).toEqual([last, untouched])
  })
})

describe('[§3 Variable] one that is computed', () => {
  const derived = {
    registerType: undefined,
    address: undefined,
    ioController: 'formula',
    dataType: 'float64',
  }
  const named = (code: number) => ({ code, field: 'formula' })
  let templateId = 0
  const addTo = (body: object) => add({ templateId, ...body })

  it('is stored with its formula, and refused with the place of what is wrong', async () => {
    const made = await call<{ id: number }>(
      'collectionTemplate/addTemplate',
      { name: 'Computed', type: 'powerMeter' },
      a.admin,
    )
    templateId = made.data?.id ?? 0
    expect(await addTo({ name: 'U' })).toMatchObject({ code: 0 })
    expect(await addTo({ name: 'P', ...derived })).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'formula',
    })
    const unknown = await addTo({ name: 'P', ...derived, formula: 'U * I' })
    expect(unknown).toMatchObject(named(monitorRefusals.formulaUnknownName.code))
    expect(unknown.message).toContain('5')
    for (const formula of ['U.constructor', '__proto__[1]', `${'('.repeat(300)}U`, 'U +'])
      expect(await addTo({ name: 'P', ...derived, formula })).toMatchObject({ field: 'formula' })
    expect(await addTo({ name: 'P', ...derived, formula: 'U * 2' })).toMatchObject({ code: 0 })
    const [row] = await sql`
      select formula, io_controller, register_type, data_type from variables where template_id = ${templateId} and name = 'P'`
    expect(row).toEqual({
      formula: 'U * 2',
      io_controller: 'formula',
      register_type: null,
      data_type: 'float64',
    })
  })

  it('must not need itself through others', async () => {
    expect(await addTo({ name: 'Q', ...derived, formula: 'P + 1' })).toMatchObject({ code: 0 })
    const row = await call<{ list: { id: number; name: string; edition: string }[] }>(
      'variable/getTemplateVariables',
      { templateId },
      a.admin,
    )
    const p = row.data?.list.find(({ name }) => name === 'P')
    const { templateId: _, ...body } = fields
    expect(
      await call(
        'variable/modifyVariable',
        { ...body, ...derived, id: p?.id, edition: p?.edition, name: 'P', formula: 'Q + 1' },
        a.admin,
      ),
    ).toMatchObject(named(monitorRefusals.formulaCycle.code))
  })

  it('protects its inputs: they can be neither deleted nor renamed', async () => {
    const [u] = await sql<{ id: number }[]>`
      select id from variables where template_id = ${templateId} and name = 'U'`
    expect(await call('variable/deleteVariable', { id: u?.id }, a.admin)).toMatchObject({
      code: monitorRefusals.formulaUnknownName.code,
    })
    expect(await sql`select 1 from variables where id = ${u?.id ?? 0}`).toHaveLength(1)
  })

  it('is tried on the newest values of a terminal, step by step', async () => {
    const [terminal] = await sql<{ id: number }[]>`
      insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
      values (${a.devices[0]?.id ?? 0}, 'Tried', ${templateId}, 'modbusRtu', 77, 'bus1') returning id`
    await sql`
      update terminal_latest set at = array[(extract(epoch from now()) * 1000)::bigint], vals = '{230.5}'
      where terminal_id = ${terminal?.id ?? 0}`
    const tried = await call('variable/tryFormula', { templateId, formula: 'max(U, 1) * 2 + 1' }, a.admin)
    expect(tried.data).toMatchObject({
      fault: null,
      terminalId: terminal?.id,
      inputs: [{ name: 'U', value: 230.5, quality: 'good', stale: false }],
      steps: [
        { text: 'U', value: 230.5 },
        { text: 'max(U, 1)', value: 230.5 },
        { text: 'max(U, 1) * 2', value: 461 },
        { text: 'max(U, 1) * 2 + 1', value: 462 },
      ],
      value: 462,
      quality: 'good',
    })
    const wrong = await call('variable/tryFormula', { templateId, formula: 'U * {__proto__}' }, a.admin)
    expect(wrong.data).toMatchObject({
      fault: { reason: 'unknownName', at: 4, text: '__proto__' },
      value: null,
    })
    const none = await call('variable/tryFormula', { templateId, formula: 'U * P' }, a.admin)
    expect(none.data).toMatchObject({ fault: null, value: null, quality: 'formulaError' })
  })
})

it('a name read from a file is the same as a stored one exactly where the database says so', async () => {
  const names = [
    'İzmir',
    'izmir',
    'ΟΔΟΣ',
    'οδοσ',
    'οδος',
    'a\uFEFFb',
    'Ａ　 b',
    'a\u00A0\u2003b',
    'ǅ',
    'ẞ',
    'Ω',
    'ﬁ',
    'T °C',
    '１２',
  ]
  const rows = await sql<
    { name: string; key: string }[]
  >`select name, name_key(name) as key from unnest(${names}::text[]) name`
  expect(rows.map(({ name }) => [name, nameKey(name)])).toEqual(rows.map(({ name, key }) => [name, key]))
})
