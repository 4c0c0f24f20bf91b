/** Templates and variables hold for any device of a customer: they are nothing for users who see some groups only. */
import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a } = tenants
const { sql } = context

it('a user confined to groups adds none, whatever their role contains: neither for all devices nor for their own', async () => {
  await sql`update users set role_id = (select id from roles where customer_id is null and name = 'customerAdmin')
    where id = ${a.operator.id}`
  const pages = { wan: { hostname: 'shop' } }
  for (const reach of [{ everywhere: true }, { groupIds: [a.groups.branch] }, {}]) {
    const body = { name: 'Shop', pages, ...reach }
    expect(await call('configTemplate/addConfigTemplate', body, a.operator)).toMatchObject({ code: 5 })
  }
  const variable = { name: 'apn', values: [{ groupId: a.groups.branch, value: 'iot.shop' }] }
  expect(await call('configVariable/addConfigVariable', variable, a.operator)).toMatchObject({ code: 5 })
  expect(
    await call('configVariable/addConfigVariable', { name: 'apn', values: [] }, a.operator),
  ).toMatchObject({
    code: 5,
  })
  expect(await call('configTemplate/addConfigTemplate', { name: 'Shop', pages }, a.admin)).toMatchObject({
    code: 0,
  })
})
