/**
 * Deep links into the console with an empty browser cache, on this machine as it is. Then loading times on a slow connection and a slow machine (1.6 Mbit/s, 150 ms, a processor four times slower): LCP of
 * the login page compared with a bare HTML page of the same server; LCP, CLS and INP of the device list and
 * of a device's page in use.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { buildServer } from '#api/server'
import { openContext } from '#infra/context'
import { freePort, startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { buildConsole } from '#launch/web-build'
import { alarmScreen } from '#schema/alarm/alarm'
import { deviceListScreen } from '#schema/device/device-pages'
import { homeScreen } from '#schema/people/session'
import { browserProgram } from '#test/browser/browser-program'
import { addDevices, seedTenants, TEST_PASSWORD } from '#test/tenants'

const DEVICES = 1_000
const ROUNDS = 3
const DEEP_ROUNDS = 7
const ALARMS = 40
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
}
const SLOWER = 4
/** Time to wait after the last paint or key. */
const SETTLE_MS = 1_500
/** Good values at the 75th percentile of real visits, stricter for the first paint. */
const TARGETS = { lcpMs: 1_800, inpMs: 200, cls: 0.1, deepMs: 600 } as const

type Vitals = { lcp: number; cls: number; inp: number }

const middle = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Runs in the page before anything else. */
function watchVitals(): void {
  const seen = { lcp: 0, cls: 0, inp: 0 }
  Object.assign(globalThis, { seen })
  const watch = (type: string, of: (entry: never) => void, more = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) of(entry as never)
    }).observe({ type, buffered: true, ...more })
  watch('largest-contentful-paint', (entry: PerformanceEntry) => {
    seen.lcp = entry.startTime
  })
  watch('layout-shift', (entry: PerformanceEntry & { value: number; hadRecentInput: boolean }) => {
    if (!entry.hadRecentInput) seen.cls += entry.value
  })
  watch(
    'event',
    (entry: PerformanceEntry & { interactionId?: number }) => {
      if (entry.interactionId) seen.inp = Math.max(seen.inp, entry.duration)
    },
    { durationThreshold: 16 },
  )
}

type Visit = { url: string; path: string; token?: string; shown: string; use?: (page: Page) => Promise<void> }

/** One first visit with an empty browser cache. */
async function visit(browser: Browser, { url, path, token, shown, use }: Visit): Promise<Vitals> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  try {
    if (token) await context.addCookies([{ name: 'token', value: token, url }])
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', LINE)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await page.addInitScript(watchVitals)
    await page.goto(path)
    await page.locator(shown).first().waitFor({ timeout: 60_000 })
    await page.waitForTimeout(SETTLE_MS)
    if (use) {
      await use(page)
      await page.waitForTimeout(SETTLE_MS)
    }
    return await page.evaluate(() => (globalThis as unknown as { seen: Vitals }).seen)
  } finally {
    await context.close()
  }
}

/** Notes when the selector first matches, at the next frame. */
function watchShown(selector: string): void {
  const watcher = new MutationObserver(() => {
    if (!document.querySelector(selector)) return
    watcher.disconnect()
    requestAnimationFrame(() => Object.assign(globalThis, { shownMs: performance.now() }))
  })
  watcher.observe(document, { childList: true, subtree: true })
}

/** From the navigation to the data on the page, with an empty cache; the median. */
async function deepLink(browser: Browser, { url, path, token = '', shown }: Visit): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < DEEP_ROUNDS; round++) {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: 'token', value: token, url }])
    const page = await context.newPage()
    await page.addInitScript(watchShown, shown)
    await page.goto(path)
    const found = await page.waitForFunction(() => (globalThis as { shownMs?: number }).shownMs)
    took.push(Number(await found.jsonValue()))
    await context.close()
  }
  return Math.round(middle(took))
}

const medians = async (one: () => Promise<Vitals>): Promise<Vitals> => {
  const all: Vitals[] = []
  for (let round = 0; round < ROUNDS; round++) all.push(await one())
  return {
    lcp: Math.round(middle(all.map(({ lcp }) => lcp))),
    cls: Math.round(1000 * middle(all.map(({ cls }) => cls))) / 1000,
    inp: Math.round(middle(all.map(({ inp }) => inp))),
  }
}

/** Sorts, turns a page, searches and opens a device's menu. */
async function useList(page: Page): Promise<void> {
  const pause = () => page.waitForTimeout(SETTLE_MS)
  await page.locator('thead th').nth(2).click()
  await pause()
  await page.locator('tbody input[type=checkbox]').first().click()
  await pause()
  await page.locator('tbody input[type=checkbox]').first().click()
  await page.locator('.mantine-Pagination-control').filter({ hasText: '2' }).first().click()
  await pause()
  await page.locator('input[type=search], input[placeholder]').first().pressSequentially('00', { delay: 80 })
  await pause()
}

