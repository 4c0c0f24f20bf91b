/** The shape of more than one machine on this one: two of each room, PostgreSQL, Redis and HAProxy as Debian has them. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openContext } from '#infra/context'
import { freePort } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { roomFlags } from '#infra/room-flags'
import { makeSecret } from '#infra/secrets'
import { portSettings } from '#infra/settings'
import { noDebianPostgres, startDebianPostgres } from '../programs/debian-postgres.ts'
import { root } from '../tracked-files.ts'
import { balancerFor } from '../walks/balancer.ts'
import { until } from '../walks/until.ts'

const [REDIS, HAPROXY] = ['/usr/bin/redis-server', '/usr/sbin/haproxy']
export const lacking = [
  ...(noDebianPostgres ? ['PostgreSQL 15'] : []),
  ...[REDIS, HAPROXY].filter((path) => !existsSync(path)),
]

const kinds = ['broker', 'api', 'workers'] as const
type Kind = (typeof kinds)[number]
export type RoomName = `${Kind}${1 | 2}`
export const roomNames = kinds.flatMap((kind): RoomName[] => [`${kind}1`, `${kind}2`])
const RESTART_MS = 500

async function end(child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await ended
}

/** One process of the platform. One that ends by itself is started again, as a supervisor does, and counted. */
function openRoom(name: RoomName, env: Record<string, string>, logFile: string) {
  const kind = name.slice(0, -1) as Kind
  let child: ChildProcess | null = null
  let wanted = false
  const counted = { ended: 0 }
  const start = () =>
    new Promise<void>((done, fail) => {
      wanted = true
      const { VITEST: _vitest, ...inherited } = process.env
      const log = openSync(logFile, 'a')
      const begun = fork(join(root, kind, 'main.ts'), [], {
        cwd: root,
        env: { ...inherited, ...env },
        execArgv: [...(roomFlags[kind] ?? [])],
        stdio: ['ignore', log, log, 'ipc'],
      })
      // It has its own.
      closeSync(log)
      child = begun
      begun.once('message', () => done())
      begun.once('error', fail)
      begun.once('exit', () => {
        if (!wanted || child !== begun) return
        counted.ended++
        setTimeout(() => {
          if (wanted) start().then(done, fail)
        }, RESTART_MS)
      })
    })
  const stop = async (signal: NodeJS.Signals) => {
    wanted = false
    await end(child, signal)
  }
  return { start, stop, counted }
}

type Options = {
  /** LEAVE_SECONDS of the rooms. */
  leaveS: number
  /** How often the balancer asks them. */
  checkMs: number
}
type Closing = (() => Promise<unknown>)[]

export async function startMachine(options: Options) {
  const dir = mkdtempSync(join(tmpdir(), 'iot-faults-'))
  const closing: Closing = []
  /** In the reverse order; the folder can be kept for its logs. */
  const close = async ({ keepLogs = false } = {}) => {
    for (const one of closing.splice(0).toReversed()) await one()
    if (!keepLogs) rmSync(dir, { recursive: true, force: true })
  }
  try {
    return { ...(await assemble(dir, closing, options)), close }
  } catch (error) {
    await close({ keepLogs: true })
    throw error
  }
}

