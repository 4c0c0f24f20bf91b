/** Forwarded connections of a customer whose terminals must be recorded. */
import { beforeEach, expect, it } from 'vitest'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { tenants, call, context } = await apiTest({ SSH_PORT: '2222' })
const { a } = tenants
const { sql } = context
const deviceId = a.devices[0]?.id ?? 0

beforeEach(async () => {
  await sql`delete from remote_sessions`
  await sql`delete from commands`
  await sql`update customers set terminal_recording = 'required' where id = ${a.customerId}`
  await sql`update device_states set online = true, ip = '10.64.3.17' where device_id = ${deviceId}`
  await sql`update devices set features = '["openTunnel"]'::jsonb where id = ${deviceId}`
  await sql`
    insert into device_sections (device_id, name, at, value) values (${deviceId}, 'lan', now(), ${sql.json({ ip: '192.168.9.1' })})
    on conflict do nothing`
  await configure(context, deviceId)
})
const open = async (host?: string) =>
  (await call('remote/openRemoteForward', { deviceId, port: 22, ...(host && { host }) }, a.admin)).code

it.each([
  ['its own one', undefined],
  ['that of its LAN', '192.168.9.1'],
  ['that of its uplink', '10.64.3.17'],
  ['one of its configuration', '192.168.8.1'],
])('lead to no shell of the device, by whatever address: %s', async (_which, host) => {
  expect(await open(host)).toBe(remoteRefusals.recordingRequired.code)
})

it('lead to machines behind it, and to all where none must be recorded', async () => {
  expect(await open('192.168.9.2')).toBe(0)
  await sql`delete from commands`
  await sql`update customers set terminal_recording = 'on' where id = ${a.customerId}`
  expect(await open('192.168.9.1')).toBe(0)
})