/** Opens each tab of a device's page. */
async function useDetail(page: Page): Promise<void> {
  const tabs = page.getByRole('tab')
  for (let i = 0; i < (await tabs.count()); i++) {
    await tabs.nth(i).click()
    await page.waitForTimeout(SETTLE_MS)
  }
}

async function measure(
  url: string,
  token: string,
  deviceId: number,
): Promise<Record<string, number | string>> {
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch({
    executablePath: browserProgram,
    args: ['--no-sandbox', '--disable-quic'],
  })
  try {
    const detailPath = `/device/particulars/0/${deviceId}`
    const deep: Record<string, number> = {}
    for (const [name, path, shown] of [
      ['alarms', alarmScreen.path, '[id^=alarm-]'],
      ['device list', deviceListScreen.path, 'tbody tr a'],
      ['device detail', detailPath, '[role=tabpanel] dl'],
      ['home', homeScreen.path, 'section a[href*=alarmMsg]'],
    ] as const)
      deep[name] = await deepLink(browser, { url, path, token, shown })
    if (process.env['BENCH_ONLY'] === 'deep') return deep
    const bare = await medians(() => visit(browser, { url, path: '/images/bench-bare', shown: 'h1' }))
    const login = await medians(() => visit(browser, { url, path: '/login', shown: 'input[type=password]' }))
    const list = await medians(() =>
      visit(browser, { url, path: '/device/devicelist', token, shown: 'tbody tr a', use: useList }),
    )
    const detail = await medians(() =>
      visit(browser, { url, path: detailPath, token, shown: '[role=tab]', use: useDetail }),
    )
    return {
      ...Object.fromEntries(
        Object.entries(deep).map(([name, ms]) => [`${name}, cold deep link to its data ms`, ms]),
      ),
      'cold deep link target ms': TARGETS.deepMs,
      'bare page, LCP ms': bare.lcp,
      'login page, LCP ms': login.lcp,
      'login page, LCP target ms': TARGETS.lcpMs,
      'login page, to the bare page': Math.round((10 * login.lcp) / Math.max(1, bare.lcp)) / 10,
      'login page, CLS': login.cls,
      'device list, first visit, LCP ms': list.lcp,
      'device list, CLS': list.cls,
      'CLS target': TARGETS.cls,
      'device list, slowest interaction (INP) ms': list.inp,
      'device detail, slowest interaction (INP) ms': detail.inp,
      'INP target ms': TARGETS.inpMs,
      verdict:
        [
          ...(login.lcp > TARGETS.lcpMs ? ['LCP of the login page'] : []),
          ...(Math.max(login.cls, list.cls) > TARGETS.cls ? ['CLS'] : []),
          ...(Math.max(list.inp, detail.inp) > TARGETS.inpMs ? ['INP'] : []),
          ...(Math.max(...Object.values(deep)) > TARGETS.deepMs ? ['a cold deep link'] : []),
        ]
          .map((name) => `${name} ABOVE its target`)
          .join('; ') || 'all within their targets',
    }
  } finally {
    await browser.close()
  }
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const name = 'login page and device list on a slow line and a slow machine'
  if (!browserProgram) return { name, figures: { browser: 'not installed' } }
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
  await buildConsole()
  const app = await buildServer(context)
  try {
    app.get('/images/bench-bare', (_, reply) =>
      reply.type('text/html').send('<!doctype html><title>bare</title><h1>Log in</h1><p>Nothing else.</p>'),
    )
    const { a } = await seedTenants(context)
    const [device] = await addDevices(context.sql, a.customerId, a.groups.root, 'VIT-', DEVICES)
    await context.sql`
      insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
      select ${a.customerId}::int, 'Offline', 'offline', 'major', ${device?.id ?? 0}::int, 'VIT', 'Kiosk ' || i, ${a.groups.root}::int, 'Default', now(), now()
      from generate_series(1, ${ALARMS}::int) i`
    await app.listen({ host: '127.0.0.1', port: env.HTTP_PORT })
    const url = `http://127.0.0.1:${env.HTTP_PORT}`
    const login = await fetch(`${url}/api/userLogin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: a.admin.username, password: TEST_PASSWORD }),
    })
    const { token } = ((await login.json()) as { data: { token: string } }).data
    return { name, figures: await measure(url, token, device?.id ?? 0) }
  } finally {
    await app.close()
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
