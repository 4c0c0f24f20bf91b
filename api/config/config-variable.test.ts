import { beforeEach, expect, it } from 'vitest'
import { seal, unseal } from '#infra/secrets'
import { templateRefusals } from '#schema/config/template-refusals'
import { SECRET_MASK } from '#schema/kit/secret-mask'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { a } = tenants
const { sql, env } = context
const sn = a.devices[0]?.sn ?? ''
const group = a.groups.root

beforeEach(() => sql`truncate config_templates, config_variables cascade`)

const add = async (values: object[], isSecret = true) =>
  (await call<{ id: number }>('configVariable/addConfigVariable', { name: 'key', isSecret, values }, a.admin))
    .data?.id ?? 0
const modify = (id: number, values: object[]) =>
  call('configVariable/modifyConfigVariable', { id, values }, a.admin)
const kept = async () =>
  (
    await sql<{ groupId: number | null; deviceId: number | null; value: string }[]>`
      select group_id as "groupId", device_id as "deviceId", value from config_variable_values order by id`
  ).map((one) => ({ ...one, value: unseal(one.value, env.JWT_SECRET) }))

it('a masked value keeps the secret of its scope; in another one it has to be entered again', async () => {
  const id = await add([{ groupId: group, value: 'open-sesame' }])
  const before = await kept()
  expect((await modify(id, [{ groupId: group, value: SECRET_MASK }])).code).toBe(0)
  expect(await kept()).toMatchObject(before)
  // As the form sends it when only the scope was changed.
  for (const moved of [{ value: SECRET_MASK }, { deviceSn: sn, value: SECRET_MASK }])
    expect(await modify(id, [moved])).toMatchObject({
      code: templateRefusals.valueMasked.code,
      field: 'values.0',
    })
  expect(await kept()).toMatchObject(before)
})

it('a masked value keeps the secret that somebody else enters meanwhile', async () => {
  const id = await add([{ groupId: group, value: 'open-sesame' }])
  const sealed = seal('changed', env.JWT_SECRET)
  const saved = await meanwhile(
    sql,
    () => modify(id, [{ groupId: group, value: SECRET_MASK }]),
    (tx) => tx`select from config_variables where id = ${id} for update`,
    (tx) => tx`update config_variable_values set value = ${sealed} where variable_id = ${id}`,
  )
  expect(saved.code).toBe(0)
  expect(await kept()).toMatchObject([{ groupId: group, value: 'changed' }])
})

it('a masked value that can no longer be read has to be entered again: the mask does not replace it', async () => {
  const id = await add([{ groupId: group, value: 'open-sesame' }])
  const sealed = seal('open-sesame', 'another secret')
  await sql`update config_variable_values set value = ${sealed}`
  expect((await modify(id, [{ groupId: group, value: SECRET_MASK }])).code).toBe(
    templateRefusals.valueMasked.code,
  )
  expect(await sql`select value from config_variable_values`).toMatchObject([{ value: sealed }])
  expect((await modify(id, [{ groupId: group, value: 'sesame' }])).code).toBe(0)
  expect(await kept()).toMatchObject([{ groupId: group, value: 'sesame' }])
})

it('a value for a device needs its serial number, and is not one for the whole customer', async () => {
  const id = await add([{ groupId: group, value: 'east' }], false)
  expect(await modify(id, [{ deviceSn: ' ', value: 'shop' }])).toMatchObject({
    code: sessionRefusals.invalid.code,
    field: 'values.0.deviceSn',
    message: 'Serial number is required',
  })
  expect(await kept()).toMatchObject([{ groupId: group, value: 'east' }])
})

it('a serial number that is mistyped, or of another customer, is named at its field', async () => {
  const id = await add([{ groupId: group, value: 'east' }], false)
  for (const wrong of ['NO-SUCH', tenants.b.devices[0]?.sn ?? ''])
    expect(await modify(id, [{ value: 'shop' }, { deviceSn: wrong, value: 'shop' }])).toMatchObject({
      code: templateRefusals.deviceUnknown.code,
      field: 'values.1.deviceSn',
      message: `There is no device ${wrong}`,
    })
  expect(await kept()).toMatchObject([{ groupId: group, value: 'east' }])
})

it('is deleted although a template of the customer can no longer be read', async () => {
  const id = await add([{ value: 'x' }])
  const pages = seal('{}', 'another secret')
  await sql`insert into config_templates (customer_id, name, pages, fields) values (${a.customerId}, 'Old', ${pages}, '{}')`
  expect((await call('configVariable/deleteConfigVariable', { id }, a.admin)).code).toBe(0)
  expect(await sql`select 1 from config_variables`).toHaveLength(0)
})
