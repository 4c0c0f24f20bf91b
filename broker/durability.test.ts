/**
 * An acknowledged message is stored, despite kill -9 of the broker, lost connections and a database that
 * hangs.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { IPubackPacket } from 'mqtt-packet'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openContext } from '#infra/context'
import { startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { openDatabase } from '#infra/postgres'
import { status } from '#schema/device/status'
import { type TestContext, testContext, testSettings } from '#test/harness'
import { loginRaw, type Raw } from '#test/raw-mqtt'
import { addDevices, seedTenants, type Tenants, type TestDevice } from '#test/tenants'
import { startBroker } from './start.ts'

const logLine = (seq: number) =>
  JSON.stringify({ bootId: 'boot', lines: [{ seq, at: Date.now(), priority: 'info', text: 'x' }] })

/** Longer than an insert may be silent (broker/store.ts), so that no client needs to give up. */
const PATIENCE_MS = 35_000

/**
 * A device that sends numbered samples and log lines, a few in flight, reconnects, and records which were
 * acknowledged.
 */
async function live(
  port: number,
  device: TestDevice,
  ledger: Set<string>,
  until: () => boolean,
): Promise<number> {
  let at = Date.now() - 60_000
  let reconnects = -1
  while (!until()) {
    let raw: Raw
    try {
      raw = await loginRaw(port, device)
      reconnects++
    } catch {
      await sleep(30)
      continue
    }
    const sent = new Map<number, string>()
    let id = 0
    const send = () => {
      id++
      const isLog = id % 4 === 0
      at++
      const payload = isLog ? logLine(at) : JSON.stringify({ ...status.example, at })
      sent.set(id, `${isLog ? 'log' : 'status'} ${device.id} ${at}`)
      raw.send({
        cmd: 'publish',
        topic: `v1/${device.sn}/up/${isLog ? 'log' : 'status'}`,
        payload,
        qos: 1,
        messageId: id,
        retain: false,
        dup: false,
      })
    }
    for (let i = 0; i < 5; i++) send()
    try {
      for (;;) {
        const { messageId } = (await raw.take('puback', PATIENCE_MS)) as IPubackPacket
        ledger.add(sent.get(messageId as number) ?? 'unknown')
        sent.delete(messageId as number)
        if (until() && sent.size === 0) break
        if (!until()) send()
      }
    } catch {
      // The broker was killed: what is not acknowledged is not in the ledger.
    }
    raw.end()
  }
  return reconnects
}

/** They live until the test says so, or has failed: a retry is not disturbed by those of the first try. */
function liveAll(port: number, devices: readonly TestDevice[], ledger: Set<string>) {
  let over = false
  const lives = devices.map((device) => live(port, device, ledger, () => over))
  const end = () => {
    over = true
    return Promise.all(lives)
  }
  onTestFinished(async () => void (await end()))
  return { end }
}

async function missing(context: Pick<TestContext, 'sql'>, ledger: Set<string>): Promise<string[]> {
  const rows = await context.sql<{ key: string }[]>`
    select 'status ' || device_id || ' ' || (extract(epoch from at) * 1000)::bigint as key from status_samples
    union all select 'log ' || device_id || ' ' || (payload #>> '{lines,0,seq}') from inbox where name = 'log'`
  const kept = new Set(rows.map((row) => row.key))
  return [...ledger].filter((key) => !kept.has(key))
}

describe('kill -9 of the broker', () => {
  let context: TestContext
  let settings: Record<string, string>
  let tenants: Tenants
  let tries = 0
  let child: ChildProcess | null = null

  const start = () =>
    new Promise<void>((done, fail) => {
      child = fork(fileURLToPath(new URL('./main.ts', import.meta.url)), {
        env: { ...process.env, ...settings },
      })
      child.once('message', () => done())
      child.once('exit', (code) => fail(new Error(`ended with ${code}`)))
    })
  const kill = (signal: NodeJS.Signals) =>
    new Promise<void>((done) => {
      if (child?.exitCode !== null || child.signalCode) return done()
      child.once('exit', () => done())
      child.kill(signal)
    })

  beforeAll(async () => {
    context = await testContext()
    settings = await testSettings({ DATABASE_URL: context.databaseUrl, DATA_DIR: context.env.DATA_DIR })
    tenants = await seedTenants(context)
  })
  afterAll(() => kill('SIGKILL'))

  it('loses none of the acknowledged samples and reports, and leaves presence correct', async () => {
    const ledger = new Set<string>()
    // Of its own for each try, like the broker: each connection of a device is counted.
    await kill('SIGKILL')
    await start()
    const { customerId, groups } = tenants.a
    const devices = await addDevices(context.sql, customerId, groups.root, `KI-${++tries}-`, 30)
    const ids = devices.map(({ id }) => id)
    const lives = liveAll(Number(settings['MQTT_PORT']), devices, ledger)
    const allOnline = (time: number) =>
      expect
        .poll(
          () =>
            context.sql`select count(*) filter (where offline_at is null)::int as online, count(*)::int as ever
              from presence_records where device_id = any(${ids})`,
          { timeout: PATIENCE_MS },
        )
        .toEqual([{ online: devices.length, ever: time * devices.length }])
    const muchAcknowledged = (before = ledger.size) =>
      expect.poll(() => ledger.size, { timeout: PATIENCE_MS }).toBeGreaterThan(before + 200)
    for (let round = 0; round < 2; round++) {
      await allOnline(round + 1)
      await muchAcknowledged()
      await kill('SIGKILL')
      await start()
    }
    await allOnline(3)
    await muchAcknowledged()
    const reconnects = await lives.end()
    expect(await missing(context, ledger)).toEqual([])
    expect(reconnects.every((count) => count >= 2)).toBe(true)
    const ended =
      await context.sql`select reason, count(*)::int as n from presence_records where device_id = any(${ids}) and offline_at is not null and reason = 'brokerLost' group by 1`
    expect(ended).toEqual([{ reason: 'brokerLost', n: 2 * devices.length }])
  }, 120_000)
})

