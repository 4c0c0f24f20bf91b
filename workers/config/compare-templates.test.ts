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

async function followTemplate(deviceId: number): Promise<void> {
  const pages = seal(JSON.stringify({ ntp: { servers: ['other.example'] } }), ctx.env.JWT_SECRET)
  await sql`
    with made as (
      insert into config_templates (customer_id, name, pages, fields)
      values (${tenants.a.customerId}, ${`Time ${deviceId}`}, ${pages}, '{"ntp": ["servers"]}') returning id)
    insert into config_template_uses (template_id, device_id, place) select id, ${deviceId}, 1 from made`
}

it('a device whose own fields change while it is compared is not told to be as its templates say', async () => {
  const { customerId, groups } = tenants.a
  const [device] = await addDevices(sql, customerId, groups.root, 'CMP-', 1)
  const id = device?.id ?? 0
  await configure(ctx, id)
  await followTemplate(id)
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

it('a configuration that was encrypted with another JWT_SECRET is read again, and the others are compared', async () => {
  const { customerId, groups } = tenants.a
  const [foreign, device] = await addDevices(sql, customerId, groups.root, 'KEY-', 2)
  if (!foreign || !device) throw new Error('two devices')
  for (const { id } of [foreign, device]) {
    await configure(ctx, id)
    await followTemplate(id)
  }
  await sql`
    update device_configs set document = ${seal('{}', 'another key')}, asked_at = now() where device_id = ${foreign.id}`
  await compareTemplatesJob.run(ctx, {})
  expect(
    await sql`select device_id, changes from config_template_states where device_id > ${foreign.id - 1}`,
  ).toEqual([{ device_id: device.id, changes: 1 }])
  expect(
    await sql`select document_hash, asked_at, document is null as gone from device_configs where device_id = ${foreign.id}`,
  ).toEqual([{ document_hash: null, asked_at: null, gone: false }])
  // The same document is read again.
  await configure(ctx, foreign.id)
  await compareTemplatesJob.run(ctx, {})
  expect(await sql`select changes from config_template_states where device_id = ${foreign.id}`).toEqual([
    { changes: 1 },
  ])
})
