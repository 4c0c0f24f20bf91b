import { expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import { TEMPLATES_LOCK } from '#schema/config/compare-templates'
import { configure } from '#test/configured'
import { meanwhile } from '#test/meanwhile'
import { addDevices } from '#test/tenants'
import { openBench } from '#test/worker-bench'
import { compareTemplatesJob } from './compare-templates.ts'

const { ctx, tenants } = await openBench()
const { sql } = ctx

it('a device whose own fields change while it is compared is not told to be as its templates say', async () => {
  const { customerId, groups } = tenants.a
  const [device] = await addDevices(sql, customerId, groups.root, 'CMP-', 1)
  const id = device?.id ?? 0
  await configure(ctx, id)
  const pages = seal(JSON.stringify({ ntp: { servers: ['other.example'] } }), ctx.env.JWT_SECRET)
  await sql`
    with made as (
      insert into config_templates (customer_id, name, pages, fields)
      values (${customerId}, 'Time', ${pages}, '{"ntp": ["servers"]}') returning id)
    insert into config_template_uses (template_id, device_id, place) select id, ${id}, 1 from made`
  await sql`update device_configs set own = '{"ntp": ["servers"]}' where device_id = ${id}`
  const changes = () => sql`select changes from config_template_states where device_id = ${id}`
  await compareTemplatesJob.run(ctx, {})
  expect(await changes()).toEqual([{ changes: 0 }])
  await sql`delete from config_template_states`
  // It has read the device's fields, and waits for those who change templates, or which fields follow them.
  await meanwhile(
    sql,
    () => compareTemplatesJob.run(ctx, {}),
    (tx) => tx`select pg_advisory_xact_lock(${TEMPLATES_LOCK}::int, ${customerId}::int)`,
    (tx) => tx`update device_configs set own = '{}' where device_id = ${id}`,
  )
  expect(await changes()).toEqual([{ changes: 1 }])
})
