import { expect, it } from 'vitest'
import { TEMPLATES_LOCK } from '#schema/config/compare-templates'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { admin, customerId, devices, groups } = tenants.a
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

it('a comparison that is under way with the fields of before does not stay', async () => {
  const { sql } = context
  await configure(context, deviceId)
  const followed = await meanwhile(
    sql,
    () => call('configTemplate/followTemplates', { deviceId, page: 'wan', fields: ['metric'] }, admin),
    async (tx) => {
      await tx`select pg_advisory_xact_lock_shared(${TEMPLATES_LOCK}::int, ${customerId}::int)`
      await tx`
        insert into config_template_states (device_id, customer_id, group_id, of_hash, templates, changes, on_uplink, is_faulty)
        values (${deviceId}, ${customerId}, ${groups.root}, 'hash', 'Time', 0, false, false)`
    },
  )
  expect(followed.code).toBe(0)
  expect(await sql`select 1 from config_template_states where device_id = ${deviceId}`).toEqual([])
})
