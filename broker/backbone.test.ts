/** To devices, two brokers on one Redis behave like one broker. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IPublishPacket } from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openContext } from '#infra/context'
import { freePort } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { status } from '#schema/device/status'
import { type TestContext, testContext, testSettings } from '#test/harness'
import { loginRaw, type Raw } from '#test/raw-mqtt'
import { addDevices, seedTenants, type TestDevice } from '#test/tenants'
import { type Broker, startBroker } from './start.ts'

const REDIS = 'redis-server'
const present = spawnSync(REDIS, ['--version']).status === 0
if (!present) process.stderr.write('SKIPPED: two brokers on Redis (no redis-server on this machine)\n')

describe.skipIf(!present)('two brokers on one Redis', () => {
  let redis: ChildProcess
  let context: TestContext
  const brokers: Broker[] = []
  const closers: (() => Promise<void>)[] = []
  let devices: TestDevice[]
  const open: Raw[] = []

  beforeAll(async () => {
    const port = await freePort()
    redis = spawn(REDIS, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'])
    await sleep(300)
    context = await testContext()
    const { a } = await seedTenants(context)
    devices = await addDevices(context.sql, a.customerId, a.groups.root, 'RE-', 5)
    for (let i = 0; i < 2; i++) {
      const env = readEnv(await testSettings({ REDIS_URL: `redis://127.0.0.1:${port}` }))
      const own = openContext('broker', env, context.databaseUrl)
      closers.push(own.close)
      brokers.push(await startBroker(own))
    }
  })
  afterAll(async () => {
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
    await old.closed(3000)
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

  it('store uplinks before they acknowledge them', async () => {
    const own = devices[3] as TestDevice
    const raw = await login(1, own)
    raw.send(publish(`v1/${own.sn}/up/status`, JSON.stringify({ ...status.example, at: Date.now() }), 1))
    await raw.take('puback')
    expect((await context.sql`select 1 from status_samples where device_id = ${own.id}`).length).toBe(1)
  })
})