async function assemble(dir: string, closing: Closing, { leaveS, checkMs }: Options) {
  const postgres = await startDebianPostgres({ durable: true })
  closing.push(() => postgres.stop())
  const redisPort = await freePort()
  let redis: ChildProcess | null = null
  const startRedis = async () => {
    const args = ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    redis = spawn(REDIS, args, { stdio: 'ignore' })
    await until('Redis listens', () => listens(redisPort), 10_000)
  }
  closing.push(() => end(redis, 'SIGKILL'))
  await startRedis()
  const portsOf = new Map<RoomName, Record<string, string>>()
  for (const name of roomNames) {
    const own: Record<string, string> = {}
    for (const port of portSettings) own[port] = String(await freePort())
    portsOf.set(name, own)
  }
  const of = (name: RoomName) => portsOf.get(name) ?? {}
  const balancer = await balancerFor(dir, [of('broker1'), of('broker2')], [of('api1'), of('api2')])
  if (checkMs !== 2000) {
    const text = readFileSync(balancer.file, 'utf8')
    writeFileSync(balancer.file, text.replace('inter 2s', `inter ${checkMs}ms`))
  }
  const settings = {
    NODE_ENV: 'test',
    DATABASE_URL: postgres.url,
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    JWT_SECRET: makeSecret() + makeSecret(),
    PUBLIC_URL: `http://127.0.0.1:${balancer.http}`,
    MQTT_URL: `mqtt://127.0.0.1:${balancer.mqtt}`,
    MQTT_PROXIES: '127.0.0.2',
    TRUSTED_PROXIES: '127.0.0.2',
    HTTP_HOST: '127.0.0.1',
    MQTT_HOST: '127.0.0.1',
    SSH_HOST: '127.0.0.1',
    DATA_DIR: dir,
    SIM_DEVICES: '0',
    LEAVE_SECONDS: String(leaveS),
    LOG_LEVEL: 'warn',
  }
  await migrateDatabase(postgres.url)
  const env = readEnv({ ...settings, ...of('api1'), LOG_LEVEL: 'silent' })
  const context = openContext('faults', env, postgres.url)
  closing.push(() => context.close())
  const rooms = new Map(
    roomNames.map((name) => [name, openRoom(name, { ...settings, ...of(name) }, join(dir, `${name}.log`))]),
  )
  const room = (name: RoomName) => {
    const found = rooms.get(name)
    if (!found) throw new Error(`${name} is no room`)
    return found
  }
  closing.push(() => Promise.all(roomNames.map((name) => room(name).stop('SIGKILL'))))
  await Promise.all(roomNames.map((name) => room(name).start()))
  const haproxy = spawn(HAPROXY, ['-f', balancer.file], { stdio: 'ignore' })
  closing.push(() => end(haproxy, 'SIGKILL'))
  const url = `http://127.0.0.1:${balancer.http}`
  const readyAt = (name: RoomName) =>
    fetch(`http://127.0.0.1:${of(name)['HEALTH_PORT']}/readyz`).then(({ ok }) => ok)
  await until('the balancer leads to an api', async () => (await fetch(`${url}/healthz`)).ok, 20_000, 100)

  return {
    context,
    dir,
    url,
    mqttPort: balancer.mqtt,
    /** kill -9, and started again after `awayMs`; resolves when it is ready. */
    kill: async (name: RoomName, awayMs = 0) => {
      await room(name).stop('SIGKILL')
      await pause(awayMs)
      await room(name).start()
    },
    /** As an upgrade does it: SIGTERM, the end, a start, and the balancer sends it something again. */
    renew: async (name: RoomName) => {
      await room(name).stop('SIGTERM')
      await room(name).start()
      await until(`${name} is ready`, () => readyAt(name), 30_000, 50)
      await pause(checkMs * 2)
    },
    postgresAway: async (ms: number) => {
      await postgres.kill()
      await pause(ms)
      await postgres.start()
    },
    /** It comes back empty. */
    redisAway: async (ms: number) => {
      await end(redis, 'SIGKILL')
      await pause(ms)
      await startRedis()
    },
    redisFlushed: () =>
      new Promise<void>((done, fail) => {
        const socket = connect(redisPort, '127.0.0.1', () => socket.write('FLUSHALL\r\n'))
        socket.once('data', () => {
          socket.destroy()
          done()
        })
        socket.once('error', fail)
      }),
    endedByThemselves: () => [...rooms].filter(([, { counted }]) => counted.ended > 0).map(([name]) => name),
  }
}
export type Machine = Awaited<ReturnType<typeof startMachine>>

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))
const listens = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })
