/** A real browser with the built console. Without Chromium these tests are skipped with a message. */
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { buildConsole } from '#launch/web-build'
import type { Language } from '#schema/kit/refusal'
import { watchValues } from '#schema/monitor/live-values'
import { until } from '../walks/until.ts'
import { browserProgram } from './browser-program.ts'
import { openRequests, PATIENCE_MS, picturePath, watchBrowser } from './watched-browser.ts'

export const noBrowser = browserProgram === undefined
if (noBrowser)
  console.warn('\n*** SKIPPED: browser tests (no Chromium: apt-get install chromium-headless-shell) ***\n')

/** Test files run in parallel, and a build empties the folder that another one is being served from. One per working copy. */
const LOCK = fileURLToPath(new URL('../../node_modules/.console-build.lock', import.meta.url))
const LOCK_STALE_MS = 120_000
/** A build on a busy machine takes minutes: meanwhile its lock is not stale. */
const LOCK_TOUCH_MS = 10_000

function takeLock(): boolean {
  try {
    mkdirSync(LOCK)
    return true
  } catch {
    // Held by another file, or left by a killed one.
    if (existsSync(LOCK) && Date.now() - statSync(LOCK).mtimeMs > LOCK_STALE_MS)
      rmSync(LOCK, { recursive: true, force: true })
    return false
  }
}

/** Call before the API starts, which reads the files once. */
export async function readyConsole(): Promise<void> {
  await until('the console can be built', takeLock, LOCK_STALE_MS * 2, 200)
  const touch = setInterval(() => utimesSync(LOCK, new Date(), new Date()), LOCK_TOUCH_MS)
  try {
    await buildConsole()
  } finally {
    clearInterval(touch)
    rmSync(LOCK, { recursive: true, force: true })
  }
}

/** This machine, but not one of the names that browsers trust without TLS. */
export const PLAIN_HOST = 'plain.test'

export const launchBrowser = async (): Promise<Browser> =>
  watchBrowser(
    await chromium.launch({
      executablePath: browserProgram,
      args: [
        '--no-sandbox',
        `--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`,
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    }),
  )

export const SIZES = {
  wide: { width: 1440, height: 900 },
  laptop: { width: 1200, height: 900 },
  middle: { width: 1024, height: 768 },
  tablet: { width: 768, height: 900 },
  narrow: { width: 390, height: 844 },
} as const
export type Theme = 'light' | 'dark'

export type Opened = {
  context: BrowserContext
  page: Page
  /** Errors of the console and of scripts since the last `forget`. */
  errors: string[]
  forget(): void
  /** As after a login; opening /login ends it. */
  carry(token: string): Promise<void>
}

type Appearance = { language?: Language; theme?: Theme; size?: keyof typeof SIZES; touch?: boolean }

/**
 * A page with an open stream is never idle, and so would never be settled: its values are polled, as when there are too
 * many streams. The page refuses them itself: a context whose requests are intercepted has no HTTP cache, so each load
 * fetched and compiled every file of the console, for a fifth of the processor time of a test.
 */
const refuseStreams = (context: BrowserContext) =>
  context.addInitScript((path) => {
    // Sandboxed frames have no cookies.
    if (origin !== 'null' && document.cookie.includes('streams=allowed')) return
    const { fetch } = window
    window.fetch = async (input, init) =>
      input === path ? Response.json({ code: 429, data: null, message: '' }) : fetch(input, init)
  }, watchValues.path)

/** From the next load on, until the next `openAgain` or `forbidStreams`. */
export const allowStreams = (context: BrowserContext, url: string) =>
  context.addCookies([{ name: 'streams', value: 'allowed', url }])
export const forbidStreams = (context: BrowserContext) => context.clearCookies({ name: 'streams' })

type Noted = Map<number, { run: () => void; everyMs: number }>

/** `passTime` runs them. */
const noteIntervals = (context: BrowserContext) =>
  context.addInitScript(() => {
    const { setInterval, clearInterval } = window
    const noted: Noted = new Map()
    const begin = (run: (...given: unknown[]) => void, everyMs = 0, ...given: unknown[]) => {
      const id = setInterval(run, everyMs, ...given)
      noted.set(id, { run: () => run(...given), everyMs })
      return id
    }
    const end = (id: number | undefined) => {
      if (id !== undefined) noted.delete(id)
      clearInterval(id)
    }
    Object.assign(window, { setInterval: begin, clearInterval: end, noted })
  })

/**
 * As if so much time had passed: whatever the page does at intervals that are not longer, it does once, now. A test that
 * has changed something calls it, instead of waiting until the page asks for changes.
 */
export const passTime = (page: Page, seconds: number) =>
  page.evaluate((ms) => {
    const { noted } = window as unknown as { noted: Noted }
    for (const { run, everyMs } of [...noted.values()]) if (everyMs <= ms) run()
  }, seconds * 1000)

/** A new browser context (storage, cookies) in one language and colour scheme. */
export async function openPage(browser: Browser, url: string, as: Appearance = {}): Promise<Opened> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: SIZES[as.size ?? 'wide'],
    reducedMotion: 'reduce',
    hasTouch: as.touch ?? false,
  })
  await refuseStreams(context)
  await noteIntervals(context)
  return openIn(context, url, as)
}

