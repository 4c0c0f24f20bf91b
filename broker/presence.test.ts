/** Online, offline, taken over, revoked: the resulting rows. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { sweepLostBrokers } from '#infra/presence'
import { hashSecret, makeSecret } from '#infra/secrets'
import { DUPLICATE_TAKEOVERS } from '#schema/device/presence'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'
import { brokerTest } from '#test/broker-test'
import { testContext } from '#test/harness'
import { connectPacket, loginRaw, type Raw } from '#test/raw-mqtt'
import { seedTenants, type TestDevice } from '#test/tenants'
import { startBroker } from './start.ts'

const { context, tenants, device, dial, keep, login } = await brokerTest('PR-', 30)

const state = async (of: TestDevice) =>
  (
    await context.sql`select online, offline_reason, online_count, offline_count, connection_id, duplicate_suspected_at,
      last_login_at, last_logout_at, online_changed_at from device_states where device_id = ${of.id}`
  )[0]
const records = (of: TestDevice) =>
  context.sql`select reason, ip, transport, offline_at is null as open from presence_records where device_id = ${of.id} order by online_at, offline_at`
const becomes = (of: TestDevice, expected: object) => expect.poll(() => state(of)).toMatchObject(expected)

describe('presence', () => {
  it('50: survives a clock that is set forward, and one that was set back', async () => {
    const [cut, lost] = [device(), device()]
    const raw = await login(cut)
    const ahead = vi
      .spyOn(Date, 'now')
      .mockImplementation(() => Math.round(performance.timeOrigin + performance.now() + 3_600_000))
    // The broker checks for silent clients twice a second.
    await sleep(1100)
    ahead.mockRestore()
    raw.send({ cmd: 'pingreq' })
    await raw.take('pingresp')
    await context.sql`
      update device_states set last_login_at = now() + interval '1 hour', last_seen_at = now() + interval '1 hour'
      where device_id = ${lost.id}`
    const late = await login(lost)
    await becomes(lost, { online: true })
    const [seen] = await context.sql`
      select last_seen_at <= now() as right from device_states where device_id = ${lost.id}`
    expect(seen).toEqual({ right: true })
    raw.end()
    late.end()
  })

  it('goes online with login and offline with DISCONNECT, and counts both', async () => {
    const own = device()
    const raw = await login(own)
    await becomes(own, { online: true, offline_reason: null, online_count: 1, offline_count: 0 })
    raw.send({ cmd: 'disconnect' })
    await becomes(own, { online: false, offline_reason: 'disconnected', online_count: 1, offline_count: 1 })
    expect(await records(own)).toEqual([
      { reason: 'disconnected', ip: '127.0.0.1', transport: 'tcp', open: false },
    ])
    const [times] = await context.sql`
      select last_login_at <= last_logout_at and last_seen_at is not null and online_changed_at = last_logout_at as right
      from device_states where device_id = ${own.id}`
    expect(times).toEqual({ right: true })
  })

  it.each([
    ['a broken socket', 'socketClosed', (raw: Raw) => raw.socket.destroy()],
    ['silence', 'keepalive', () => undefined],
    ['a broken rule', 'protocolError', (raw: Raw) => raw.send('f000')],
  ])('names %s: %s', async (_what, reason, act) => {
    const own = device()
    const raw = await login(own, { keepalive: reason === 'keepalive' ? 1 : 60 })
    act(raw)
    await becomes(own, { online: false, offline_reason: reason })
  })

  it('does not treat its own suspension as silence of devices', async () => {
    const own = device()
    const raw = await login(own, { keepalive: 1 })
    // Blocks the whole process: timers are late, and packets are read after them.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_600)
    raw.send({ cmd: 'pingreq' })
    await raw.take('pingresp')
    await becomes(own, { online: true })
  })

  it('follows the main connection only', async () => {
    const own = device()
    await login(own, { tag: 'aux' })
    await sleep(300)
    expect(await state(own)).toMatchObject({ online: false, online_count: 0 })
    expect(await records(own)).toEqual([])
  })

  it('stays online through a takeover, which is recorded, and suspects a duplicate after three', async () => {
    const own = device()
    await login(own)
    for (let i = 0; i < DUPLICATE_TAKEOVERS - 1; i++) await login(own)
    // The earlier takeovers are stored, so the state includes all of them.
    await expect.poll(async () => (await records(own)).length).toBe(DUPLICATE_TAKEOVERS)
    await becomes(own, { online: true, online_count: 1, offline_count: 0, duplicate_suspected_at: null })
    await login(own)
    await expect.poll(async () => (await state(own))?.['duplicate_suspected_at']).toBeInstanceOf(Date)
    await expect
      .poll(async () => (await records(own)).map((row) => row['reason']).toSorted())
      .toEqual([null, 'takenOver', 'takenOver', 'takenOver'].toSorted())
    await expect
      .poll(() => context.sql`select what from device_warnings where device_id = ${own.id}`)
      .toEqual([{ what: 'duplicateSuspected' }])
  })

  it('continues as the same connection when another process considered the broker dead, and leaves no trace of that', async () => {
    const own = device()
    await login(own)
    await becomes(own, { online: true })
    const before = await state(own)
    await context.sql`update brokers set beat_at = now() - make_interval(secs => 60)`
    const swept = await sweepLostBrokers(context.sql, { silentMs: BROKER_LOST_MS })
    expect(swept.devices).toBeGreaterThan(0)
    expect(await state(own)).toMatchObject({ online: false, offline_reason: 'brokerLost', offline_count: 1 })
    const { connection_id, last_login_at, last_logout_at, online_changed_at } = before ?? {}
    await becomes(own, {
      online: true,
      offline_reason: null,
      online_count: 1,
      offline_count: 0,
      connection_id,
      last_login_at,
      last_logout_at,
      online_changed_at,
    })
    expect(await records(own)).toMatchObject([{ reason: null, open: true }])
  })

  it('that ended while its broker was considered dead ended when and why the broker saw it', async () => {
    const own = device()
    const raw = await login(own)
    await becomes(own, { online: true })
    // As when the sweep is quicker than what the broker has to write.
    await context.sql`update presence_records set offline_at = online_at, reason = 'brokerLost' where device_id = ${own.id}`
    await context.sql`update device_states set online = false, offline_reason = 'brokerLost', offline_count = 1 where device_id = ${own.id}`
    raw.end()
    await becomes(own, { online: false, offline_reason: 'socketClosed', offline_count: 1 })
    const [record] = await context.sql`
      select reason, offline_at > online_at as later from presence_records where device_id = ${own.id}`
    expect(record).toEqual({ reason: 'socketClosed', later: true })
  })
})

describe('the connections of a dead broker', () => {
  it('are closed as of its last heartbeat, once, and those of live brokers are not', async () => {
    const [dead, alive] = [device(), device()]
    await login(alive)
    await becomes(alive, { online: true })
    const connection = randomUUID()
    const { sql } = context
    await sql`insert into brokers (id, started_at, beat_at) values ('dead', now() - make_interval(hours => 1), now() - make_interval(mins => 5))`
    await sql`insert into presence_records (connection_id, device_id, broker_id, online_at) values (${connection}, ${dead.id}, 'dead', now() - make_interval(mins => 30))`
    await sql`update device_states set online = true, connection_id = ${connection}, broker_id = 'dead', last_login_at = now() - make_interval(mins => 30), online_count = 1 where device_id = ${dead.id}`
    expect(await sweepLostBrokers(sql, { silentMs: BROKER_LOST_MS })).toEqual({
      brokers: ['dead'],
      devices: 1,
    })
    expect(await sweepLostBrokers(sql, { silentMs: BROKER_LOST_MS })).toEqual({ brokers: [], devices: 0 })
    expect(await state(dead)).toMatchObject({ online: false, offline_reason: 'brokerLost', offline_count: 1 })
    expect(await state(alive)).toMatchObject({ online: true })
    const [record] = await sql`
      select reason, extract(epoch from now() - offline_at) between 299 and 320 as right from presence_records where connection_id = ${connection}`
    expect(record).toEqual({ reason: 'brokerLost', right: true })
  })

  it('are not closed while the broker holds its lock, whatever a fresh start looks like', async () => {
    const own = device()
    await login(own)
    await becomes(own, { online: true })
    expect(
      (await sweepLostBrokers(context.sql, { silentMs: BROKER_LOST_MS, unlocked: true })).brokers,
    ).toEqual([])
  })
})

describe('a secret', () => {
  const told = (of: TestDevice) => context.sql`select pg_notify('device_credentials', ${String(of.id)})`

  it('that is rotated or revoked disconnects its device within a second', async () => {
    const own = device()
    const raw = await login(own)
    const aux = await login(own, { tag: 'aux' })
    const secret = makeSecret()
    await context.sql.begin(async (tx) => {
      await tx`update devices set secret_hash = ${hashSecret(secret)} where id = ${own.id}`
      await tx`select pg_notify('device_credentials', ${String(own.id)})`
    })
    await Promise.all([raw.closed(), aux.closed(1000)])
    await becomes(own, { online: false, offline_reason: 'revoked' })
    await login({ ...own, secret })
  })

  it('is not reported as revoked if the device was deleted', async () => {
    const own = device()
    const raw = await login(own)
    await context.sql`select pg_notify('device_credentials', ${`deleted 999999,${own.id}`})`
    await raw.closed()
    await becomes(own, { online: false, offline_reason: 'deleted' })
  })

  it('13: of a deleted or moved device disconnects it within 5 s even without a notification, and leaves nothing to the next owner', async () => {
    const [gone, moved] = [device(), device()]
    const raws = [await login(gone), await login(moved)]
    const writer = raws[1] as Raw
    writer.send({
      cmd: 'publish',
      topic: `v1/${moved.sn}/kept`,
      payload: 'secret',
      qos: 1,
      messageId: 1,
      retain: true,
      dup: false,
    })
    await writer.take('puback')
    await context.sql`update devices set deleted_at = now() where id = ${gone.id}`
    await context.sql`update devices set customer_id = ${tenants.b.customerId}, group_id = ${tenants.b.groups.root} where id = ${moved.id}`
    await Promise.all(raws.map((raw) => raw.closed(5500)))
    await becomes(gone, { online: false, offline_reason: 'deleted' })
    await becomes(moved, { online: false, offline_reason: 'moved' })
    const again = await dial()
    again.send(connectPacket(gone))
    expect(await again.take('connack')).toMatchObject({ returnCode: 4 })
    const back = await login(moved)
    back.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `v1/${moved.sn}/#`, qos: 1 }] })
    await back.take('suback')
    await expect(back.take('publish', 300)).rejects.toThrow('nothing')
  })

  it('that is refused is not blamed on the device: the will of a connection that the platform closes', async () => {
    const own = device()
    const topic = `v1/${own.sn}/up/gone`
    const raw = await login(own, { will: { topic, payload: Buffer.from('{}'), qos: 1, retain: false } })
    await context.sql`select pg_notify('device_credentials', ${`deleted 999999,${own.id}`})`
    await raw.closed()
    await becomes(own, { online: false, offline_reason: 'deleted' })
    // Longer than warnings wait to be written.
    await sleep(1200)
    expect(await context.sql`select what from device_warnings where device_id = ${own.id}`).toEqual([])
  })

  it('is marked as used by the first login, and not again', async () => {
    const own = device()
    const used = async () =>
      (await context.sql`select secret_used_at from devices where id = ${own.id}`)[0]?.['secret_used_at']
    expect(await used()).toBeNull()
    await login(own)
    const first = await used()
    expect(first).toBeInstanceOf(Date)
    await login(own)
    expect(await used()).toEqual(first)
    await told(own)
  })
})

it('marks all devices offline when it is stopped', async () => {
  const own = await testContext()
  const { a } = await seedTenants(own)
  const second = await startBroker(own)
  for (const of of a.devices) keep(await loginRaw(second.ports.mqtt, of))
  await second.close()
  const rows =
    await own.sql`select online, offline_reason from device_states where device_id = any(${a.devices.map((of) => of.id)}::int[])`
  expect(rows).toEqual(a.devices.map(() => ({ online: false, offline_reason: 'brokerStopped' })))
  expect(await own.sql`select 1 from brokers`).toEqual([])
})
