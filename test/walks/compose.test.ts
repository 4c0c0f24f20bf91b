/** docker-compose.yml as written: every room's very command and environment, from a folder with what the image holds. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectAsync } from 'mqtt'
import postgres from 'postgres'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '#infra/embedded-postgres'
import { portSettings } from '#infra/settings'
import { makeImage, readCompose } from '../compose-file.ts'
import { emptyDatabase } from '../harness.ts'
import { addDevices } from '../tenants.ts'
import { balancerFor } from './balancer.ts'
import { until } from './until.ts'

const [REDIS, HAPROXY] = ['/usr/bin/redis-server', '/usr/sbin/haproxy']
const present = existsSync(REDIS) && existsSync(HAPROXY)
if (!present) process.stderr.write('SKIPPED: docker-compose.yml as processes (no redis-server or haproxy)\n')

const children: ChildProcess[] = []
const removals: (() => unknown)[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const remove of removals.toReversed()) await remove()
})

/** `remote` is an api like the other (test/compose.test.ts). */
const rooms = ['broker', 'workers', 'api'] as const
type Started = {
  child: ChildProcess
  env: Record<string, string>
  output(): string
  exit: Promise<number | null>
}

it.skipIf(!present)(
  'starts, waits for the tables, carries a device behind its balancer, and stops in order',
  { timeout: 400_000 },
  async () => {
    const image = makeImage()
    const data = mkdtempSync(join(tmpdir(), 'iot-compose-'))
    const database = await emptyDatabase()
    removals.push(image.remove, () => rmSync(data, { recursive: true, force: true }), database.drop)
    const redisPort = await freePort()
    const run = (command: string[], env: Record<string, string>, cwd = image.dir): Started => {
      const [program = '', ...args] = command
      const child = spawn(program === 'node' ? process.execPath : program, args, { cwd, env, stdio: 'pipe' })
      children.push(child)
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += String(chunk)
        })
      return { child, env, output: () => output, exit: new Promise((done) => child.once('exit', done)) }
    }
    const services = readCompose({
      POSTGRES_PASSWORD: 'pg-pass',
      JWT_SECRET: '0123456789abcdefghijklmnopqrstuvwxyz',
      PUBLIC_URL: 'http://localhost:8080',
      ADMIN_PASSWORD: 'first-pass-1',
      LEAVE_SECONDS: '2',
      LOG_LEVEL: 'error',
    })
    const brokerPorts = Object.fromEntries(
      await Promise.all(portSettings.map(async (name) => [name, String(await freePort())])),
    )
    /** Names of the compose network become addresses of this machine, and each service has ports of its own. */
    async function environmentOf(name: string): Promise<Record<string, string>> {
      const env = Object.fromEntries(
        Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, String(value)]),
      )
      for (const port of portSettings)
        env[port] = name === 'broker' ? String(brokerPorts[port]) : String(await freePort())
      return {
        ...env,
        DATABASE_URL: env['DATABASE_URL'] === 'postgres://iot:pg-pass@postgres/iot' ? database.url : '',
        REDIS_URL: String(env['REDIS_URL']).replace('//redis:6379', `//127.0.0.1:${redisPort}`),
        MQTT_URL: String(env['MQTT_URL']).replace('broker:1883', `127.0.0.1:${brokerPorts['MQTT_PORT']}`),
        MQTT_WS_PORT: String(brokerPorts['MQTT_WS_PORT']),
        MQTT_PROXIES: String(env['MQTT_PROXIES']).replace('172.30.14.2', '127.0.0.2'),
        DATA_DIR: data,
      }
    }
    const start = async (name: string) => run(services[name]?.command ?? [], await environmentOf(name))
    const redis = services['redis']?.command ?? []
    run([...redis, '--port', String(redisPort), '--bind', '127.0.0.1', '--dir', data], {})

    // The rooms first: they say once, in one line, what they wait for.
    const running = await Promise.all(rooms.map(start))
    const broker = running[0] as Started
    await until(
      'every room says something',
      () => running.every(({ output }) => output().includes('\n')),
      150_000,
    )
    for (const [i, { output }] of running.entries())
      expect(output()).toMatch(
        new RegExp(`^${rooms[i]} is waiting for the database .*: it has no tables yet .*\n$`),
      )
    const ready = ({ env }: Started) =>
      spawnSync(process.execPath, ['launch/ask-ready.ts'], { cwd: image.dir, env }).status === 0
    expect(ready(broker)).toBe(false)

    // Twice at once, as with a restart in between.
    const migrations = await Promise.all(['migrate', 'migrate'].map(start))
    expect(await Promise.all(migrations.map(({ exit }) => exit))).toEqual([0, 0])
    await until('every room is ready', async () => running.every(ready), 150_000, 500)

    const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
    removals.push(() => sql.end())
    const [home] = await sql<{ customer: number; group: number }[]>`
      select customer_id as customer, id as group from groups limit 1`
    const [device] = await addDevices(sql, home?.customer ?? 0, home?.group ?? 0, 'CO-', 1)
    const balancer = await balancerFor(data, [broker.env], [running[2]?.env ?? {}])
    run([HAPROXY, '-f', balancer.file], {})
    const url = `http://127.0.0.1:${balancer.http}`
    await until('the balancer knows the api', async () => (await fetch(`${url}/healthz`)).ok, 20_000, 200)
    const client = await connectAsync(`mqtts://127.0.0.1:${balancer.mqtts}`, {
      clientId: device?.sn ?? '',
      username: device?.sn ?? '',
      password: device?.secret ?? '',
      protocolVersion: 4,
      rejectUnauthorized: false,
      localAddress: '127.0.0.9',
    } as object)
    await expect
      .poll(() => sql`select ip, transport from presence_records`)
      .toEqual([{ ip: '127.0.0.9', transport: 'tls' }])
    await client.endAsync()

    // After SIGTERM: unready at once, and ended without a kill -9.
    for (const { child } of running) child.kill('SIGTERM')
    await sleep(300)
    expect(running.map(ready)).toEqual([false, false, false])
    expect(await Promise.all(running.map(({ exit }) => exit))).toEqual([0, 0, 0])
  },
)
