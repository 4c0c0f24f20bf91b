/**
 * An upgrade of 1,000 simulated devices that flash at once: wall time, queue jobs and SQL statements per device, with
 * broker, api and workers as separate processes over a durable database. The baseline, in the same run: the same file
 * downloaded as often, with the same concurrency, from a plain HTTP server.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startDeviceSim } from '#device-sim/start'
import { type Context, openContext } from '#infra/context'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { addDevices, addPackage, seedTenants, TEST_PASSWORD } from '#test/tenants'
import { type BenchBroker, startChild } from './bench-fleet.ts'

type Options = { devices: number; packageBytes: number }
type Counted = { jobs: number; statements: number; queueStatements: number }

/** PostgreSQL that counts its statements; the extension has to be loaded at start. */
export async function countingPostgres(dir: string) {
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

async function download(url: string): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
}

/** Seconds for `times` downloads, `atOnce` at a time, from a server that only reads the file. */
async function plainDownloads(file: string, times: number, atOnce: number): Promise<number> {
  const server = createServer((_, reply) => createReadStream(file).pipe(reply))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const start = performance.now()
  let begun = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (begun++ < times) await download(url)
    }),
  )
  server.closeAllConnections()
  server.close()
  return (performance.now() - start) / 1000
}

export async function post<T>(url: string, body: object, token = ''): Promise<T> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  })
  const { code, data, message } = (await answer.json()) as { code: number; data: T; message: string }
  if (code !== 0) throw new Error(`${url}: ${message}`)
  return data
}

/** Seconds from the call to the completed task. */
async function upgrade(context: Context, api: string, username: string, ids: number[], spId: number) {
  const { token } = await post<{ token: string }>(`${api}/userLogin`, { username, password: TEST_PASSWORD })
  const start = performance.now()
  const body = { name: 'Bench', spId, dids: ids }
  const { taskId } = await post<{ taskId: number }>(`${api}/levelUp/addLevelUp`, body, token)
  for (;;) {
    const [task] = await context.sql<{ status: string }[]>`select status from tasks where id = ${taskId}`
    if (task?.status === 'completed') break
    await sleep(50)
  }
  const seconds = (performance.now() - start) / 1000
  const [row] = await context.sql<{ done: number }[]>`
    select count(*)::int as done from task_items where task_id = ${taskId} and outcome = 'done'`
  return { seconds, done: row?.done ?? 0, polls: Math.round(seconds / 0.05) }
}

async function measure(
  context: Context,
  dir: string,
  ports: { http: number; mqtt: number },
  options: Options,
) {
  const tenants = await seedTenants(context)
  const { customerId, groups, admin } = tenants.a
  const fleet = await addDevices(context.sql, customerId, groups.root, 'BENCH-', options.devices)
  const content = gzipSync(randomBytes(options.packageBytes))
  const made = await addPackage(context, { customerId: null, model: 'R200', version: '99.0', content })
  const sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: `mqtt://127.0.0.1:${ports.mqtt}`,
    dataDir: join(dir, 'sim'),
    fleet: fleet.map(({ sn }) => ({ sn, model: 'R200' })),
    secrets: Object.fromEntries(fleet.map(({ sn, secret }) => [sn, secret])),
    faults: {},
    speed: 1000,
    log: context.log,
  })
  try {
    await sim.whenOnline(120_000)
    await sleep(3000)
    const before = await count(context)
    const ids = fleet.map(({ id }) => id)
    const { seconds, done, polls } = await upgrade(
      context,
      `http://127.0.0.1:${ports.http}/api`,
      admin.username,
      ids,
      made.id,
    )
    const after = await count(context)
    const missed = fleet.filter(({ sn }) => sim.device(sn).firmware !== '99.0').length
    const file = join(dir, 'file')
    writeFileSync(file, content)
    const plain = await plainDownloads(file, options.devices, TASK_MAX_ACTIVE)
    const each = (value: number) => Number((value / options.devices).toFixed(2))
    return {
      devices: options.devices,
      done,
      notUpgraded: missed,
      packageBytes: content.length,
      wallSeconds: Number(seconds.toFixed(1)),
      devicesPerSecond: Math.round(options.devices / seconds),
      plainDownloadSeconds: Number(plain.toFixed(1)),
      ratioToPlainDownload: Number((seconds / plain).toFixed(1)),
      queueJobsPerDevice: each(after.jobs - before.jobs),
      sqlStatementsPerDevice: each(after.statements - before.statements - polls),
      ofTheseByTheQueue: each(after.queueStatements - before.queueStatements),
      countedBy: 'pg_stat_statements, top level, all processes',
    }
  } finally {
    await sim.close()
  }
}

export async function run(
  over: Partial<Options> = {},
): Promise<{ name: string; figures: Record<string, number | string> }> {
  const options: Options = { devices: 1000, packageBytes: 65_536, ...over }
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
  }
  const context = openContext('bench', readEnv({ ...env, LOG_LEVEL: 'error' }), postgres.url)
  try {
    await migrateDatabase(postgres.url)
    await context.sql`create extension pg_stat_statements`
    for (const room of ['broker', 'workers', 'api'])
      children.push(await startChild(`${room}/main.ts`, env, ports.mqtt))
    return { name: 'upgrade', figures: await measure(context, dir, ports, options) }
  } finally {
    await Promise.all(children.map((child) => child.stop()))
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { devices: { type: 'string' }, 'package-bytes': { type: 'string' } },
  })
  const figures = await run({
    ...(values.devices && { devices: Number(values.devices) }),
    ...(values['package-bytes'] && { packageBytes: Number(values['package-bytes']) }),
  })
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  process.exit(0)
}
