/** PostgreSQL 15 from Debian's packages, the oldest version that the platform supports, with the tools of that version. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '#infra/embedded-postgres'
import { databaseFolder } from '../scratch.ts'
import { until } from '../walks/until.ts'

const bin = '/usr/lib/postgresql/15/bin'
export const noDebianPostgres = !existsSync(join(bin, 'postgres'))

/** The server refuses to run as root; the package brings a user for it. */
const asOwner = (command: string, args: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', command, ...args]]
    : [command, args]

type DebianPostgres = {
  url: string
  stop(): Promise<void>
  /** kill -9 of the server; its other processes end by themselves. */
  kill(): Promise<void>
  /** On the same data and port. */
  start(): Promise<void>
}

/** A cluster of its own, not durable by default. `stop` ends it and removes the folder. */
export async function startDebianPostgres({ durable = false } = {}): Promise<DebianPostgres> {
  const dir = databaseFolder('iot-debian-pg-')
  if (process.getuid?.() === 0) spawnSync('chown', ['postgres:postgres', dir])
  chmodSync(dir, 0o700)
  const [init, initArgs] = asOwner(join(bin, 'initdb'), [
    '-D',
    dir,
    '-U',
    'iot',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ])
  const made = spawnSync(init, initArgs, { encoding: 'utf8', cwd: '/' })
  if (made.status !== 0) throw new Error(`initdb of PostgreSQL 15: ${made.stderr}`)
  const port = await freePort()
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    `fsync=${durable ? 'on' : 'off'}`,
    `port=${port}`,
  ]
  const [command, args] = asOwner(join(bin, 'postgres'), [
    '-D',
    dir,
    ...options.flatMap((option) => ['-c', option]),
  ])
  const url = (database: string) => `postgres://iot@127.0.0.1:${port}/${database}`
  let child: ChildProcess | null = null
  let exited: Promise<unknown> = Promise.resolve()
  const start = async () => {
    const sql = postgres(url('postgres'), { max: 1, onnotice: () => undefined })
    const answers = async () => {
      // After a kill -9 it may not start before the last of its processes has ended.
      if (child === null || child.exitCode !== null || child.signalCode !== null) {
        const begun = spawn(command, args, { stdio: 'ignore', cwd: '/' })
        child = begun
        exited = new Promise((done) => begun.once('exit', done))
      }
      return (await sql`select 1`.catch(() => [])).length > 0
    }
    await until('PostgreSQL 15 answers', answers, 30_000, 100)
    await sql.end()
  }
  const end = async (signal: NodeJS.Signals) => {
    child?.kill(signal)
    await exited
  }
  await start()
  const sql = postgres(url('postgres'), { max: 1, onnotice: () => undefined })
  await sql`create database iot`
  await sql.end()
  const stop = async () => {
    await end('SIGINT')
    rmSync(dir, { recursive: true, force: true })
  }
  return { url: url('iot'), stop, kill: () => end('SIGKILL'), start }
}
