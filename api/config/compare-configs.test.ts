import { beforeAll, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { a } = tenants
const [deviceId = 0, withId = 0] = a.devices.map(({ id }) => id)
const compare = async (body: object) =>
  (await call<{ fields: object[]; isSet: boolean }>('config/compareConfigs', { deviceId, ...body }, a.admin))
    .data

beforeAll(async () => {
  for (const id of [deviceId, withId]) await configure(context, id)
})

it('tells a device that no template reaches from one that is as its templates say', async () => {
  expect(await compare({})).toMatchObject({ fields: [], isSet: false })
  expect(await compare({ withId })).toMatchObject({ isSet: true })
  const template = { name: 'Shops', everywhere: true, pages: { wan: { metric: 77 } } }
  expect((await call('configTemplate/addConfigTemplate', template, a.admin)).code).toBe(0)
  expect(await compare({})).toMatchObject({
    fields: [{ page: 'wan', name: 'metric', other: 77, template: 'Shops' }],
    isSet: true,
  })
})
