import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** A reboot of many that has not begun. */
export const furnishAddTask = furnish(async ({ sql }, tenant) => {
  const [task] = await sql<{ id: number }[]>`
    insert into tasks (kind, command, args, customer_id, created_by, responsible_id, request_id, name, start_at, wait_offline_minutes,
      expires_at, deadlines, group_share, max_per_second, max_in_flight, matching, left_out)
    values ('reboot', 'reboot', '{}', ${tenant.customerId}, ${tenant.admin.id}, ${tenant.admin.id}, ${randomUUID()}, ${`${tenant.name} reboot`},
      now() + interval '1 hour', 60, now() + interval '2 hours', '{"sent":300,"upgrading":300}', 0.25, 10, 200,
      2, ${sql.json([{ reason: 'offline', count: 1, sample: [`${tenant.name}-away`] }])}) returning id`
  await sql`
    insert into task_items (id, task_id, device_id, customer_id, deadline_at, outcome, failure, failure_detail)
    values (${randomUUID()}, ${task?.id ?? 0}, ${tenant.devices[0]?.id ?? 0}, ${tenant.customerId}, now() + interval '2 hours',
      'failed', 'upgradeFailed', ${`${tenant.name} says no`})`
  return { shared: {} }
})
