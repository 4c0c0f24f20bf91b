/**
 * An upgrade of 1,000 simulated devices that flash at once: wall time, processor time, queue jobs and SQL statements per
 * device, with broker, api and workers as separate processes over a durable database. The baselines, in the same run: the
 * same file downloaded as often, with the same concurrency, from a plain HTTP server; once with fetch, once by the code of the
 * simulated devices, which opens a connection for each download and computes both hashes.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { download } from '#device-sim/download'
import { startDeviceSim } from '#device-sim/start'
import { startWheel, type Wheel } from '#device-sim/wheel'
import type { Context } from '#infra/context'
import { TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { addDevices, addPackage, seedTenants, simulated, TEST_PASSWORD } from '#test/tenants'
import { count, onPlatform, type Platform, type Spent } from './counted-platform.ts'

type Options = { devices: number; packageBytes: number }

async function fetchWhole(url: string): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
}

/** As the simulated devices download (device-sim/fetch-package.ts), without a device. */
async function asDevice(url: string, sizeBytes: number, wheel: Wheel): Promise<void> {
  const never = new AbortController().signal
  await download({
    url,
    username: 'sn',
    password: 'password',
    sizeBytes,
    keptBytes: 4096,
    wheel,
    signal: never,
    connectMs: 60_000,
    stallMs: 60_000,
    retryPauseMs: 1_000,
    until: Number.POSITIVE_INFINITY,
    now: () => 0,
    chance: () => 0,
    paceMs: 0,
    network: () => Promise.resolve(),
    lost: () => never,
    onConnected: () => undefined,
    onBytes: () => undefined,
    onHeldUp: ({ detail }) => {
      throw new Error(detail)
    },
  })
}

/** Seconds for `times` downloads, `atOnce` at a time, from a server that only reads the file. */
async function plainDownloads(
  file: string,
  fetchOne: (url: string) => Promise<void>,
  { times, atOnce }: { times: number; atOnce: number },
): Promise<number> {
  const server = createServer((_, reply) => createReadStream(file).pipe(reply))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const start = performance.now()
  let begun = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (begun++ < times) await fetchOne(url)
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

async function measure({ context, dir, ports, spent }: Platform, options: Options) {
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
    ...simulated(fleet),
    faults: {},
    speed: 1000,
    log: context.log,
  })
  try {
    await sim.whenOnline(120_000)
    await sleep(3000)
    const before = await count(context)
    const spentBefore = spent()
    const ids = fleet.map(({ id }) => id)
    const { seconds, done, polls } = await upgrade(
      context,
      `http://127.0.0.1:${ports.http}/api`,
      admin.username,
      ids,
      made.id,
    )
    const spentAfter = spent()
    const after = await count(context)
    const missed = fleet.filter(({ sn }) => sim.device(sn).firmware !== '99.0').length
    const file = join(dir, 'file')
    writeFileSync(file, content)
    const often = { times: options.devices, atOnce: TASK_MAX_ACTIVE }
    const plain = await plainDownloads(file, fetchWhole, often)
    const wheel = startWheel()
    const ownWay = await plainDownloads(file, (url) => asDevice(url, content.length, wheel), often)
    wheel.close()
    const processorMs = Object.entries(spentAfter).map(([name, seconds]) => [
      `processorMsPerDevice.${name}`,
      Number((((seconds - spentBefore[name as keyof Spent]) * 1000) / options.devices).toFixed(2)),
    ])
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
      plainDownloadByDevicesSeconds: Number(ownWay.toFixed(1)),
      ...(Object.fromEntries(processorMs) as Record<string, number>),
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
  return { name: 'upgrade', figures: await onPlatform((platform) => measure(platform, options)) }
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
