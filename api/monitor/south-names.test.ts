import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { addTemplate, addTerminal } from '#test/collecting'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a } = tenants

it('of a source that is linked, only names that have a variable are listed no longer', async () => {
  const templateId = await addTemplate(sql, a.customerId)
  await sql`
    insert into variables (template_id, slot, name, unit, data_type, io_controller) values
      (${templateId}, 0, 'Flow', '-', 'float64', 'source'), (${templateId}, 1, 'Level', '-', 'float64', 'source')`
  const terminalId = await addTerminal(
    sql,
    { id: a.devices[0]?.id ?? 0, customerId: a.customerId },
    templateId,
  )
  const [project] = await sql<{ id: number }[]>`
    insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${a.groups.root}, 'Plant', 'water') returning id`
  const [account] = await sql<{ id: number }[]>`
    insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
    values (${a.customerId}, ${project?.id ?? 0}, 'Pumps', 'neuron', 'south.names', '', '{}') returning id`
  const id = account?.id ?? 0
  await sql`
    insert into south_names (account_id, source, name, value, at)
    select ${id}, source, name, '1', now() from (values ('north', ' flow'), ('north', 'fast/LEVEL'), ('north', 'mode'), ('east', 'flow')) n (source, name)`
  expect((await call('south/linkSouth', { id, source: 'north', terminalId }, a.admin)).code).toBe(0)
  const { data } = await call<{ names: { source: string; name: string }[] }>(
    'south/getSouthNames',
    { id },
    a.admin,
  )
  expect(data?.names).toMatchObject([
    { source: 'east', name: 'flow' },
    { source: 'north', name: 'mode' },
  ])
})
