/** The product as separate processes over a durable database of its own that counts statements; removed afterwards. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Context, openContext } from '#infra/context'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { type BenchBroker, processorSeconds, startChild } from './bench-fleet.ts'

type Counted = { jobs: number; statements: number; queueStatements: number }

/** PostgreSQL that counts its statements; the extension has to be loaded at start. */
async function countingPostgres(dir: string) {
  const data = join(dir, 'postgres')
  const first = await startEmbeddedPostgres(data)
  const { sql, close } = openContext('bench', readEnv({ DATA_DIR: dir }), first.url)
  await sql`alter system set shared_preload_libraries = 'pg_stat_statements'`
  await close()
  await first.stop()
  return startEmbeddedPostgres(data)
}

/** Matches the queue's own statements, which call its functions or read its table. */
const QUEUE = '(move_to_|next_signal|next_delay|add_job|job_scheduler|FROM job )'

/** `seq` numbers every job ever added; statements as sent by the clients, including begin and commit. */
export async function count({ sql }: Context): Promise<Counted> {
  const [row] = await sql<Counted[]>`
    select (select coalesce(max(last_value), 0)::int from pg_sequences where schemaname = 'bullmq' and sequencename = 'job_seq') as jobs,
      sum(calls)::int as statements, (sum(calls) filter (where query ~ ${QUEUE}))::int as "queueStatements"
    from pg_stat_statements where toplevel and dbid = (select oid from pg_database where datname = current_database())`
  return row ?? { jobs: 0, statements: 0, queueStatements: 0 }
}

const ROOMS = ['broker', 'workers', 'api'] as const
/** Processor time used so far, in seconds; `clients` is this process: the simulated devices and what measures. */
export type Spent = Readonly<Record<(typeof ROOMS)[number] | 'postgres' | 'clients', number>>

export type Platform = {
  context: Context
  dir: string
  ports: { http: number; mqtt: number }
  spent(): Spent
}

/** Broker, workers and api run while `measure` does. */
export async function onPlatform<R>(
  measure: (platform: Platform) => Promise<R>,
  settings: Record<string, string> = {},
): Promise<R> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const children: BenchBroker[] = []
  const postgres = await countingPostgres(dir)
  const ports = { http: await freePort(), mqtt: await freePort() }
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dir,
    HTTP_PORT: String(ports.http),
    SSH_PORT: '0',
    HTTP_HOST: '127.0.0.1',
    // As the baselines: without a look-up of the name, and a first attempt at ::1.
    PUBLIC_URL: `http://127.0.0.1:${ports.http}`,
    ...settings,
  }
  const context = openContext('bench', readEnv({ ...env, LOG_LEVEL: 'error' }), postgres.url)
  try {
    await migrateDatabase(postgres.url)
    await context.sql`create extension pg_stat_statements`
    for (const room of ROOMS) children.push(await startChild(`${room}/main.ts`, env, ports.mqtt))
    const [broker, workers, api] = children.map(({ child }) => child.pid ?? 0)
    const spent = () => ({
      broker: processorSeconds(broker ?? 0),
      workers: processorSeconds(workers ?? 0),
      api: processorSeconds(api ?? 0),
      postgres: processorSeconds(postgres.pid, true),
      clients: processorSeconds(process.pid),
    })
    return await measure({ context, dir, ports, spent })
  } finally {
    await Promise.all(children.map((child) => child.stop()))
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