describe('a database that hangs', () => {
  let context: TestContext
  let devices: TestDevice[]
  let broker: Awaited<ReturnType<typeof startBroker>>
  const server = { dir: mkdtempSync(join(tmpdir(), 'iot-still-')) }
  let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>

  beforeAll(async () => {
    postgres = await startEmbeddedPostgres(join(server.dir, 'postgres'), { durable: false })
    await migrateDatabase(postgres.url)
    const env = readEnv(await testSettings())
    context = { ...openContext('broker', env, postgres.url), dispose: async () => undefined }
    const { a } = await seedTenants(context)
    devices = await addDevices(context.sql, a.customerId, a.groups.root, 'ST-', 20)
    broker = await startBroker(context)
  })
  afterAll(async () => {
    await broker.close()
    await context.close()
    await postgres.stop()
    rmSync(server.dir, { recursive: true, force: true })
  })

  it.each([
    [
      'is stopped (SIGSTOP)',
      async () => {
        // Each PostgreSQL backend is a process group of its own.
        const rows = await context.sql<{ pid: number }[]>`select pid from pg_stat_activity`
        const pids = [postgres.pid, ...rows.map((row) => row.pid)]
        for (const pid of pids) process.kill(pid, 'SIGSTOP')
        return async () => {
          for (const pid of pids.splice(0)) process.kill(pid, 'SIGCONT')
        }
      },
    ],
    [
      'has its table locked',
      async () => {
        const held = Promise.withResolvers<void>()
        const enough = Promise.withResolvers<void>()
        const transaction = context.sql.begin(async (tx) => {
          await tx`lock table status_samples in access exclusive mode`
          held.resolve()
          await enough.promise
        })
        await Promise.race([held.promise, transaction])
        return async () => {
          enough.resolve()
          await transaction
        }
      },
    ],
  ])(
    'and %s: acknowledgements wait and then flow, nobody is disconnected, plain messages pass',
    async (_what, stall) => {
      const ledger = new Set<string>()
      const lives = liveAll(broker.ports.mqtt, devices.slice(1), ledger)
      const own = devices[0] as TestDevice
      const raw = await loginRaw(broker.ports.mqtt, own)
      raw.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: `v1/${own.sn}/plain`, qos: 0 }] })
      await raw.take('suback')
      await sleep(300)
      const goOn = await stall()
      onTestFinished(goOn)
      // What was about to be acknowledged is.
      await sleep(1_000)
      const before = ledger.size
      raw.send({
        cmd: 'publish',
        topic: `v1/${own.sn}/plain`,
        payload: 'x',
        qos: 0,
        retain: false,
        dup: false,
      })
      await raw.take('publish')
      raw.send({
        cmd: 'publish',
        topic: `v1/${own.sn}/up/status`,
        payload: JSON.stringify({ ...status.example, at: Date.now() }),
        qos: 1,
        messageId: 5,
        retain: false,
        dup: false,
      })
      raw.send({ cmd: 'pingreq' })
      await raw.take('pingresp')
      await expect(raw.take('puback', 1000)).rejects.toThrow('nothing')
      // Reports may still be stored while only the samples' table is locked; a device's samples and reports
      // share one order.
      expect(ledger.size - before).toBeLessThan(100)
      await goOn()
      await raw.take('puback')
      await expect.poll(() => ledger.size).toBeGreaterThan(before)
      expect(new Set(await lives.end())).toEqual(new Set([0]))
      expect(await missing(context, ledger)).toEqual([])
      raw.end()
    },
  )

  it('and whose connections break: acknowledgements come once it is back', async () => {
    const ledger = new Set<string>()
    const lives = liveAll(broker.ports.mqtt, devices, ledger)
    // Not through the broker's own pool: on a slow machine the statement might use a connection that was just
    // broken. Connections that are just being opened are excluded: infra/type-lookup.test.ts covers them.
    const killer = openDatabase(postgres.url, { applicationName: 'killer', max: 1 })
    onTestFinished(killer.close)
    for (let i = 0; i < 5; i++) {
      await sleep(200)
      await killer.sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and application_name like 'iot-broker%'
        and query <> '' and (state = 'idle' or query not like '%typarray%')`
    }
    const before = ledger.size
    await expect.poll(() => ledger.size, { timeout: PATIENCE_MS }).toBeGreaterThan(before + devices.length)
    expect(new Set(await lives.end())).toEqual(new Set([0]))
    expect(await missing(killer, ledger)).toEqual([])
  }, 120_000)
})
