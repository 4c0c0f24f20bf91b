import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { call, tenants, context } = await apiTest()
const { admin, devices } = tenants.a
const deviceId = devices[0]?.id ?? 0

it('fields of a page that has none of its own are none, whatever the page is called', async () => {
  await configure(context, deviceId)
  await context.sql`update device_configs set own = '{"wan": ["metric", "mtu"]}' where device_id = ${deviceId}`
  const follow = async (page: string) =>
    (await call('configTemplate/followTemplates', { deviceId, page, fields: ['metric'] }, admin)).code
  for (const page of ['lan', 'constructor', '__proto__', 'wan'])
    expect([page, await follow(page)]).toEqual([page, 0])
  const [row] = await context.sql`select own from device_configs where device_id = ${deviceId}`
  expect(row).toEqual({ own: { wan: ['mtu'] } })
})
