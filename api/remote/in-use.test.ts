/** How many sessions a user may have open, and what becomes of the command of one that is closed soon. */
import { expect, it } from 'vitest'
import { sayIn } from '#infra/say'
import { PLATFORM_NAME } from '#schema/kit/known-name'
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

it('a session that is closed before the device has answered leaves its command done, if its tunnel was open', async () => {
  await sql`delete from remote_sessions`
  const states = async (wasOpen: boolean) => {
    await sql`delete from commands`
    const device = a.devices[0]?.id ?? 0
    const opened = await call<{ sessionId: string }>(
      'remote/openRemote',
      { deviceId: device, kind: 'terminal' },
      a.admin,
    )
    const id = opened.data?.sessionId ?? ''
    await sql`update commands set state = 'sent'`
    if (wasOpen) await sql`update remote_sessions set state = 'tunnelUp', tunnel_at = now() where id = ${id}`
    expect((await call('remote/closeRemote', { sessionId: id }, a.admin)).code).toBe(0)
    return sql<{ state: string }[]>`select state from commands`
  }
  expect(await states(true)).toEqual([{ state: 'done' }])
  expect(await states(false)).toEqual([{ state: 'timedOut' }])
})

it('who is told of a session of the platform reads no mark in place of its user', async () => {
  await sql`delete from remote_sessions`
  const deviceId = a.devices[0]?.id ?? 0
  await sql`
    insert into remote_sessions (id, device_id, customer_id, user_id, command_id, kind, scheme, host, port, expires_at)
    values (gen_random_uuid(), ${deviceId}, ${a.customerId}, ${tenants.superAdmin.id}, gen_random_uuid(), 'terminal', 'ssh',
      '127.0.0.1', 22, now() + interval '1 hour')`
  const refused = await call('remote/openRemote', { deviceId, kind: 'terminal' }, a.admin)
  expect(refused).toMatchObject({
    code: remoteRefusals.remoteInUse.code,
    data: { who: PLATFORM_NAME },
    message: expect.stringContaining(sayIn('en-US')('kit:platformUser')),
  })
})
