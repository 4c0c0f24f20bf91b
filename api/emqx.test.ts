/**
 * What EMQX 5 asks and tells, as its documentation and its source (emqx_rule_events) say. No real EMQX has run this: none is
 * packaged where it was written.
 */
import { describe, expect, it } from 'vitest'
import { hashSecret, makeSecret } from '#infra/secrets'
import { ENROLMENT_KEY_PREFIX, enrolUser } from '#schema/device/enrol'
import { bodyLimits } from '#schema/kit/call'
import { apiTest } from '#test/api-client'
import { addDevices } from '#test/tenants'

const HOOK = makeSecret()
const PASSWORD = 'platform-password'
const emqxSettings = {
  BROKER: 'external',
  EXTERNAL_MQTT_KIND: 'emqx',
  EXTERNAL_MQTT_URL: 'mqtt://127.0.0.1:1',
  EXTERNAL_MQTT_PASSWORD: PASSWORD,
  EMQX_URL: 'http://127.0.0.1:1',
  EMQX_API_KEY: 'key',
  EMQX_API_SECRET: 'secret',
  EMQX_HOOK_SECRET: HOOK,
}
const { app, context, tenants, call } = await apiTest(emqxSettings)
const { sql } = context
const { customerId, groups, admin } = tenants.a
const fleet = await addDevices(sql, customerId, groups.root, 'EMQX-', 12)
let next = 0
const fresh = () => {
  const device = fleet[next++]
  if (!device) throw new Error('too few devices')
  return device
}

