/** Notes what happens in the pages of a test, and shows it when the test fails: its error names only what it waited for. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page, Request } from '@playwright/test'

/** Two cores may be busy with other tests, or stand still for a while; anything slower than this is stuck. */
export const PATIENCE_MS = 60_000

/** The page of a failed test may be what is stuck. */
const LOOK_MS = 5_000
const TEXT_MAX = 1_500
const NOTES_MAX = 30
const NOTE_MAX = 300

const results = fileURLToPath(new URL('../../test-results/', import.meta.url))

/** Where a screenshot is stored for people to look at. */
export function picturePath(folder: string, name: string): string {
  mkdirSync(join(results, folder), { recursive: true })
  return join(results, folder, `${name.replace(/[^\w-]+/g, '-')}.png`)
}

type Seen = { open: Set<Request>; notes: string[] }

const browsers = new Set<Browser>()
const seenOf = new WeakMap<Page, Seen>()

/** Requests of a page that have no reply yet; those that never get one are left out. */
export const openRequests = (page: Page): ReadonlySet<Request> => seenOf.get(page)?.open ?? new Set()

function watchPage(page: Page): void {
  const open = new Set<Request>()
  const notes: string[] = []
  const note = (text: string) => {
    notes.push(text.slice(0, NOTE_MAX))
    if (notes.length > NOTES_MAX) notes.shift()
  }
  seenOf.set(page, { open, notes })
  page.on('request', (request) => {
    if (!['eventsource', 'ping'].includes(request.resourceType())) open.add(request)
  })
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => {
    open.delete(request)
    note(`${request.method()} ${request.url()} failed: ${request.failure()?.errorText}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400)
      note(`${response.request().method()} ${response.url()} answered ${response.status()}`)
  })
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => note(`script: ${error.stack ?? error}`))
  page.on('crash', () => note('the page crashed'))
}

function watchContext(context: BrowserContext): void {
  context.setDefaultTimeout(PATIENCE_MS)
  context.on('page', watchPage)
}

/** All its contexts and pages, whoever opens them, have the patience of tests, and are shown when a test fails. */
export function watchBrowser(browser: Browser): Browser {
  browsers.add(browser)
  browser.on('disconnected', () => browsers.delete(browser))
  browser.on('context', watchContext)
  return browser
}

const within = <T>(asked: Promise<T>): Promise<T | undefined> =>
  Promise.race([
    asked.catch(() => undefined),
    new Promise<undefined>((late) => setTimeout(late, LOOK_MS, undefined)),
  ])

async function told(page: Page): Promise<string> {
  const text = await within(page.evaluate(() => document.body.innerText))
  const { notes = [], open = [] } = seenOf.get(page) ?? {}
  return [
    `The page at ${page.url()} showed:`,
    text === undefined ? '(it did not answer)' : text.replace(/\s*\n\s*/g, ' | ').slice(0, TEXT_MAX),
    ...notes,
    ...[...open].map((request) => `${request.method()} ${request.url()} is not finished`),
  ].join('\n  ')
}

type Tried = { name: string; result?: { state: string; errors?: { message: string }[] } }

/** After each test: of one that failed, the message says what all pages show, and test-results/failed has their screenshots. */
export async function tellFailure(task: Tried): Promise<void> {
  const pages = [...browsers].flatMap((browser) => browser.contexts().flatMap((one) => one.pages()))
  // Of this try: the errors of the tries before stay in the list.
  const error = task.result?.state === 'fail' ? task.result.errors?.at(-1) : undefined
  if (error)
    for (const [i, page] of pages.entries()) {
      error.message += `\n${await told(page)}`
      const path = picturePath('failed', pages.length > 1 ? `${task.name} ${i + 1}` : task.name)
      await within(page.screenshot({ path, timeout: LOOK_MS }))
    }
  for (const page of pages) seenOf.get(page)?.notes.splice(0)
}
