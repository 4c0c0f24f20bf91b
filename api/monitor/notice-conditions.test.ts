/** [§3 Alarm notice] Conditions that can never be fulfilled by their variable, or always are. */
import { beforeEach, describe, expect, it } from 'vitest'
import { variableNoticeRefusals } from '#schema/monitor/variable-notice'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { context, call, tenants } = await apiTest()
const { sql } = context
const { a } = tenants

let variableId = 0
beforeEach(async () => {
  await sql`truncate alarm_rules, alarms, terminals, collection_templates cascade`
  await sql`update users set mon_state = 1`
  const [made] = await sql<{ id: number }[]>`
    with t as (
      insert into collection_templates (customer_id, name, type) values (${a.customerId}, 'Meter', 'climate') returning id)
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s)
    select id, 0, 'Temperature', '°C', 'holding', 0, 'int16', 120 from t returning id`
  variableId = made?.id ?? 0
})

const create = (more: object = {}) =>
  call(
    'variableNotice/createVariableNotice',
    { name: 'Hot', variableId, terminalScope: 'all', operator: 'gt', low: 80, timeZone: 'UTC', ...more },
    a.admin,
  )

it.each([' ', [], true, {}])('refuses %j for a limit: it is no number, and not 0 or 1', async (low) => {
  expect(await create({ low })).toMatchObject({ code: sessionRefusals.invalid.code, field: 'low' })
})

it('refuses a bit of a number that is not whole', async () => {
  await sql`update variables set data_type = 'float32' where id = ${variableId}`
  expect(await create({ operator: 'bitOn', bit: 0 })).toMatchObject({ code: 747, field: 'operator' })
})

describe('a change of the variable that would make its notice false', () => {
  const change = (more: object) =>
    call(
      'variable/modifyVariable',
      {
        id: variableId,
        name: 'Temperature',
        unit: '°C',
        registerType: 'holding',
        address: 0,
        dataType: 'int16',
        byteOrder: 'ABCD',
        reportType: 'cycle',
        cycleS: 120,
        ...more,
      },
      a.admin,
    )
  const cases: [string, object, object, number, string][] = [
    ['a longer cycle than its silence', { operator: 'noData', minutes: 5 }, { cycleS: 3_600 }, 526, 'cycleS'],
    ['a text where it has a limit', {}, { dataType: 'text', length: 4 }, 527, 'dataType'],
    ['a type without its bit', { operator: 'bitOn', bit: 12 }, { dataType: 'float32' }, 528, 'dataType'],
  ]

  it.each(cases)('is refused and names it: %s', async (_, of, more, code, field) => {
    await sql`update variables set report_type = 'cycle' where id = ${variableId}`
    expect(await create(of)).toMatchObject({ code: 0 })
    expect(await change(more)).toMatchObject({ code, field, message: expect.stringContaining('Hot') })
    expect(await change({ unit: 'K' })).toMatchObject({ code: 0 })
  })

  it('is refused in a list of variables, too', async () => {
    await create()
    const [{ template_id: templateId } = { template_id: 0 }] = await sql<{ template_id: number }[]>`
      select template_id from variables where id = ${variableId}`
    const row = {
      name: 'Temperature',
      unit: '-',
      registerType: 'holding',
      address: 0,
      dataType: 'text',
      length: 4,
      byteOrder: 'ABCD',
      reportType: 'both',
    }
    expect(await call('variable/saveVariables', { templateId, variables: [row] }, a.admin)).toMatchObject({
      code: 527,
      field: 'variables',
    })
  })
})

it('is not stored about a variable that is changed at the same time so that it can no longer be fulfilled', async () => {
  const created = await meanwhile(
    sql,
    create,
    (tx) => tx`update variables set data_type = 'text', length = 4 where id = ${variableId}`,
  )
  expect(created).toMatchObject({ code: variableNoticeRefusals.notANumber.code, field: 'operator' })
  expect(await sql`select from alarm_rules`).toHaveLength(0)
})
