/** To devices, two brokers on one Redis behave like one broker. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { IPublishPacket } from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContext } from '#infra/context'
import { freePort } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { DUPLICATE_TAKEOVERS } from '#schema/device/presence'
import { status } from '#schema/device/status'
import { type TestContext, testContext, testSettings } from '#test/harness'
import { loginRaw, type Raw } from '#test/raw-mqtt'
import { addDevices, seedTenants, type TestDevice } from '#test/tenants'
import { openShareLine } from './shared/balance.ts'
import { pack } from './shared/frame.ts'
import { Line } from './shared/line.ts'
import { type Broker, startBroker } from './start.ts'

const REDIS = 'redis-server'
const present = spawnSync(REDIS, ['--version']).status === 0
if (!present) process.stderr.write('SKIPPED: two brokers on Redis (no redis-server on this machine)\n')

describe.skipIf(!present)('two brokers on one Redis', () => {
  let redis: ChildProcess
  let port: number
  let asks: Redis
  let context: TestContext
  const brokers: Broker[] = []
  const closers: (() => Promise<void>)[] = []
  let devices: TestDevice[]
  const open: Raw[] = []

  beforeAll(async () => {
    port = await freePort()
    redis = startRedis()
    asks = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: null })
    asks.on('error', () => undefined)
    await asks.ping()
    context = await testContext()
    const { a } = await seedTenants(context)
    devices = await addDevices(context.sql, a.customerId, a.groups.root, 'RE-', 12)
    for (let i = 0; i < 2; i++) {
      const env = readEnv(await testSettings({ REDIS_URL: `redis://127.0.0.1:${port}` }))
      const own = openContext('broker', env, context.databaseUrl)
      closers.push(own.close)
      brokers.push(await startBroker(own))
    }
  })
  const startRedis = () =>
    spawn(REDIS, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'])

  afterAll(async () => {
    asks.disconnect()
    for (const raw of open) raw.end()
    for (const broker of brokers) await broker.close()
    for (const close of closers) await close()
    redis?.kill()
  })

  async function login(broker: number, of: TestDevice, over: Parameters<typeof loginRaw>[2] = {}) {
    const raw = await loginRaw(brokers[broker]?.ports.mqtt ?? 0, of, over)
    open.push(raw)
    return raw
  }
  async function subscribe(raw: Raw, topic: string) {
    raw.send({ cmd: 'subscribe', messageId: 7, subscriptions: [{ topic, qos: 1 }] })
    await raw.take('suback')
  }
  const publish = (topic: string, payload: string, messageId: number): IPublishPacket => ({
    cmd: 'publish',
    topic,
    payload,
    qos: 1,
    messageId,
    retain: false,
    dup: false,
  })

  it('deliver to each other, in order and once', async () => {
    const own = devices[0] as TestDevice
    const reader = await login(0, own)
    await subscribe(reader, `v1/${own.sn}/x/#`)
    const writer = await login(1, own, { tag: 'w' })
    for (let i = 1; i <= 50; i++) writer.send(publish(`v1/${own.sn}/x/${i % 3}`, String(i), i))
    for (let i = 1; i <= 50; i++)
      expect(String(((await reader.take('publish')) as IPublishPacket).payload)).toBe(String(i))
  })

  it('keep a session that either of them can resume', async () => {
    const own = devices[1] as TestDevice
    const first = await login(0, own, { clean: false })
    await subscribe(first, `v1/${own.sn}/q`)
    first.send({ cmd: 'disconnect' })
    await first.closed()
    const writer = await login(1, own, { tag: 'w' })
    for (let i = 1; i <= 5; i++) writer.send(publish(`v1/${own.sn}/q`, String(i), i))
    for (let i = 1; i <= 5; i++) await writer.take('puback')
    const second = await login(1, own, { clean: false })
    expect(second.sessionPresent).toBe(true)
    for (let i = 1; i <= 5; i++)
      expect(String(((await second.take('publish')) as IPublishPacket).payload)).toBe(String(i))
  })

  it('take over from each other, and the device stays online at the newer one', async () => {
    const own = devices[2] as TestDevice
    const old = await login(0, own)
    await sleep(300)
    await login(1, own)
    await old.closed()
    const rows = () =>
      context.sql`select offline_at is null as open, reason from presence_records where device_id = ${own.id} order by online_at`
    await expect.poll(rows).toEqual([
      { open: false, reason: 'takenOver' },
      { open: true, reason: null },
    ])
    expect(await context.sql`select online from device_states where device_id = ${own.id}`).toEqual([
      { online: true },
    ])
  })

  it('suspect a duplicate where two machines take a serial number from each other, each on its own broker', async () => {
    const own = devices[10] as TestDevice
    const suspected = async () =>
      (
        await context.sql`select duplicate_suspected_at as at from device_states where device_id = ${own.id}`
      )[0]?.['at']
    let held = await login(0, own)
    for (let turn = 1; turn <= DUPLICATE_TAKEOVERS; turn++) {
      expect(await suspected()).toBeFalsy()
      await sleep(150)
      const next = await login(turn % 2, own)
      await held.closed()
      held = next
    }
    await expect.poll(suspected).toBeInstanceOf(Date)
    await expect
      .poll(() => context.sql`select what from device_warnings where device_id = ${own.id}`)
      .toEqual([{ what: 'duplicateSuspected' }])
  })

  it('store uplinks before they acknowledge them', async () => {
    const own = devices[3] as TestDevice
    const raw = await login(1, own)
    raw.send(publish(`v1/${own.sn}/up/status`, JSON.stringify({ ...status.example, at: Date.now() }), 1))
    await raw.take('puback')
    expect((await context.sql`select 1 from status_samples where device_id = ${own.id}`).length).toBe(1)
  })

  const statusOf = (of: TestDevice, id: number) =>
    publish(`v1/${of.sn}/up/status`, JSON.stringify({ ...status.example, at: Date.now() - id }), id)
  /** Messages that brokers have sent each other so far. */
  const onTheBus = async () =>
    Number(/cmdstat_publish:calls=(\d+)/.exec(await asks.info('commandstats'))?.[1] ?? 0)

  it('keep messages without subscribers elsewhere off the bus, however many other subscriptions there are', async () => {
    const own = devices[4] as TestDevice
    const raw = await login(0, own)
    await subscribe(raw, `v1/${own.sn}/down/#`)
    const other = devices[5] as TestDevice
    await subscribe(await login(1, other), `v1/${other.sn}/#`)
    const [channels, patterns] = [await asks.pubsub('CHANNELS'), await asks.pubsub('NUMPAT')]
    expect([channels, patterns]).toMatchObject([{ length: 3 }, 0])
    const before = await onTheBus()
    for (let i = 1; i <= 100; i++) raw.send(statusOf(own, i))
    for (let i = 1; i <= 100; i++) await raw.take('puback')
    expect((await onTheBus()) - before).toBe(0)
  })

  it('serve a device that listens to its own uplinks from the other broker', async () => {
    const own = devices[6] as TestDevice
    const reader = await login(0, own, { tag: 'r' })
    await subscribe(reader, `v1/${own.sn}/up/+`)
    const writer = await login(1, own)
    for (let i = 1; i <= 20; i++) writer.send(statusOf(own, i))
    for (let i = 1; i <= 20; i++)
      expect(((await reader.take('publish')) as IPublishPacket).topic).toBe(`v1/${own.sn}/up/status`)
    reader.send({ cmd: 'unsubscribe', messageId: 9, unsubscriptions: [`v1/${own.sn}/up/+`] })
    await reader.take('unsuback')
    await sleep(50)
    const before = await onTheBus()
    for (let i = 21; i <= 30; i++) writer.send(statusOf(own, i))
    for (let i = 1; i <= 30; i++) await writer.take('puback')
    expect((await onTheBus()) - before).toBe(0)
  })

  it('log in devices and store their messages while Redis is unavailable, and find each other when it is back, empty', async () => {
    const [own, late] = [devices[7], devices[8]] as [TestDevice, TestDevice]
    const reader = await login(0, own, { tag: 'r' })
    await subscribe(reader, `v1/${own.sn}/x`)
    redis.kill('SIGKILL')
    await expect.poll(() => asks.status).not.toBe('ready')
    const raw = await login(1, late)
    await subscribe(raw, `v1/${late.sn}/down/#`)
    raw.send(statusOf(late, 1))
    await raw.take('puback')
    expect((await context.sql`select 1 from status_samples where device_id = ${late.id}`).length).toBe(1)
    // Retained ones too, and what comes after them.
    for (const [id, payload] of [
      [2, 'old'],
      [3, 'new'],
    ] as const) {
      raw.send({ ...publish(`v1/${late.sn}/r`, payload, id), retain: true })
      raw.send({ ...statusOf(late, id * 100), retain: true })
      raw.send(statusOf(late, id * 1_000))
      for (let n = 0; n < 3; n++) await raw.take('puback')
    }
    expect((await context.sql`select 1 from status_samples where device_id = ${late.id}`).length).toBe(5)
    redis = startRedis()
    await expect.poll(() => asks.status).toBe('ready')
    // Both have written down what their connections want.
    await expect.poll(async () => (await asks.smembers('mqtt:brokers')).length).toBe(2)
    await expect
      .poll(async () => {
        const again = await login(0, late, { tag: 'again' })
        await subscribe(again, `v1/${late.sn}/r`)
        const [kept] = await Promise.allSettled([again.take('publish', 500)])
        again.end()
        return kept?.status === 'fulfilled' && String((kept.value as IPublishPacket).payload)
      })
      .toBe('new')
    const writer = await login(1, own)
    await expect
      .poll(async () => {
        writer.send(publish(`v1/${own.sn}/x`, 'again', 5))
        return reader.packets.some(({ cmd }) => cmd === 'publish')
      })
      .toBe(true)
  })

  it('forget a broker that has died', async () => {
    await asks.multi().sadd('mqtt:brokers', 'dead').hset('mqtt:listens:dead', 'v1/RE-00009/#', '1').exec()
    const own = devices[9] as TestDevice
    const frame = pack({ kind: 'reset', from: 'dead' })
    await asks.publish('mqtt:all', frame)
    await sleep(100)
    const raw = await login(0, own)
    raw.send(publish(`v1/${own.sn}/x`, 'to the dead', 1))
    await raw.take('puback')
    await expect.poll(() => asks.exists('mqtt:listens:dead')).toBe(0)
    const before = await onTheBus()
    raw.send(publish(`v1/${own.sn}/x`, 'and no more', 2))
    await raw.take('puback')
    await sleep(50)
    expect((await onTheBus()) - before).toBe(0)
  })

  it('know each other after Redis was emptied, also one that starts then', async () => {
    const own = devices[11] as TestDevice
    const reader = await login(0, own, { tag: 'r' })
    await subscribe(reader, `v1/${own.sn}/x`)
    await asks.flushall()
    const env = readEnv(await testSettings({ REDIS_URL: `redis://127.0.0.1:${port}` }))
    const late = openContext('broker', env, context.databaseUrl)
    const third = await startBroker(late)
    try {
      await expect.poll(() => asks.smembers('mqtt:brokers')).toHaveLength(3)
      const writer = await loginRaw(third.ports.mqtt, own)
      open.push(writer)
      await expect
        .poll(async () => {
          writer.send(publish(`v1/${own.sn}/x`, 'from the third', 5))
          return reader.packets.some(({ cmd }) => cmd === 'publish')
        })
        .toBe(true)
    } finally {
      await third.close()
      await late.close()
    }
  })

  it('know how many devices the others have, and who has left or says nothing more', async () => {
    const quiet = { failed: () => undefined, works: () => undefined }
    const lines = [1, 2].map(() => new Line(`redis://127.0.0.1:${port}`, quiet))
    await expect.poll(() => lines.every(({ open }) => open)).toBe(true)
    const [a, b] = lines.map((line, i) => openShareLine(`share-${i}`, line))
    const heard = async () => (await a?.exchange(1))?.get('share-1')
    await b?.exchange(7)
    // It may have been said long ago.
    expect(await heard()).toBeUndefined()
    await b?.exchange(8)
    expect(await heard()).toBe(8)
    expect(await heard()).toBeUndefined()
    await b?.exchange(8)
    expect(await heard()).toBe(8)
    await b?.leave()
    expect(await heard()).toBeNull()
    expect(await heard()).toBeUndefined()
    await a?.leave()
    for (const line of lines) await line.quit()
  })

  it('refuse a Redis that would evict their sessions', async () => {
    await asks.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const env = readEnv(await testSettings({ REDIS_URL: `redis://127.0.0.1:${port}` }))
    const own = openContext('broker', env, context.databaseUrl)
    await expect(startBroker(own)).rejects.toThrow('noeviction')
    await asks.config('SET', 'maxmemory-policy', 'noeviction')
    await own.close()
  })

  it('a clean end leaves nothing of it on Redis', async () => {
    await brokers.pop()?.close()
    await expect.poll(() => asks.smembers('mqtt:brokers')).toHaveLength(1)
  })
})
