/** How many sessions a user may have open. */
import { expect, it } from 'vitest'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { PER_USER_MAX } from '#schema/remote/remote-session'
import { apiTest } from '#test/api-client'

const { tenants, call, context } = await apiTest({ SSH_PORT: '2222' })
const { a } = tenants
const { sql } = context

it('of many that are opened at once with several devices, no more than a user may have', async () => {
  const ids = a.devices.map(({ id }) => id)
  await sql`update device_states set online = true where device_id = any(${ids})`
  await sql`update devices set features = '["openTunnel"]'::jsonb where id = any(${ids})`
  // All but one of them, with a device that another session cannot get in the way of.
  await sql`
    insert into remote_sessions (id, device_id, customer_id, user_id, command_id, kind, scheme, host, port, expires_at)
    select gen_random_uuid(), ${tenants.b.devices[0]?.id ?? 0}, ${a.customerId}, ${a.admin.id}, gen_random_uuid(), 'terminal', 'ssh',
      '127.0.0.1', 22, now() + interval '1 hour' from generate_series(2, ${PER_USER_MAX})`
  const codes = await Promise.all(
    ids.map(
      async (deviceId) => (await call('remote/openRemote', { deviceId, kind: 'terminal' }, a.admin)).code,
    ),
  )
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === remoteRefusals.remoteTooMany.code)).toHaveLength(ids.length - 1)
})
