/** Setup of the broker benchmarks: a durable database, devices, and brokers as child processes. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { migrateDatabase } from '#infra/migrate'
import { openDatabase, type Sql } from '#infra/postgres'
import { roomFlags } from '#infra/room-flags'
import { hashSecret, makeSecret } from '#infra/secrets'
import type { Credential } from './mqtt-load.ts'

export type BenchDatabase = { url: string; sql: Sql; dir: string; pid: number; close(): Promise<void> }

/** PostgreSQL with fsync on, in its own folder. */
export async function benchDatabase(): Promise<BenchDatabase> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const server = await startEmbeddedPostgres(join(dir, 'postgres'))
  await migrateDatabase(server.url)
  const pool = openDatabase(server.url, { max: 2 })
  return {
    url: server.url,
    sql: pool.sql,
    dir,
    pid: server.pid,
    close: async () => {
      await pool.close()
      await server.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** One customer, one group, `count` devices that have logged in before. */
export async function benchDevices(sql: Sql, count: number): Promise<Credential[]> {
  const made = Array.from({ length: count }, (_, i) => ({ sn: `BENCH-${i}`, secret: makeSecret() }))
  await sql`
    with c as (insert into customers (name) values ('Bench') returning id),
    g as (insert into groups (customer_id, name, level, is_default) select id, 'Default', 1, true from c returning id, customer_id)
    insert into devices (customer_id, group_id, sn, name, secret_hash, secret_used_at)
    select g.customer_id, g.id, d.sn, d.sn, d.hash, now() from g,
      unnest(${made.map((d) => d.sn)}::text[], ${made.map((d) => hashSecret(d.secret))}::text[]) as d(sn, hash)`
  return made
}

export type BenchBroker = { port: number; child: ChildProcess; stop(signal?: NodeJS.Signals): Promise<void> }

/** Starts a file that sends `ready` over the process channel; `port` is the port on which it then listens. */
export async function startChild(
  file: string,
  env: Record<string, string>,
  port?: number,
): Promise<BenchBroker> {
  const mqtt = port ?? (await freePort())
  const child = fork(fileURLToPath(new URL(`../${file}`, import.meta.url)), {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      MQTT_HOST: '127.0.0.1',
      MQTT_PORT: String(mqtt),
      MQTTS_PORT: '0',
      MQTT_WS_PORT: '0',
      ...env,
    },
    execArgv: [...(roomFlags[file.split('/')[0] ?? ''] ?? [])],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  await new Promise<void>((done, fail) => {
    child.once('message', () => done())
    child.once('exit', (code) => fail(new Error(`${file} ended with ${code}`)))
  })
  return {
    port: mqtt,
    child,
    stop: (signal = 'SIGTERM') =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done()
        child.once('exit', () => done())
        child.kill(signal)
      }),
  }
}

/** Resident memory of a process, in bytes. */
export function residentBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(text)?.[1] ?? 0) * 1024
}

const TICKS_PER_SECOND = 100

/** Processor time used by a process, optionally with its children, including ended ones; in seconds. */
export function processorSeconds(pid: number, withChildren = false): number {
  let ticks = 0
  for (const name of withChildren
    ? readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))
    : [String(pid)]) {
    let fields: string[]
    try {
      fields = (readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1] ?? '').split(' ')
    } catch {
      // It has just ended.
      continue
    }
    // Of proc(5): the fields after the name are state, parent, …, utime (12th), stime, and both of children that ended.
    if (Number(name) === pid || Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12])
    if (withChildren && Number(name) === pid) ticks += Number(fields[13]) + Number(fields[14])
  }
  return ticks / TICKS_PER_SECOND
}
