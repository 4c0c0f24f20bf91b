import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** A reboot of many that has not begun. */
export const furnishCommandBatch = furnish(async ({ sql }, tenant) => {
  const device = tenant.devices[0]
  const batchId = randomUUID()
  await sql`
    insert into command_batches (id, customer_id, created_by, request_id, name, args, created_at, expires_at, matching, left_out)
    values (${batchId}, ${tenant.customerId}, ${tenant.admin.id}, ${randomUUID()}, 'reboot', '{}', now(),
      now() + interval '1 hour', 2, ${sql.json([{ reason: 'offline', count: 1, sample: [`${tenant.name}-away`] }])})`
  await sql`
    insert into commands (id, device_id, customer_id, name, args, deadline_at, batch_id, error)
    values (${randomUUID()}, ${device?.id ?? 0}, ${tenant.customerId}, 'reboot', '{}', now() + interval '1 hour', ${batchId},
      ${`${tenant.name} says no`})`
  return { shared: { batchId } }
})
