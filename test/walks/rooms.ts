/** The rooms as real processes over their own durable database, to be killed one by one. */
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Context, openContext } from '#infra/context'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { testSettings } from '../harness.ts'
import { checkMoves } from '../move-check.ts'
import { databaseFolder } from '../scratch.ts'
import { TEST_PASSWORD } from '../tenants.ts'
import { until } from './until.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const names = ['broker', 'workers', 'api'] as const
export type RoomName = (typeof names)[number] | 'postgres'
export type Rooms = Awaited<ReturnType<typeof startRooms>>

type Settings = Record<string, string>

/**
 * Above the ports of `freePort`: another test process that asked for one while a room is dead might be given the room's, and
 * the room could not start again until that test has ended.
 */
const PORTS = { first: 31_000, count: 1_700 }
let nextPort = Math.floor(Math.random() * PORTS.count)
const isFree = (port: number) =>
  new Promise<boolean>((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
async function ownPort(): Promise<string> {
  for (;;) {
    nextPort = (nextPort + 1) % PORTS.count
    const port = PORTS.first + nextPort
    if (await isFree(port)) return String(port)
  }
}
async function ownPorts(): Promise<Settings> {
  const ports: Settings = {}
  for (const name of ['HTTP', 'MQTT', 'MQTTS', 'MQTT_WS', 'SSH', 'REMOTE_WEB'])
    ports[`${name}_PORT`] = await ownPort()
  return ports
}

/** @param ofRoom settings of single rooms */
export async function startRooms(
  overrides: Settings = {},
  ofRoom: Partial<Record<(typeof names)[number], Settings>> = {},
) {
  const dir = databaseFolder('iot-rooms-')
  const port = Number(await ownPort())
  const launch = () => startEmbeddedPostgres(join(dir, 'postgres'), { port })
  let postgres: EmbeddedPostgres = await launch()
  const own = { DATA_DIR: dir, ...(await ownPorts()) }
  const settings = { ...(await testSettings({ ...own, ...overrides })), DATABASE_URL: postgres.url }
  const env = readEnv(settings)
  await migrateDatabase(postgres.url)
  const context: Context = openContext('walk', env, postgres.url)
  await checkMoves(context.sql)
  const children = new Map<string, ChildProcess>()
  let closing = false

  /** Resolves when the room is ready; restarts it when it ends, like a supervisor. */
  const start = (name: (typeof names)[number]): Promise<void> =>
    new Promise((done, fail) => {
      const { VITEST: _vitest, ...inherited } = process.env
      const child = fork(join(root, name, 'main.ts'), [], {
        cwd: root,
        env: { ...inherited, ...settings, ...ofRoom[name] },
        execArgv: [],
        stdio: ['ignore', 'ignore', process.env['TEST_LOG'] ? 'inherit' : 'ignore', 'ipc'],
      })
      children.set(name, child)
      child.once('message', () => done())
      child.once('error', fail)
      child.once('exit', () => {
        if (closing || children.get(name) !== child) return
        sleep(100).then(() => {
          if (!closing) start(name).then(done, fail)
        })
      })
    })
  const startAll = () => Promise.all(names.map(start))
  await startAll()

  async function stopAll(): Promise<void> {
    closing = true
    await Promise.all(
      [...children.values()].map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = new Promise((done) => child.once('exit', done))
        child.kill('SIGTERM')
        await ended
      }),
    )
    children.clear()
    await postgres.stop()
  }

  /** kill -9, and restart after `awayMs`. Resolves when it is ready. */
  async function kill(name: RoomName, awayMs = 0): Promise<void> {
    if (name === 'postgres') {
      process.kill(postgres.pid, 'SIGKILL')
      await postgres.exited
      await sleep(awayMs)
      postgres = await until('postgres is back', launch, 30_000, 200)
      return
    }
    const child = children.get(name)
    if (!child) throw new Error(`${name} is not running`)
    children.delete(name)
    child.kill('SIGKILL')
    await sleep(awayMs)
    await start(name)
  }

  const url = `http://127.0.0.1:${env.HTTP_PORT}`
  async function call<T>(name: string, body: object, token?: string): Promise<T> {
    const response = await fetch(`${url}/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { token } : {}) },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as { code: number; data: T; message: string }
    if (answer.code !== 0) throw new Error(`${name}: ${answer.code} ${answer.message}`)
    return answer.data
  }

  return {
    context,
    env,
    dir,
    url,
    mqttUrl: `mqtt://127.0.0.1:${env.MQTT_PORT}`,
    kill,
    call,
    login: async (username: string) =>
      (await call<{ token: string }>('userLogin', { username, password: TEST_PASSWORD })).token,
    /** SIGTERM to everything, and a start on the same data. */
    restart: async () => {
      await stopAll()
      closing = false
      postgres = await launch()
      await startAll()
    },
    close: async () => {
      await stopAll()
      await context.close()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