async function post(path: string, body: unknown, secret: string | null = HOOK) {
  const response = await app.inject({
    method: 'POST',
    url: `/emqx/${path}`,
    headers: { 'content-type': 'application/json', ...(secret === null ? {} : { 'x-iot-secret': secret }) },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.statusCode, body: response.json() as { result?: string; is_superuser?: boolean } }
}
const login = async (username: string, password: string, clientid = username) =>
  (await post('authenticate', { clientid, username, password, peerhost: '203.0.113.7' })).body
const ALLOW = { result: 'allow', is_superuser: false }
const DENY = { result: 'deny' }

describe('every hook', () => {
  it.each(['authenticate', 'authorize', 'event'])('%s is closed without the secret', async (path) => {
    const device = fleet[0]
    const body = { clientid: device?.sn, username: device?.sn, password: device?.secret }
    for (const secret of [null, '', 'wrong', `${HOOK}x`])
      expect(await post(path, body, secret)).toEqual({ status: 401, body: DENY })
  })

  it('refuses malformed and oversized requests', async () => {
    expect((await post('authorize', { clientid: 'a' })).status).toBe(400)
    expect((await post('event', { event: 'client.connack' })).status).toBe(400)
    expect((await post('event', '[]')).status).toBe(400)
    expect((await post('authenticate', { clientid: 'x'.repeat(bodyLimits.open) })).status).toBe(413)
  })

  it('does not exist where our own broker carries the devices', async () => {
    const { app: own } = await apiTest()
    const { statusCode } = await own.inject({ method: 'POST', url: '/emqx/authenticate', payload: {} })
    expect(statusCode).toBe(404)
  })
})

describe('a login', () => {
  it('of a device needs its secret and an id of its own, and counts as the use of the secret', async () => {
    const device = fresh()
    const other = fresh()
    expect(await login(device.sn, other.secret)).toEqual(DENY)
    expect(await login(device.sn, 'undefined')).toEqual(DENY)
    for (const id of [other.sn, '', `${device.sn}:a:b`, `${device.sn}:`, 'iot-ingest-1'])
      expect(await login(device.sn, device.secret, id)).toEqual(DENY)
    const used = () => sql`select 1 from devices where id = ${device.id} and secret_used_at is not null`
    expect(await used()).toHaveLength(0)
    expect(await login(device.sn, device.secret, `${device.sn}:pub`)).toEqual(ALLOW)
    expect(await login(device.sn, device.secret)).toEqual(ALLOW)
    expect(await used()).toHaveLength(1)
  })

  it('is refused to a revoked and to a deleted device', async () => {
    const revoked = fresh()
    await call('device/revokeDeviceSecret', { deviceId: revoked.id }, admin)
    expect(await login(revoked.sn, revoked.secret)).toEqual(DENY)
    const deleted = fresh()
    await call('device/deleteDevices', { dids: [deleted.id], reason: 'sold' }, admin)
    expect(await login(deleted.sn, deleted.secret)).toEqual(DENY)
  })

  it('of the platform is that of a superuser', async () => {
    expect(await login('iot-platform', PASSWORD, 'iot-ingest-1')).toEqual({
      result: 'allow',
      is_superuser: true,
    })
    expect(await login('iot-platform', 'guess', 'iot-ingest-1')).toEqual(DENY)
  })

  it('with an enrolment key is for serial numbers that are not in use', async () => {
    const key = `${ENROLMENT_KEY_PREFIX}${makeSecret()}`
    await sql`
      insert into enrolment_keys (customer_id, group_id, label, hash, max_count, expires_at)
      values (${customerId}, ${groups.root}, 'k', ${hashSecret(key)}, 5, now() + interval '1 hour')`
    expect(await login(enrolUser(key), key, 'EMQX-NEW')).toEqual(ALLOW)
    const used = fresh()
    await login(used.sn, used.secret)
    expect(await login(enrolUser(key), key, used.sn)).toEqual(DENY)
    expect(await login(used.sn, key)).toEqual(DENY)
    const foreign = `${ENROLMENT_KEY_PREFIX}${makeSecret()}`
    expect(await login(enrolUser(foreign), foreign, 'EMQX-NEW')).toEqual(DENY)
    await sql`update enrolment_keys set revoked_at = now()`
    expect(await login(enrolUser(key), key, 'EMQX-NEW')).toEqual(DENY)
  })
})

it.each([
  ['SN-1', 'SN-1', 'publish', 'v1/SN-1/up/status', 'allow'],
  ['SN-1', 'SN-1:pub', 'publish', 'v1/SN-1/up/status', 'allow'],
  ['SN-1', 'SN-1', 'publish', 'v1/SN-1/down/command', 'deny'],
  ['SN-1', 'SN-1', 'publish', 'v1/SN-2/up/status', 'deny'],
  ['SN-1', 'SN-1', 'subscribe', 'v1/SN-1/down/#', 'allow'],
  ['SN-1', 'SN-1', 'subscribe', 'v1/+/down/#', 'deny'],
  ['SN-1', 'SN-1', 'subscribe', '#', 'deny'],
  ['SN-1', 'SN-1', 'subscribe', '$share/iot/v1/+/up/#', 'deny'],
  ['SN-1', 'SN-1', 'subscribe', '$SYS/#', 'deny'],
  ['SN-1', 'SN-2', 'publish', 'v1/SN-1/up/status', 'deny'],
  ['enrol:abcdefgh', 'SN-1', 'publish', 'v1/SN-1/up/enrol', 'allow'],
  ['enrol:abcdefgh', 'SN-1', 'publish', 'v1/SN-1/up/status', 'deny'],
  ['enrol:abcdefgh', 'SN-1', 'subscribe', 'v1/SN-1/down/enrolled', 'allow'],
  ['enrol:abcdefgh', 'SN-1', 'subscribe', 'v1/SN-1/down/#', 'deny'],
  ['enrol:abcdefgh', '+', 'subscribe', 'v1/+/down/enrolled', 'deny'],
  ['undefined', '', 'subscribe', '#', 'deny'],
])('%s as %s may %s %s: %s', async (username, clientid, action, topic, result) => {
  expect((await post('authorize', { clientid, username, action, topic, qos: 1 })).body.result).toBe(result)
})

describe('an event', () => {
  const began = Date.now() - 60_000
  const connected = (sn: string, at = began, clientid = sn) => ({
    event: 'client.connected',
    clientid,
    username: sn,
    peername: '203.0.113.7:50123',
    sockname: '10.0.0.5:1883',
    connected_at: at,
    keepalive: 60,
    clean_start: true,
    proto_ver: 4,
    node: 'emqx@10.0.0.5',
    timestamp: at,
  })
  const disconnected = (sn: string, reason: string, at = began, over = at + 5_000) => ({
    event: 'client.disconnected',
    clientid: sn,
    username: sn,
    peername: '203.0.113.7:50123',
    connected_at: at,
    disconnected_at: over,
    reason,
    node: 'emqx@10.0.0.5',
    timestamp: over,
  })
  const tell = async (event: object) => expect((await post('event', event)).status).toBe(200)
  const stateOf = async (id: number) =>
    (
      await sql`select online, offline_reason as reason, remote_ip as ip from device_states where device_id = ${id}`
    )[0]
  const recordsOf = (id: number) => sql`
    select reason, offline_at is not null as over from presence_records where device_id = ${id} order by online_at`

  it.each([
    ['normal', 'disconnected'],
    ['keepalive_timeout', 'keepalive'],
    ['kicked', 'revoked'],
    ['tcp_closed', 'socketClosed'],
  ])('%s ends a connection as %s', async (reason, told) => {
    const { sn, id } = fresh()
    await tell(connected(sn))
    expect(await stateOf(id)).toEqual({ online: true, reason: null, ip: '203.0.113.7' })
    await tell(connected(sn))
    await tell(disconnected(sn, reason))
    await tell(disconnected(sn, reason))
    expect(await stateOf(id)).toMatchObject({ online: false, reason: told })
    expect(await recordsOf(id)).toEqual([{ reason: told, over: true }])
  })

  it('of an auxiliary or a foreign connection changes nothing', async () => {
    const { sn, id } = fresh()
    await tell(connected(sn, began, `${sn}:pub`))
    await tell(connected('iot-platform'))
    await tell(connected('NOBODY-KNOWS'))
    expect(await stateOf(id)).toMatchObject({ online: false })
    expect(await recordsOf(id)).toEqual([])
  })

  it('may arrive in the wrong order: the later connection is the current one, an ended one does not begin', async () => {
    const { sn, id } = fresh()
    await tell(disconnected(sn, 'takenover', began, began + 10_000))
    await tell(connected(sn, began + 9_000))
    await tell(connected(sn, began))
    expect(await stateOf(id)).toMatchObject({ online: true })
    expect(await recordsOf(id)).toEqual([
      { reason: 'takenOver', over: true },
      { reason: null, over: false },
    ])
    await tell(disconnected(sn, 'tcp_closed', began + 9_000, began + 20_000))
    expect(await stateOf(id)).toMatchObject({ online: false, reason: 'socketClosed' })
  })
})
