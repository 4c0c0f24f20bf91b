import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a } = tenants

const fields = {
  unit: 'V',
  registerType: 'input',
  dataType: 'float32',
  byteOrder: 'ABCD',
  reportType: 'both',
}
const REPEATS = 4

it('several users change, hide, import and delete variables of one template at the same time', async () => {
  const made = await call<{ id: number }>(
    'collectionTemplate/addTemplate',
    { name: 'Changed by many', type: 'powerMeter' },
    a.admin,
  )
  const templateId = made.data?.id ?? 0
  const names = ['U', 'I', 'P']
  for (const [address, name] of names.entries())
    await call('variable/addVariable', { ...fields, templateId, name, address }, a.admin)
  await sql`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
    values (${a.devices[0]?.id ?? 0}, 'Changed by many', ${templateId}, 'modbusRtu', 78, 'bus1')`
  const rows = await sql<{ id: number; name: string }[]>`
    select id, name from variables where template_id = ${templateId} order by slot`
  const changes: [string, object][] = [
    ...rows.flatMap(({ id, name }, address): [string, object][] => [
      ['variable/modifyVariable', { ...fields, id, name, address }],
      ['variable/hideVariable', { id, hidden: true }],
    ]),
    [
      'variable/saveVariables',
      { templateId, variables: names.map((name) => ({ ...fields, name, address: 9 })) },
    ],
    ['variable/deleteVariable', { id: rows[0]?.id }],
    ['collectionTemplate/deleteTemplate', { id: templateId }],
  ]
  const all = Array.from({ length: REPEATS }, () => changes).flat()
  const replies = await Promise.all(
    all.map(async ([path, body]) => ({ path, code: (await call(path, body, a.admin)).code })),
  )
  expect(replies.filter(({ code }) => code === 500)).toEqual([])
})
