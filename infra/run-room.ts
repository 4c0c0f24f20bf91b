/** The life cycle of a room's process: settings, context, signals, and one clear line if it cannot start. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, openContext } from './context.ts'
import { type Env, readEnv, SettingError } from './env.ts'
import { awaitMigrated } from './migrate.ts'
import { refusesPassword } from './queue/backend.ts'
import { hostSettings, portSettings } from './settings.ts'
import { isTypeLookup, knowsTypes } from './type-lookup.ts'

/** DATABASE_URL, or the embedded database recorded by a running `npm start`. */
export function findDatabaseUrl(env: Pick<Env, 'DATABASE_URL' | 'DATA_DIR'>): string {
  if (env.DATABASE_URL) return env.DATABASE_URL
  const file = join(env.DATA_DIR, 'postgres-url')
  if (existsSync(file)) return readFileSync(file, 'utf8').trim()
  throw new SettingError(
    `DATABASE_URL is not set and no \`npm start\` has made a database in DATA_DIR (${env.DATA_DIR}): set it, or run npm start first`,
  )
}

type ListenError = NodeJS.ErrnoException & { port?: number; address?: string; hostname?: string }

/** One line that says what to change; null for an error that deserves its stack. */
export function explain(error: unknown, env?: Env): string | null {
  if (error instanceof SettingError) return error.message
  const { code, port, address, hostname, message } = error as ListenError
  if (refusesPassword(error)) return `REDIS_URL: Redis refuses its password (${message}): correct it`
  // Of the system, and of PostgreSQL.
  if (code === 'ENOSPC') return `the disk of DATA_DIR is full (${(error as Error).message}): free some space`
  if (code === '53100')
    return `the disk of the database is full (${(error as Error).message}): free some space`
  const host = hostSettings.find((name) => env !== undefined && env[name] === (address ?? hostname))
  if (host && (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'))
    return `${host}: ${env?.[host]} is not an address of this machine: set one that is, or 0.0.0.0 for all`
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return null
  const setting = portSettings.find((name) => env?.[name] === port)
  if (port === undefined) return null
  const why = code === 'EACCES' ? 'may not be opened by this user' : 'is already in use'
  return `port ${port} ${why}: stop the other program or set ${setting ?? 'another port'}`
}

export function failStart(error: unknown, env?: Env): never {
  const line = explain(error, env)
  process.stderr.write(
    line ? `cannot start: ${line}\n` : `cannot start: ${(error as Error)?.stack ?? String(error)}\n`,
  )
  process.exit(1)
}

const LIMITS = '/proc/self/limits'
const FILES_ENOUGH = 10_000

/**
 * Of connections beyond this limit a process hears nothing: the system closes them, and devices try again forever.
 * @param limits as in that file; empty on other systems
 */
export function warnOfFewFiles(
  { log }: Pick<Context, 'log'>,
  limits = existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : '',
): void {
  const [, most] = /^Max open files +(\d+)/m.exec(limits) ?? []
  if (most !== undefined && Number(most) < FILES_ENOUGH)
    log.warn(
      { openFiles: Number(most) },
      'the system lets this process open few connections, and closes those of more devices and browsers without a word: raise its limit of open files',
    )
}

const CLOCK_OFF_MS = 5_000
const CLOCK_EVERY_MS = 600_000

/** Rooms compare times with those that others have stored; what a wrong clock does is in docs/operations.md. */
export async function warnOfClock({ sql, log }: Pick<Context, 'sql' | 'log'>, now = Date.now): Promise<void> {
  const asked = now()
  const [row] = await sql<
    { ms: number }[]
  >`select (date_part('epoch', clock_timestamp()) * 1000)::float8 as ms`
  const answered = now()
  const offMs = Math.round((asked + answered) / 2 - (row?.ms ?? asked))
  // The answer may have been on its way for as long.
  if (Math.abs(offMs) <= CLOCK_OFF_MS + (answered - asked) / 2) return
  const direction = offMs > 0 ? 'ahead of' : 'behind'
  log.warn(
    { offMs },
    `the clock here is ${Math.round(Math.abs(offMs) / 1000)} s ${direction} that of PostgreSQL`,
  )
}

type Health = { ready: boolean; lacks(): readonly string[] }

/**
 * HEALTH_PORT, for balancers and container engines: `/healthz` responds as long as the process does; `/readyz` responds
 * 200 from the time the room is ready until it is stopped, otherwise 503. @throws EADDRINUSE
 */
async function openHealth(env: Pick<Env, 'HEALTH_PORT' | 'HEALTH_HOST'>): Promise<Health> {
  const health: Health = { ready: false, lacks: () => [] }
  if (env.HEALTH_PORT === 0) return health
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    if (request.url === '/healthz') response.end('ok\n')
    else if (request.url === '/readyz') {
      const lacks = health.lacks()
      const ready = health.ready && lacks.length === 0
      response.writeHead(ready ? 200 : 503).end([ready ? 'ready' : 'not ready', ...lacks, ''].join('\n'))
    } else response.writeHead(404).end()
  })
  await new Promise<void>((done, fail) => {
    server.once('error', (error) => fail(Object.assign(error, { port: env.HEALTH_PORT })))
    server.listen(env.HEALTH_PORT, env.HEALTH_HOST, done)
  })
  // It must not keep a process alive that could not start.
  server.unref()
  return health
}