/**
 * The same window for the next test: other pages closed, storage cleared. The console's files stay in its cache;
 * loading and compiling them again takes more than a second of processor time.
 */
export async function openAgain({ context }: Opened, url: string, as: Appearance): Promise<Opened> {
  for (const page of context.pages()) await page.close()
  await context.clearCookies()
  return openIn(context, url, as)
}

async function openIn(context: BrowserContext, url: string, as: Appearance): Promise<Opened> {
  if (as.theme) await context.addCookies([{ name: 'theme', value: as.theme, url }])
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('pageerror', (error) => errors.push(String(error)))
  if (as.language) {
    // Once, not at each load: a test must be able to see that the choice is kept.
    await page.goto('/logo.svg')
    await page.evaluate((language) => {
      localStorage.clear()
      localStorage.setItem('I18n', language)
    }, as.language)
  }
  return {
    context,
    page,
    errors,
    forget: () => errors.splice(0),
    carry: (token) => context.addCookies([{ name: 'token', value: token, url }]),
  }
}

/**
 * No request is open, and none follows from the replies: the page has had time to render them, twice (timers wait while
 * it computes; idle callbacks were seen to stop a headless browser's frames). The browser's own
 * "network idle" waits half a second each time, of which a run of all tests has a thousand.
 */
async function quiet(page: Page): Promise<void> {
  const open = openRequests(page)
  const rendered = () =>
    page.evaluate(() => new Promise<void>((done) => setTimeout(() => setTimeout(done, 40), 40)))
  const isQuiet = async () => {
    if (open.size > 0) return false
    await rendered()
    return open.size === 0
  }
  await until('no request is open', isQuiet, PATIENCE_MS, 10)
}

/** Loaded and rendered, without skeletons. */
export async function settled(page: Page): Promise<void> {
  // Pages kept alive keep their headings, hidden.
  await page.locator('h1:visible').first().waitFor()
  await quiet(page)
  // A page that was left while it loaded stays so, hidden, until the user returns to it.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[aria-busy="true"]')].every((one) => !one.checkVisibility()),
  )
  await page.evaluate(() => document.fonts.ready)
}

/**
 * Closes the open dialog with Escape. It gets the focus shortly after it is shown: until then the key would be for what
 * had it before, such as an item of the menu that opened the dialog, which keeps it from the dialog.
 */
export async function escapeDialog(page: Page): Promise<void> {
  await page.waitForFunction(() => document.activeElement?.closest('[role="dialog"]') !== null)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

/** With PICTURES=1 only: two thousand take ten minutes. Waits until a new size or colour is rendered in any case. */
export async function picture(page: Page, folder: string, name: string): Promise<void> {
  if (process.env['PICTURES']) await page.screenshot({ path: picturePath(folder, name) })
  else
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
}
