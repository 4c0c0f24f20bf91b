/** [§3 Alarm notice] Notices about variables: what may be watched where, and by whom. */
import { beforeEach, describe, expect, it } from 'vitest'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { sql } = context
const { a, b } = tenants
const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0

let variableId = 0
let textId = 0
let terminalId = 0
let otherId = 0
const addTemplate = (name: string) =>
  one(sql`
    insert into collection_templates (customer_id, name, type) values (${a.customerId}, ${name}, 'climate') returning id`)
const addTerminal = (name: string, templateId: number, slave: number) =>
  one(sql`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
    values (${a.devices[1]?.id ?? 0}, ${name}, ${templateId}, 'modbusTcp', ${slave}, '192.0.2.1') returning id`)

beforeEach(async () => {
  await sql`truncate alarm_rules, alarms, terminals, collection_templates cascade`
  // The operator sees one branch, and has all permissions of an administrator there.
  await sql`update users set mon_state = 1`
  await sql`update users set role_id = (select id from roles where name = 'customerAdmin') where id = ${a.operator.id}`
  const templateId = await addTemplate('Meter')
  variableId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s)
    values (${templateId}, 0, 'Temperature', '°C', 'holding', 0, 'int16', 120) returning id`)
  textId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, length)
    values (${templateId}, 1, 'Serial', '-', 'holding', 10, 'text', 8) returning id`)
  terminalId = await addTerminal('Boiler', templateId, 1)
  otherId = await addTerminal('Press', await addTemplate('Other'), 2)
})

const notice = (more: object = {}) => ({
  name: 'Hot',
  variableId,
  terminalScope: 'all',
  operator: 'gt',
  low: 80,
  timeZone: 'UTC',
  ...more,
})
const create = (more: object = {}, who: { username: string } = a.admin) =>
  call<{ id: number }>('variableNotice/createVariableNotice', notice(more), who)
const list = async (who: { username: string } = a.admin) =>
  (await call<{ list: object[] }>('variableNotice/getVariableNoticeList', {}, who)).data?.list ?? []

it('is listed with its variable, condition and how many terminals it covers; not among the rules about devices', async () => {
  expect(await create({ recoverAt: 75, forS: 30 })).toMatchObject({ code: 0 })
  expect(await list()).toMatchObject([
    {
      name: 'Hot',
      variableName: 'Temperature',
      unit: '°C',
      templateName: 'Meter',
      terminalScope: 'all',
      operator: 'gt',
      low: 80,
      high: null,
      recoverAt: 75,
      forS: 30,
      terminalCount: 1,
      activeCount: 0,
    },
  ])
  const rules = await call<{ list: object[] }>('alarm/getAlarmRuleList', {}, a.admin)
  expect(rules.data?.list).toEqual([])
})

it('is listed with the unit that its variable has now', async () => {
  await create()
  await sql`update variables set unit = 'K' where id = ${variableId}`
  expect(await list()).toMatchObject([{ unit: 'K' }])
  await sql`delete from variables where id = ${variableId}`
  expect(await list()).toMatchObject([{ unit: '°C' }])
})

it.each([
  ['a condition without its value', { low: undefined }, 740, 'low'],
  ['a range without its other end', { operator: 'between' }, 740, 'high'],
  ['a range that is backwards', { operator: 'between', high: 10 }, 741, 'high'],
  ['a recovery value on the wrong side', { recoverAt: 90 }, 241, 'recoverAt'],
  ['a hysteresis wider than the range', { operator: 'outside', high: 84, hysteresis: 3 }, 743, 'hysteresis'],
  ['a silence shorter than 2.5 cycles', { operator: 'noData', minutes: 4 }, 742, 'minutes'],
  ['a change by nothing', { operator: 'change', low: 0, withinS: 60 }, 746, 'low'],
  ['a change by less than nothing', { operator: 'change', low: -5, withinS: 60 }, 746, 'low'],
  ['a bit that 16 bits do not have', { operator: 'bitOn', bit: 16 }, 748, 'bit'],
  ['no terminal chosen', { terminalScope: 'terminals' }, 248, 'terminalIds'],
  ['repetition without an interval', { mode: 'repeat' }, 253, 'intervalMinutes'],
])('refuses %s, naming the field', async (_, more, code, field) => {
  expect(await create(more)).toMatchObject({ code, field })
})

it('refuses a limit of a text, whose silence may be watched', async () => {
  expect(await create({ variableId: textId })).toMatchObject({ code: 745, field: 'operator' })
  expect(await create({ variableId: textId, operator: 'noData', minutes: 60 })).toMatchObject({ code: 0 })
})

it('refuses a terminal with another template', async () => {
  expect(await create({ terminalScope: 'terminals', terminalIds: [terminalId, otherId] })).toMatchObject({
    code: 744,
    field: 'terminalIds',
  })
})