/**
 * `leave` closes, within the given time, the connections that balancers can send elsewhere; without it, the room just
 * waits for that time. `lacks` names in plain English what is missing for a room without a balancer in front of it to
 * work.
 */
type Room = { close(): Promise<void>; leave?(ms: number): Promise<void>; lacks?(): readonly string[] }

/**
 * Runs one room as this process. SIGINT and SIGTERM first make it unready for LEAVE_SECONDS, then drain and close it
 * within 10 s. A parent started by `npm start` gets `ready` over the process channel.
 */
export async function runRoom(name: string, start: (context: Context) => Promise<Room>): Promise<void> {
  let env: Env | undefined
  try {
    env = readEnv()
    const health = await openHealth(env)
    await awaitMigrated(findDatabaseUrl(env), env.JWT_SECRET, (line) =>
      process.stderr.write(`${name} is ${line}\n`),
    )
    const context = openContext(name, env, findDatabaseUrl(env))
    process.on('unhandledRejection', (error) => {
      // Any other error, or arrays that could never be sent, ends the process as usual; it is restarted.
      if (!isTypeLookup(error) || !knowsTypes(context.sql)) throw error
      context.log.warn({ err: error }, 'a connection ended while it was being opened')
    })
    const lookAtClock = () =>
      warnOfClock(context).catch((error: unknown) => context.log.debug({ err: error }, 'clocks not compared'))
    void lookAtClock()
    setInterval(lookAtClock, CLOCK_EVERY_MS).unref()
    if (name !== 'workers') warnOfFewFiles(context)
    const room = await start(context)
    health.ready = true
    if (room.lacks) health.lacks = room.lacks
    context.log.info(`${name} is ready`)
    process.send?.({ ready: name })
    // Written for the next start; a killed process would not write it.
    flushCompileCache()
    const leaveMs = env.LEAVE_SECONDS * 1000
    let closing = false
    const close = async (signal: string) => {
      if (closing) return
      closing = true
      context.log.info({ signal }, `${name} is stopping`)
      health.ready = false
      setTimeout(() => process.exit(1), leaveMs + 10_000).unref()
      if (leaveMs > 0) await (room.leave?.(leaveMs) ?? sleep(leaveMs))
      await room.close()
      await context.close()
      process.exit(0)
    }
    process.on('SIGINT', () => void close('SIGINT'))
    process.on('SIGTERM', () => void close('SIGTERM'))
    // The launcher is gone: without it this process would never be stopped.
    process.on('disconnect', () => void close('disconnect'))
    if (process.send && !process.connected) await close('disconnect')
  } catch (error) {
    failStart(error, env)
  }
}
