import { describe, expect, it } from 'vitest'
import { VARIABLES_MAX } from '#schema/monitor/fields'
import { library } from '#schema/monitor/library/library'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { templateValues } from '#schema/monitor/template/from-library'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, context, tenants } = await apiTest()
const { a } = tenants
const bring = (body: object) => call<{ id: number }>('collectionTemplate/importTemplate', body, a.admin)
const variable = {
  unit: 'V',
  registerType: 'input',
  address: 0,
  dataType: 'float32',
  byteOrder: 'ABCD',
  reportType: 'both',
}
const listed = async (templateId: number | undefined) =>
  (
    await call<{ list: { name: string; slot: number; unit: string }[]; total: number }>(
      'variable/getTemplateVariables',
      { templateId, limit: 1_000 },
      a.admin,
    )
  ).data

describe('a template that is imported', () => {
  it.each(library.map((template) => [template.key, template] as const))(
    'from the library is accepted whole: %s',
    async (_key, template) => {
      const { variables, ...facts } = templateValues(template, 'en-US')
      const made = await bring({
        ...facts,
        name: facts.name.slice(0, 64),
        remark: facts.remark.slice(0, 500),
        variables,
      })
      expect(made).toMatchObject({ code: 0 })
      expect((await listed(made.data?.id))?.total).toBe(template.variables.length)
    },
  )

  it('with a wrong variable leaves nothing behind, and says which it is', async () => {
    const variables = [
      { ...variable, name: 'U' },
      { ...variable, name: 'I', factor: 0 },
    ]
    const refused = await bring({ name: 'Half', type: 'other', variables })
    expect(refused).toMatchObject({ code: sessionRefusals.invalid.code, field: 'variables.1.factor' })
    expect(await bring({ name: 'Half', type: 'other', variables: variables.slice(0, 1) })).toMatchObject({
      code: 0,
    })
  })

  it('may have as many variables as a template can hold, with all of their fields; one more is refused', async () => {
    const more = {
      functionType: 'gauge',
      access: 'read',
      factor: 1,
      addend: 0,
      precision: 2,
      cycleS: 60,
      deadband: 0,
    }
    const variables = Array.from({ length: VARIABLES_MAX }, (_, i) => ({
      ...variable,
      ...more,
      minIntervalMs: 0,
      name: `V${i}`,
    }))
    const made = await bring({ name: 'Full', type: 'other', variables })
    expect(made).toMatchObject({ code: 0 })
    const copy = { id: made.data?.id, name: 'Full copy' }
    const copied = await call<{ id: number }>('collectionTemplate/copyTemplate', copy, a.admin)
    expect(await listed(copied.data?.id)).toMatchObject({ total: VARIABLES_MAX })
    const save = (rows: object[]) =>
      call('variable/saveVariables', { templateId: made.data?.id, variables: rows }, a.admin)
    expect(await save(variables)).toMatchObject({ code: 0, data: { added: 0, changed: VARIABLES_MAX } })
    expect(await save([...variables, { ...variable, name: 'Beyond' }])).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'variables',
    })
  })

  it('has none where its document says null or nothing: no threshold of 0, no register 0', async () => {
    const facts = { name: 'Nulls', type: 'other', vendor: null, maxGap: null, retries: '', remark: null }
    const blank = { bit: null, length: '', noValue: null, formula: null, min: null, max: '', factor: null }
    const made = await bring({ ...facts, variables: [{ ...variable, ...blank, name: 'U' }] })
    expect(made).toMatchObject({ code: 0 })
    const rows = (await listed(made.data?.id))?.list
    expect(rows).toMatchObject([{ min: null, max: null, noValue: null, factor: 1 }])
    const template = await call('collectionTemplate/getTemplate', { id: made.data?.id }, a.admin)
    expect(template.data).toMatchObject({ maxGap: 8, retries: 2, vendor: null })
    for (const address of [null, ''])
      expect(
        await bring({ name: 'X', type: 'other', variables: [{ ...variable, name: 'U', address }] }),
      ).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'variables.0.address',
      })
    const rest = { min: null, max: null, bit: null, precision: '' }
    const saved = await call(
      'variable/saveVariables',
      { templateId: made.data?.id, variables: [{ ...variable, ...rest, name: 'U' }] },
      a.admin,
    )
    expect(saved).toMatchObject({ data: { added: 0, changed: 1 } })
    expect((await listed(made.data?.id))?.list).toMatchObject([{ min: null, max: null, precision: 0 }])
  })

  it('has each name once', async () => {
    const variables = ['U', ' u '].map((name) => ({ ...variable, name }))
    expect(await bring({ name: 'Twins', type: 'other', variables })).toMatchObject({
      code: monitorRefusals.variableNameTaken.code,
    })
  })
})

it('several variables are saved into a template: known names are changed in place, others added', async () => {
  const id = (await bring({ name: 'Growing', type: 'other', variables: [{ ...variable, name: 'U' }] })).data
    ?.id
  const save = (variables: object[]) => call('variable/saveVariables', { templateId: id, variables }, a.admin)
  expect(
    await save([
      { ...variable, name: 'u', unit: 'kV' },
      { ...variable, name: 'I', unit: 'A' },
    ]),
  ).toMatchObject({
    data: { added: 1, changed: 1 },
  })
  expect((await listed(id))?.list.map(({ name, slot, unit }) => [name, slot, unit])).toEqual([
    ['u', 0, 'kV'],
    ['I', 1, 'A'],
  ])
})

it.each(library.slice(0, 4).map((template) => [template.key, template] as const))(
  'many that are changed are as many that are added: %s',
  async (key, template) => {
    const { variables } = templateValues(template, 'en-US')
    const added = await bring({ name: `Added ${key}`, type: 'other', variables })
    const plain = variables.map(({ name }, i) => ({ ...variable, name, address: 2 * i }))
    const changed = await bring({ name: `Changed ${key}`, type: 'other', variables: plain })
    const templateId = changed.data?.id
    expect(await call('variable/saveVariables', { templateId, variables }, a.admin)).toMatchObject({
      data: { added: 0, changed: variables.length },
    })
    const rows = async (id: number | undefined) =>
      (await listed(id))?.list.map((row) => ({ ...row, id: 0, templateId: 0, updatedAt: '', edition: '' }))
    expect(await rows(templateId)).toEqual(await rows(added.data?.id))
  },
)

it('the plan of a gateway is marked a few times when many variables are changed, not once for each', async () => {
  const { sql } = context
  const variables = Array.from({ length: 60 }, (_, n) => ({ ...variable, name: `V${n}`, address: 2 * n }))
  const templateId = (await bring({ name: 'Many', type: 'other', variables })).data?.id
  await sql`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
    values (${a.devices[0]?.id ?? 0}, 'Meter', ${templateId ?? 0}, 'modbusTcp', 1, '10.0.0.1')`
  await sql`create table marks (at timestamptz)`
  await sql`create function count_mark() returns trigger language plpgsql as 'begin insert into marks values (now()); return null; end'`
  await sql`create trigger marks_counted after update on collection_states for each row execute function count_mark()`
  const changed = variables.map((one) => ({ ...one, unit: 'kV' }))
  expect(await call('variable/saveVariables', { templateId, variables: changed }, a.admin)).toMatchObject({
    data: { changed: 60 },
  })
  const [marks] = await sql<{ n: number }[]>`select count(*)::int as n from marks`
  expect(marks?.n).toBeLessThan(5)
})