it.each([
  [{ name: ' ' }, 'name', 'Event name is required'],
  [{ variableId: undefined }, 'variableId', 'Variable is required'],
  [{ low: '' }, 'low', 'Enter the value of this condition'],
])('[§3 Alarm notice] %j is refused at its field, by its name on the page', async (wrong, field, message) => {
  expect(await create(wrong)).toMatchObject({ field, message })
})

it('[§8] a name that exists is refused, also that of a rule about devices', async () => {
  await create()
  expect(await create()).toMatchObject({ code: 115, field: 'name' })
})

it('of a user confined to groups reaches only their terminals', async () => {
  expect(await create({}, a.operator)).toMatchObject({ code: 5 })
  expect(await create({ terminalScope: 'terminals', terminalIds: [terminalId] }, a.operator)).toMatchObject({
    code: 0,
  })
  await sql`update devices set group_id = ${a.groups.other} where id = ${a.devices[1]?.id ?? 0}`
  expect(await list(a.operator)).toEqual([])
  await sql`update devices set group_id = ${a.groups.branch} where id = ${a.devices[1]?.id ?? 0}`
})

it('of all terminals is listed as not to be changed for a user confined to groups', async () => {
  await create()
  expect(await list(a.operator)).toMatchObject([{ changeable: false }])
  expect(await list()).toMatchObject([{ changeable: true }])
})

it('of another customer does not exist', async () => {
  const made = await create()
  const ruleId = made.data?.id
  for (const name of ['getVariableNotice', 'deleteVariableNotice'])
    expect(await call(`variableNotice/${name}`, { ruleId }, b.admin)).toMatchObject({ code: 240 })
  expect(await call('variableNotice/createVariableNotice', notice(), b.admin)).toMatchObject({ code: 5 })
  // A rule about variables is none about devices.
  expect(await call('alarm/deleteAlarmRule', { ruleId }, a.admin)).toMatchObject({ code: 240 })
})

it('says so when its variable is deleted, and stays', async () => {
  await create()
  await sql`delete from variables where id = ${variableId}`
  expect(await list()).toMatchObject([{ variableId: null, variableName: 'Temperature', terminalCount: 0 }])
})

