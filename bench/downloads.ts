/**
 * Response times of the console while 400 devices start to download 2 MB each from the API process: the slowest
 * responses to a list and a login requested ten times a second, compared with the same calls at rest. The devices are
 * a separate process: their work is not the platform's.
 */
import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Context, openContext } from '#infra/context'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { downloadPassword, downloadSignature } from '#infra/secrets'
import { addDevices, addPackage, seedTenants, TEST_PASSWORD } from '#test/tenants'
import { startChild } from './bench-fleet.ts'

const DEVICES = 400
const PACKAGE_BYTES = 2_000_000
const REST_MS = 5_000
const PROBE_EVERY_MS = 100

type Link = { url: string; authorization: string }

/** One device: downloads the whole file as fast as it arrives. */
const download = ({ url, authorization }: Link, agent: Agent) =>
  new Promise<number>((done, fail) => {
    get(url, { agent, headers: { authorization } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('end', () =>
        answer.statusCode === 200 && bytes === PACKAGE_BYTES
          ? done(bytes)
          : fail(new Error(`${answer.statusCode}: ${bytes} bytes`)),
      )
      answer.on('error', fail)
    }).on('error', fail)
  })

/** The process of the devices. */
async function beDevices(links: readonly Link[]): Promise<void> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })
  await Promise.all(links.map((link) => download(link, agent)))
  process.send?.('done')
}

/** Sends requests as long as `goesOn`, at fixed intervals, even if the previous one has not completed. */
async function probe(ask: () => Promise<void>, goesOn: () => boolean): Promise<number[]> {
  const took: number[] = []
  const asked: Promise<void>[] = []
  while (goesOn()) {
    const start = performance.now()
    asked.push(ask().then(() => void took.push(performance.now() - start)))
    await sleep(PROBE_EVERY_MS)
  }
  await Promise.all(asked)
  return took.sort((a, b) => a - b)
}
const at = (sorted: readonly number[], part: number) =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)

async function post(url: string, body: object, token = ''): Promise<{ token: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  })
  const { code, data, message } = (await answer.json()) as {
    code: number
    data: { token: string }
    message: string
  }
  if (code !== 0) throw new Error(`${url}: ${message}`)
  return data
}

async function offered(context: Context, api: string) {
  const { a } = await seedTenants(context)
  const fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'DOWN-', DEVICES)
  const content = randomBytes(PACKAGE_BYTES)
  const made = await addPackage(context, { customerId: null, model: 'R200', version: '9', content })
  const [task] = await context.sql<{ id: number }[]>`
    insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes)
    values ('upgrade', ${a.customerId}, 'T', ${made.id}, 'P', 'upgrade', 'R200', '9', ${made.sizeBytes}, ${made.sha256}, ${made.md5}, true, now(), 15) returning id`
  const items = fleet.map(({ id, sn }) => ({ id: randomUUID(), device: id, sn }))
  await context.sql`
    insert into task_items (id, task_id, device_id, customer_id, step, deadline_at)
    select i.id, ${task?.id ?? 0}, i.device, ${a.customerId}, 'sent', now() + interval '1 hour'
    from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ device }) => device)}::int[]) as i(id, device)`
  const expires = Date.now() + 3_600_000
  const secret = context.env.JWT_SECRET
  const links = items.map(
    ({ id, sn }): Link => ({
      url: `${api}/files/${id}?expires=${expires}&sig=${downloadSignature(secret, id, sn, expires)}`,
      authorization: `Basic ${Buffer.from(`${sn}:${downloadPassword(secret, id)}`).toString('base64')}`,
    }),
  )
  return { links, username: a.admin.username }
}

async function measure(context: Context, api: string) {
  const { links, username } = await offered(context, api)
  const login = () => post(`${api}/api/userLogin`, { username, password: TEST_PASSWORD })
  const { token } = await login()
  const list = async () => {
    await post(`${api}/api/device/getDeviceList`, { offset: 1, limit: 10 }, token)
  }
  await probe(
    list,
    (
      (until) => () =>
        Date.now() < until
    )(Date.now() + 1000),
  )
  const rest = await probe(
    list,
    (
      (until) => () =>
        Date.now() < until
    )(Date.now() + REST_MS),
  )
  let running = true
  const start = performance.now()
  const devices = fork(fileURLToPath(import.meta.url), ['devices'])
  devices.send(links)
  const ended = new Promise<void>((done, fail) => {
    devices.once('exit', (code) => (code === 0 ? done() : fail(new Error('a download failed'))))
  }).finally(() => {
    running = false
  })
  const [busy, slowestLogin] = await Promise.all([
    probe(list, () => running),
    (async () => {
      const from = performance.now()
      await login()
      return performance.now() - from
    })(),
    ended,
  ])
  return {
    devices: DEVICES,
    packageBytes: PACKAGE_BYTES,
    downloadSeconds: Number(((performance.now() - start) / 1000).toFixed(1)),
    listAtRestP95Ms: at(rest, 0.95),
    listP50Ms: at(busy, 0.5),
    listP95Ms: at(busy, 0.95),
    listSlowestMs: at(busy, 1),
    loginMs: Math.round(slowestLogin),
  }
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  const http = await freePort()
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dir,
    JWT_SECRET: 'bench-'.repeat(8),
    HTTP_PORT: String(http),
    SSH_PORT: '0',
    HTTP_HOST: '127.0.0.1',
  }
  const context = openContext('bench', readEnv({ ...env, LOG_LEVEL: 'error' }), postgres.url)
  try {
    await migrateDatabase(postgres.url)
    const child = await startChild('api/main.ts', env)
    try {
      return { name: 'console during downloads', figures: await measure(context, `http://127.0.0.1:${http}`) }
    } finally {
      await child.stop()
    }
  } finally {
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (process.argv[2] === 'devices')
  process.once('message', (links) => void beDevices(links as Link[]).then(() => process.exit(0)))
else if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
