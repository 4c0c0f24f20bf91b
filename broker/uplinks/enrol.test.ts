/** A group's enrolment key is exchanged for a device's own secret. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashSecret, makeSecret } from '#infra/secrets'
import { enrolled, enrolUser } from '#schema/device/enrol'
import { type TestContext, testContext } from '#test/harness'
import { connectPacket, loginRaw, openRaw, type Raw } from '#test/raw-mqtt'
import { addDevices, seedTenants, type Tenants } from '#test/tenants'
import { type Broker, startBroker } from '../start.ts'

let context: TestContext
let broker: Broker
let tenants: Tenants
const open: Raw[] = []

beforeAll(async () => {
  context = await testContext()
  tenants = await seedTenants(context)
  broker = await startBroker(context)
})
afterAll(async () => {
  for (const raw of open) raw.end()
  await broker.close()
})

async function addKey(
  over: { maxCount?: number; hours?: number; customer?: 'a' | 'b' } = {},
): Promise<string> {
  const key = `ek_${makeSecret()}`
  const tenant = tenants[over.customer ?? 'a']
  await context.sql`
    insert into enrolment_keys (customer_id, group_id, label, hash, max_count, expires_at)
    values (${tenant.customerId}, ${tenant.groups.branch}, 'test', ${hashSecret(key)}, ${over.maxCount ?? 10}, now() + make_interval(hours => ${over.hours ?? 1}))`
  return key
}
async function login(sn: string, secret: string, tag?: string) {
  const raw = await loginRaw(broker.ports.mqtt, { sn, secret }, tag ? { tag } : {})
  open.push(raw)
  return raw
}
async function listen(raw: Raw, sn: string) {
  raw.send({ cmd: 'subscribe', messageId: 9, subscriptions: [{ topic: `v1/${sn}/down/enrolled`, qos: 1 }] })
  await raw.take('suback')
}
const ask = (raw: Raw, sn: string) =>
  raw.send({
    cmd: 'publish',
    topic: `v1/${sn}/up/enrol`,
    payload: '{"model":"R200"}',
    qos: 1,
    messageId: 1,
    retain: false,
    dup: false,
  })
async function answer(raw: Raw) {
  const packet = await raw.take('publish')
  return enrolled.payload.parse(JSON.parse(String(packet.cmd === 'publish' ? packet.payload : '')))
}
/** In the form that every broker accepts: the device makes its secret itself. */
async function propose(sn: string, key: string, secret: string) {
  const raw = await loginRaw(broker.ports.mqtt, { sn, secret: key }, { username: enrolUser(key) })
  open.push(raw)
  await listen(raw, sn)
  raw.send({
    cmd: 'publish',
    topic: `v1/${sn}/up/enrol`,
    payload: JSON.stringify({ model: 'R200', key, secret }),
    qos: 1,
    messageId: 1,
    retain: false,
    dup: false,
  })
  return answer(raw)
}
async function enrol(sn: string, key: string) {
  const raw = await login(sn, key)
  await listen(raw, sn)
  ask(raw, sn)
  await raw.take('puback')
  const got = await answer(raw)
  raw.end()
  return got
}

