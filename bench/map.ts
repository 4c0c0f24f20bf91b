/** The map of 100,000 devices: response times on the server, and the cost of drawing in the browser. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildServer } from '#api/server'
import { type Context, openContext } from '#infra/context'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { buildConsole } from '#launch/web-build'
import { browserProgram } from '#test/browser/browser-program'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'

const DEVICES = 100_000
const ROUNDS = 10

/** Around thirty towns, some at the same position, every twentieth without one. */
async function seedDevices({ sql }: Context, customerId: number, groupId: number): Promise<void> {
  await sql`
    insert into devices (customer_id, group_id, sn, name, address, longitude, latitude)
    select ${customerId}, ${groupId}, 'MAP-' || n, 'Kiosk ' || n, 'Street ' || n,
      case when n % 20 = 0 then null else 80 + (n % 30) * 1.8 + (random() - 0.5) * 3 end,
      case when n % 20 = 0 then null else 22 + (n * 7 % 30) * 0.8 + (random() - 0.5) * 3 end
    from generate_series(1, ${DEVICES}) n`
  await sql`
    insert into device_states (device_id, online) select id, id % 10 < 8 from devices on conflict (device_id) do nothing`
  await sql`vacuum analyze`
}

const median = (values: number[]) => Math.round([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0)

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    await ask()
    took.push(performance.now() - start)
  }
  return median(took)
}

type Traced = {
  name: string
  ts: number
  tdur?: number
  pid: number
  tid: number
  args: { name?: string; data?: { url?: string } }
}

/**
 * The longest task of the page's main thread since it requested the map, in processor time, so that other load does
 * not count.
 */
function longestTask(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Traced[] }
  const asked = traceEvents.find(
    ({ name, args }) => name === 'ResourceSendRequest' && args.data?.url?.includes('getDeviceMap'),
  )
  if (!asked) throw new Error('the page never asked for the map')
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ts }) =>
      name.endsWith('RunTask') && pid === asked.pid && tid === asked.tid && ts >= asked.ts,
  )
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000))
}

/** Loads the home page as a user would, and zooms in: each step queries the worker again. */
async function draw(url: string, token: string): Promise<Record<string, number>> {
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch({ executablePath: browserProgram, args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: 'token', value: token, url }])
    const page = await context.newPage()
    await page.addInitScript(() => {
      const seen = { points: 0, marks: 0 }
      Object.assign(globalThis, { seen })
      const real = globalThis.fetch
      globalThis.fetch = async (...given) => {
        const answer = await real(...given)
        if (String(given[0]).includes('getDeviceMap')) seen.points = performance.now()
        return answer
      }
      new MutationObserver(() => {
        if (seen.marks === 0 && document.querySelector('.leaflet-marker-icon')) seen.marks = performance.now()
      }).observe(document, { childList: true, subtree: true })
    })
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
    // The map is loaded when it comes into view; a link with a place scrolls to it.
    await page.goto('/dashboard?map=34,105,4')
    await page.locator('.leaflet-marker-icon').first().waitFor({ timeout: 60_000 })
    for (let step = 0; step < 4; step++) {
      await page.locator('.leaflet-control-zoom-in').click()
      await page.waitForTimeout(700)
    }
    const trace = await browser.stopTracing()
    const seen = await page.evaluate(
      () => (globalThis as unknown as { seen: { points: number; marks: number } }).seen,
    )
    return {
      'from answer to markers, ms': Math.round(seen.marks - seen.points),
      'longest task of the page since it asked, processor ms': Math.round(longestTask(trace)),
    }
  } finally {
    await browser.close()
  }
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  await migrateDatabase(postgres.url)
  const env = readEnv({
    NODE_ENV: 'production',
    JWT_SECRET: 'bench-'.repeat(8),
    DATA_DIR: dir,
    LOG_LEVEL: 'silent',
    HTTP_PORT: String(await freePort()),
    SSH_PORT: '0',
  })
  const context = openContext('api', env, postgres.url)
  if (browserProgram) await buildConsole()
  const app = await buildServer(context)
  try {
    const { a } = await seedTenants(context)
    await seedDevices(context, a.customerId, a.groups.root)
    await app.listen({ host: '127.0.0.1', port: env.HTTP_PORT })
    const url = `http://127.0.0.1:${env.HTTP_PORT}`
    const login = await fetch(`${url}/api/userLogin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: a.admin.username, password: TEST_PASSWORD }),
    })
    const { token } = ((await login.json()) as { data: { token: string } }).data
    const get = (headers: Record<string, string> = {}) =>
      app.inject({ method: 'GET', url: '/api/device/getDeviceMap', headers: { token, ...headers } })
    const rows = () =>
      app.inject({ method: 'POST', url: '/api/device/getDeviceAddressList', headers: { token }, payload: {} })
    const first = await get()
    const etag = String(first.headers['etag'])
    const plain = (await rows()).body
    return {
      name: 'map of 100,000 devices',
      figures: {
        devices: DEVICES,
        'columns, p50 ms': await timed(() => get()),
        'columns unchanged (304), p50 ms': await timed(() => get({ 'if-none-match': etag })),
        "the specification's rows, p50 ms": await timed(rows),
        'columns, KiB': Math.round(first.body.length / 1024),
        'columns gzipped, KiB': Math.round(gzipSync(first.body).length / 1024),
        "the specification's rows, KiB": Math.round(plain.length / 1024),
        ...(browserProgram ? await draw(url, token) : { browser: 'not installed' }),
      },
    }
  } finally {
    await app.close()
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
