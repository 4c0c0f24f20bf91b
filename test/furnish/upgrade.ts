import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'
import { addPackage } from '../tenants.ts'

export const furnishUpgrade = furnish(async (context, tenant) => {
  const { sql } = context
  const made = await addPackage(context, {
    customerId: tenant.customerId,
    model: 'R200',
    version: `9.9.${tenant.name.length}`,
    name: `${tenant.name} firmware`,
  })
  await sql`update packages set remark = ${`${tenant.name} remark`} where id = ${made.id}`
  const [task] = await sql<{ id: number }[]>`
    insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes, deadlines, responsible_id)
    values ('upgrade', ${tenant.customerId}, ${`${tenant.name} task`}, ${made.id}, ${`${tenant.name} firmware`}, 'upgrade', 'R200', '9.9.9', 1, 'x', 'x', true, now() + interval '1 day', 60, '{"sent":60,"upgrading":600}', ${tenant.admin.id}) returning id`
  const itemId = randomUUID()
  await sql`insert into task_items (id, task_id, device_id, customer_id, deadline_at) values (${itemId}, ${task?.id ?? 0}, ${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, now() + interval '2 days')`
  // One that paused itself: one device failed, one waits.
  await sql`
    with paused as (
      insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config,
        start_at, wait_offline_minutes, max_failures, paused_at, pause_reason, paused_failed, paused_tried, deadlines, responsible_id)
      values ('upgrade', ${tenant.customerId}, ${`${tenant.name} stopped`}, ${made.id}, ${`${tenant.name} firmware`}, 'upgrade', 'R200',
        '9.9.9', 1, 'x', 'x', true, now(), 60, 1, now(), 'failures', 1, 1, '{"sent":60,"upgrading":600}', ${tenant.admin.id}) returning id)
    insert into task_items (id, task_id, device_id, customer_id, deadline_at, step, outcome, failure, offers)
    select gen_random_uuid(), id, ${tenant.devices[0]?.id ?? 0}::int, ${tenant.customerId}::int, now() + interval '1 hour', 'downloading', 'failed', 'md5Failed', 1 from paused
    union all
    select gen_random_uuid(), id, ${tenant.devices[1]?.id ?? 0}::int, ${tenant.customerId}::int, now() + interval '1 hour', 'created', null, null, 0 from paused`
  return { shared: { spId: made.id, taskId: task?.id, itemIds: [itemId] } }
})
