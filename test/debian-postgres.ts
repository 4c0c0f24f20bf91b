/** PostgreSQL 15 from Debian's packages, the oldest version that the platform supports, with the tools of that version. */
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { freePort } from '#infra/embedded-postgres'
import { databaseFolder } from './scratch.ts'
import { until } from './walks/until.ts'

const bin = '/usr/lib/postgresql/15/bin'
export const noDebianPostgres = !existsSync(join(bin, 'postgres'))

/** The server refuses to run as root; the package brings a user for it. */
const asOwner = (command: string, args: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', command, ...args]]
    : [command, args]

/** A cluster of its own, not durable. `stop` ends it; the folder goes with those of the run. */
export async function startDebianPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
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
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', `port=${port}`]
  const [command, args] = asOwner(join(bin, 'postgres'), [
    '-D',
    dir,
    ...options.flatMap((option) => ['-c', option]),
  ])
  const child = spawn(command, args, { stdio: 'ignore', cwd: '/' })
  const exited = new Promise((done) => child.once('exit', done))
  const url = (database: string) => `postgres://iot@127.0.0.1:${port}/${database}`
  const sql = postgres(url('postgres'), { max: 1, onnotice: () => undefined })
  await until('PostgreSQL 15 answers', async () => (await sql`select 1`.catch(() => [])).length > 0, 30_000)
  await sql`create database iot`
  await sql.end()
  return {
    url: url('iot'),
    stop: async () => {
      child.kill('SIGINT')
      await exited
    },
  }
}
