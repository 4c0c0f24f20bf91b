import { randomUUID } from 'node:crypto'
import { hashSecret } from '#infra/secrets'
import { furnish } from '../furnish.ts'

export const furnishDevice = furnish(async ({ sql }, tenant) => {
  const device = tenant.devices[0]
  await sql`insert into commands (id, device_id, customer_id, name, args, deadline_at) values (${randomUUID()}, ${device?.id ?? 0}, ${tenant.customerId}, 'reboot', '{}', now() + interval '1 hour')`
  const [key] = await sql<{ id: number }[]>`
    insert into enrolment_keys (customer_id, group_id, label, hash, max_count, expires_at)
    values (${tenant.customerId}, ${tenant.groups.root}, ${`${tenant.name} key`}, ${hashSecret(randomUUID())}, 5, now() + interval '1 day') returning id`
  return {
    shared: {
      deviceId: device?.id,
      dids: [device?.id],
      groupId: tenant.groups.root,
      gid: tenant.groups.root,
      pid: tenant.groups.root,
      customerId: tenant.customerId,
      cid: tenant.customerId,
    },
    own: { 'device/revokeEnrolmentKey': { id: key?.id } },
  }
})