it('[§3 Alarm notice] keeps its texts, way, repetition and contacts; is enabled and disabled', async () => {
  const contactId = await one(sql`
    insert into contacts (customer_id, name, phone, email) values (${a.customerId}, 'Li', '13800138111', 'li@example.test') returning id`)
  const said = {
    severity: 'critical',
    mode: 'repeat',
    intervalMinutes: 30,
    byEmail: true,
    contactIds: [contactId],
    alertText: '{terminal}: {value}',
    recoveryText: '{terminal} is well',
  }
  const ruleId = (await create(said)).data?.id
  const get = async () =>
    (await call<Record<string, unknown>>('variableNotice/getVariableNotice', { ruleId }, a.admin)).data
  expect(await get()).toMatchObject({ ...said, enabled: true })
  await sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, terminal_id, variable_id,
      value, detail, started_at, last_at)
    values (${a.customerId}, ${ruleId ?? 0}, 'Hot', 'variable', 'critical', ${a.devices[1]?.id ?? 0}, '', '', '', 'x', ${terminalId}, ${variableId},
      90, '90 °C', now(), now())`
  await sql`
    update terminal_latest set at = array[(extract(epoch from now()) * 1000)::bigint], vals = '{85}' where terminal_id = ${terminalId}`
  const records = async (who = a.admin) =>
    (await call<{ list: object[] }>('variableAlarm/getVariableAlarmList', {}, who)).data?.list
  // [§3 Alarm record] What it was when it began, and what it is now.
  expect(await records()).toMatchObject([
    { value: 90, endedAt: null, current: { value: 85, quality: 0, unit: '°C' } },
  ])
  // The value of now is one of the unit of now.
  await sql`update variables set unit = 'K' where id = ${variableId}`
  expect(await records()).toMatchObject([{ current: { value: 85, unit: 'K' } }])
  // A record stays with its group; the terminal may be behind a gateway of another group by now.
  await sql`update alarms set group_id = ${a.groups.branch}, ended_at = now(), end_reason = 'uncovered'`
  expect(await records(a.operator)).toMatchObject([{ current: { value: 85 } }])
  await sql`update terminals set device_id = ${a.devices[3]?.id ?? 0} where id = ${terminalId}`
  expect(await records(a.operator)).toMatchObject([{ current: null }])
  expect(await records()).toMatchObject([{ current: { value: 85 } }])
  const enable = (enabled: boolean) =>
    call('variableNotice/enableVariableNotice', { ruleId, enabled }, a.admin)
  expect(await enable(false)).toMatchObject({ code: 0 })
  expect(await get()).toMatchObject({ enabled: false })
  expect(await enable(true)).toMatchObject({ code: 0 })
  expect(await get()).toMatchObject({ ...said, enabled: true })
})

it('is refused without the area: monState 0', async () => {
  await sql`update users set mon_state = 0`
  expect(await call('variableNotice/getVariableNoticeList', {}, a.admin)).toMatchObject({ code: 5 })
})

describe('a formula over several variables', () => {
  const formula = 'Temperature > 80 && {Pressure L1} < 2'
  const of = (more: object = {}) => create({ operator: 'formula', low: undefined, formula, ...more })
  beforeEach(async () => {
    await sql`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s)
      select template_id, 4, 'Pressure L1', 'bar', 'holding', 2, 'int16', 10 from variables where id = ${variableId}`
  })

  it('is stored, shown, and dropped with its operator', async () => {
    const made = await of({ forS: 5, low: 7 })
    expect(made).toMatchObject({ code: 0 })
    expect(await list()).toMatchObject([{ operator: 'formula', formula, low: null, forS: 5 }])
    const ruleId = made.data?.id
    const { data } = await call<{ edition: string }>('variableNotice/getVariableNotice', { ruleId }, a.admin)
    const changed = { ...notice(), formula, ruleId, edition: data?.edition }
    expect(await call('variableNotice/updateVariableNotice', changed, a.admin)).toMatchObject({ code: 0 })
    expect(await list()).toMatchObject([{ operator: 'gt', formula: null, low: 80 }])
  })

  it.each([
    ['', 520],
    ['Temperature > 80 && Pressure < 2', 521],
    ['constructor > 1', 521],
    ['{__proto__} + Temperature', 521],
    ['toString(Temperature)', 521],
    ['Serial == 1', 521],
    ['Temperature.constructor', 522],
    ['Temperature >', 522],
    [`${'('.repeat(200)}Temperature${')'.repeat(200)}`, 522],
    [`${'-'.repeat(480)}Temperature`, 522],
    ['1 > 0', 523],
    ['T'.repeat(501), sessionRefusals.invalid.code],
  ])('a wrong one is refused with its field: case %#', async (text, code) => {
    const refused = await of({ formula: text })
    expect(refused).toMatchObject({ code, field: 'formula' })
    expect(await list()).toEqual([])
  })

  it('keeps the variables that it names: neither renamed nor deleted', async () => {
    await of()
    const [pressure] = await sql<{ id: number; edition: string }[]>`
      select id from variables where name = 'Pressure L1'`
    await sql`update terminals set hidden = true`
    expect(await call('variable/deleteVariable', { id: pressure?.id }, a.admin)).toMatchObject({ code: 524 })
    expect(await sql`select 1 from variables where id = ${pressure?.id ?? 0}`).toHaveLength(1)
    const rows = await call<{ list: { id: number; edition: string }[] }>(
      'variable/getTemplateVariables',
      {
        templateId: (await sql`select template_id as id from variables where id = ${variableId}`)[0]?.['id'],
      },
      a.admin,
    )
    const row = rows.data?.list.find(({ id }) => id === pressure?.id)
    const known = [
      'id',
      'edition',
      'unit',
      'registerType',
      'address',
      'dataType',
      'byteOrder',
      'factor',
      'addend',
      'precision',
      'reportType',
      'cycleS',
    ]
    const own = Object.fromEntries(
      Object.entries(row ?? {}).filter(([key, value]) => value !== null && known.includes(key)),
    )
    const modify = (change: object) => call('variable/modifyVariable', { ...own, ...change }, a.admin)
    expect(await modify({ name: 'Pressure' })).toMatchObject({ code: 524, field: 'name' })
    // With its name it is still there, but no number.
    const text = { dataType: 'text', length: 4, name: 'Pressure L1' }
    expect(await modify(text)).toMatchObject({ code: 524, field: 'dataType' })
  })

  it('is tried on live values, of terminals that the user may see', async () => {
    await sql`
      update terminal_latest set at = array[${Date.now()}, null, null, null, ${Date.now()}]::bigint[],
        vals = array[81, null, null, null, 1.5]::float8[] where terminal_id = ${terminalId}`
    const body = { variableId, formula }
    const tried = await call('variableNotice/tryNoticeFormula', body, a.admin)
    expect(tried.data).toMatchObject({
      fault: null,
      terminalId,
      names: ['Pressure L1', 'Temperature'],
      value: 1,
      quality: 'good',
    })
    expect((tried.data as { steps: object[] }).steps).toContainEqual({ text: '{Pressure L1} < 2', value: 1 })
    expect(
      await call('variableNotice/tryNoticeFormula', { ...body, terminalId: otherId }, a.admin),
    ).toMatchObject({ data: { terminalId } })
    expect(await call('variableNotice/tryNoticeFormula', body, b.admin)).toMatchObject({ code: 5 })
    await sql`update devices set group_id = ${a.groups.other} where id = ${a.devices[1]?.id ?? 0}`
    expect(await call('variableNotice/tryNoticeFormula', body, a.operator)).toMatchObject({
      data: { terminalId: null, terminals: [], value: null },
    })
    await sql`update devices set group_id = ${a.groups.branch} where id = ${a.devices[1]?.id ?? 0}`
  })
})