describe('enrolment', () => {
  it('creates the device in the group of the key, with a secret that logs in and is stored only hashed', async () => {
    const { secret } = await enrol('EN-1', await addKey())
    const [row] = await context.sql`
      select customer_id, group_id, name, model, secret_hash, secret_used_at from devices where sn = 'EN-1'`
    expect(row).toMatchObject({
      customer_id: tenants.a.customerId,
      group_id: tenants.a.groups.branch,
      name: 'EN-1',
      model: 'R200',
      secret_hash: hashSecret(secret ?? ''),
      secret_used_at: null,
    })
    await login('EN-1', secret ?? '')
  })

  it('issues another secret while the first was never used, and none afterwards', async () => {
    const key = await addKey({ maxCount: 1 })
    const first = await enrol('EN-2', key)
    const second = await enrol('EN-2', key)
    expect(second.secret).not.toBe(first.secret)
    const refused = await openRaw(broker.ports.mqtt)
    refused.send(connectPacket({ sn: 'EN-2', secret: first.secret ?? '' }))
    expect(await refused.take('connack')).toMatchObject({ returnCode: 4 })
    await login('EN-2', second.secret ?? '')
    expect(await enrol('EN-2', key)).toMatchObject({ refusal: expect.stringContaining('in use') })
    await login('EN-2', second.secret ?? '')
  })

  it('accepts the secret that a device has made, says nothing of it, and accepts it again', async () => {
    const key = await addKey()
    const secret = makeSecret()
    expect(await propose('EN-OWN', key, secret)).toEqual({ sn: 'EN-OWN' })
    await login('EN-OWN', secret)
    expect(await propose('EN-OWN', key, secret)).toEqual({ sn: 'EN-OWN' })
    expect(await propose('EN-OWN', key, makeSecret())).toMatchObject({
      refusal: expect.stringContaining('in use'),
    })
    expect(await propose('EN-OWN', await addKey({ customer: 'b' }), secret)).toMatchObject({
      refusal: expect.stringContaining('in use'),
    })
    const [row] = await context.sql`select secret_sealed from devices where sn = 'EN-OWN'`
    expect(row).toEqual({ secret_sealed: null })
  })

  it('never exceeds the count of its key, however many requests arrive at once', async () => {
    const key = await addKey({ maxCount: 3 })
    const all = await Promise.all(Array.from({ length: 8 }, (_, i) => enrol(`EN-3-${i}`, key)))
    expect(all.filter((got) => got.secret).length).toBe(3)
    const [row] = await context.sql`select used_count from enrolment_keys where hash = ${hashSecret(key)}`
    expect(row).toEqual({ used_count: 3 })
  })

  it('refuses a serial number of another customer, one in use, and a deleted or revoked one', async () => {
    const [atWork, foreign, revoked] = await addDevices(
      context.sql,
      tenants.a.customerId,
      tenants.a.groups.root,
      'EN-4-',
      3,
    )
    await context.sql`update devices set secret_used_at = now() where id = ${atWork?.id ?? 0}`
    await context.sql`update devices set secret_hash = null where id = ${revoked?.id ?? 0}`
    expect(await enrol(atWork?.sn ?? '', await addKey())).toHaveProperty('refusal')
    expect(await enrol(revoked?.sn ?? '', await addKey())).toHaveProperty('refusal')
    expect(await enrol(foreign?.sn ?? '', await addKey({ customer: 'b' }))).toHaveProperty('refusal')
    const [row] = await context.sql`select secret_hash from devices where id = ${foreign?.id ?? 0}`
    expect(row).toEqual({ secret_hash: hashSecret(foreign?.secret ?? '') })
  })

  it('refuses a login with an expired, revoked or unknown key', async () => {
    const revoked = await addKey()
    await context.sql`update enrolment_keys set revoked_at = now() where hash = ${hashSecret(revoked)}`
    for (const key of [await addKey({ hours: -1 }), revoked, `ek_${makeSecret()}`]) {
      const raw = await openRaw(broker.ports.mqtt)
      open.push(raw)
      raw.send(connectPacket({ sn: 'EN-5', secret: key }))
      expect(await raw.take('connack')).toMatchObject({ returnCode: 4 })
    }
  })

  it('responds also to a subscriber other than the requesting connection, but to none with another key', async () => {
    const key = await addKey()
    const spy = await login('EN-6', await addKey({ customer: 'b' }))
    await listen(spy, 'EN-6')
    const listener = await login('EN-6', key, 'sub')
    await listen(listener, 'EN-6')
    const asker = await login('EN-6', key, 'pub')
    ask(asker, 'EN-6')
    expect(await answer(listener)).toHaveProperty('secret')
    await expect(spy.take('publish', 200)).rejects.toThrow('nothing')
  })

  it('neither takes over nor overhears a device in use, and lets an enrolling connection do nothing else', async () => {
    const [device] = await addDevices(context.sql, tenants.a.customerId, tenants.a.groups.root, 'EN-7-', 1)
    const own = device ?? { sn: '', secret: '', id: 0 }
    const atWork = await login(own.sn, own.secret)
    const raw = await login(own.sn, await addKey())
    raw.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `v1/${own.sn}/down/#`, qos: 1 }] })
    expect(await raw.take('suback')).toMatchObject({ granted: [128] })
    raw.send({
      cmd: 'publish',
      topic: `v1/${own.sn}/up/status`,
      payload: '{}',
      qos: 1,
      messageId: 2,
      retain: false,
      dup: false,
    })
    await raw.closed()
    atWork.send({ cmd: 'pingreq' })
    await atWork.take('pingresp')
    const [row] = await context.sql`select online_count from device_states where device_id = ${own.id}`
    expect(row?.['online_count'] ?? 0).toBeLessThanOrEqual(1)
  })
})
