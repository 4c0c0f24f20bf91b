/**
 * Every declared screen in each language and colour scheme, from desktop to phone width: rendered, readable,
 * accessible, and no content overflows or overlaps.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { type Language, languages } from '#schema/kit/refusal'
import { isScreen } from '#schema/kit/screen'
import type { Booted } from '../boot.ts'
import { crowded } from './crowded.ts'
import { type Furnished, furnishedConsole } from './furnished-console.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  picture,
  readyConsole,
  SIZES,
  settled,
  type Theme,
} from './open-browser.ts'
import { foreign, rawKeys, textsOf } from './texts.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const screens = await gatherDeclared(isScreen)
/** They have no rows. */
const ROWLESS = new Set(['login', 'second-factor', 'dashboard'])

/** They end the session, or belong to none. */
const LOGINS = new Set(['login', 'second-factor'])

/** WCAG 2.2: what is pressed has 24 px, or as much room around it. */
const TARGETS = { 'target-size': { enabled: true } }

type Rules = { rules?: object; runOnly?: string[] }
type Look = { size: keyof typeof SIZES; theme: Theme; rules?: Rules }

/**
 * Everything is checked in the language with the longest texts: what fits in English fits in Chinese. The scheme
 * changes once, without reloading, as for a user whose system turns dark in the evening. Each page is checked for
 * contrast in both; of the other rules none depends on colours.
 */
const thorough = (first: Theme): Look[] => {
  const second = first === 'light' ? 'dark' : 'light'
  const contrast = { runOnly: ['color-contrast'] }
  return [
    { size: 'wide', theme: first, rules: { rules: TARGETS } },
    { size: 'laptop', theme: first },
    { size: 'middle', theme: first },
    { size: 'tablet', theme: first },
    { size: 'narrow', theme: first, rules: { rules: { ...TARGETS, 'color-contrast': { enabled: false } } } },
    { size: 'narrow', theme: second, rules: contrast },
    { size: 'wide', theme: second, rules: contrast },
  ]
}
/**
 * In the other languages, the texts. Each page is opened in one of the two, the next page in the other: they share the
 * layout, and that no text is missing in either is what test/locales.test.ts holds.
 */
const brief = (first: keyof typeof SIZES): Look[] => [
  { size: first, theme: 'light' },
  { size: first === 'wide' ? 'narrow' : 'wide', theme: 'light' },
]

/** With PICTURES=1: for people to look at, in windows that show the most of a long page. */
const TALL_PX = { wide: 1500, middle: 1500, narrow: 1900 }
type PicturedSize = keyof typeof TALL_PX
const pictured: Look[] = (Object.keys(TALL_PX) as PicturedSize[]).flatMap((size) => [
  { size, theme: 'light' as const },
  { size, theme: 'dark' as const },
])

type Axe = {
  run(options: object): Promise<{ violations: Violation[] }>
  _audit: { rules: { id: string; impact: string }[] }
}
type Violation = { id: string; impact: string | null; nodes: { target: unknown; failureSummary: string }[] }

/**
 * Accessibility: serious and critical violations, with the elements. What a rule finds has the rule's own impact, so those
 * of a lesser one, a third of the work, are not asked.
 */
async function violations({ page }: Opened, rules: Rules): Promise<string[]> {
  const found = await page.evaluate(
    async ({ rules, ...options }) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      const lesser = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
      const off = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]))
      return axe.run({ ...options, ...(options.runOnly ? {} : { rules: { ...off, ...rules } }) })
    },
    { resultTypes: ['violations'], ...rules },
  )
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
    )
}

/** Elements with a transition or animation, which this user does not want; one may follow the scrolling. */
const moving = (page: Page) =>
  page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => one instanceof CSSTransition || one instanceof CSSAnimation)
      .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline)
      .map(({ effect }) => (effect as KeyframeEffect).target?.className),
  )

let booted: Booted
let browser: Browser
let furnished: Furnished
type Window = { language: Language; opened: Opened }
let windows: Window[] = []
const english = () => windows.find(({ language }) => language === 'en-US')?.opened as Opened

type Address = { name: string; path: () => string; rows?: boolean; onlyEnglish?: boolean }

/** The screens, the tables of reports, and the drawers that a URL opens. */
const addresses: Address[] = [
  ...screens.map((screen) => ({
    name: screen.name,
    path: () => furnished.pathOf(screen),
    rows: !ROWLESS.has(screen.name),
  })),
  ...screens
    .filter(({ name }) => name.endsWith('-report'))
    .map((screen) => ({
      name: `${screen.name}-table`,
      path: () => `${furnished.pathOf(screen)}?table=true`,
      rows: true,
      onlyEnglish: true,
    })),
  { name: 'upgrade-wizard', path: () => '/task/upgrade?new=1&spId=1' },
  { name: 'package-upload', path: () => '/task/softwarepackage?upload=1' },
  ...['network', 'configuration', 'services', 'remote', 'history', 'logs'].map((tab) => ({
    name: `device-detail-${tab}`,
    path: () => `${furnished.devicePath}?tab=${tab}`,
    rows: tab === 'history',
  })),
  { name: 'alarm-rule-form', path: () => '/alarmMsg/warnconfiguration?open=new' },
  { name: 'alarm-channels', path: () => '/alarmMsg/warnconfiguration?open=channels' },
  { name: 'alarm-log', path: () => '/alarmMsg/warnconfiguration?open=log' },
  { name: 'alarm-maintenance', path: () => '/alarmMsg/warnconfiguration?open=maintenance' },
]

const languagesOf = ({ onlyEnglish }: Address, i: number): readonly Language[] => {
  if (onlyEnglish) return ['en-US']
  return process.env['PICTURES'] ? languages : ['en-US', i % 4 < 2 ? 'zh-CN' : 'zh-TW']
}

describe.skipIf(noBrowser)('every screen', () => {
  beforeAll(async () => {
    await readyConsole()
    furnished = await furnishedConsole()
    booted = furnished.booted
    browser = await launchBrowser()
    windows = await Promise.all(
      languages.map(async (language) => ({
        language,
        opened: await openPage(browser, booted.url, { language }),
      })),
    )
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  // The languages in parallel: a page mostly waits for the server. Each visit begins as the one before it ended: laying
  // a page out again in another size or scheme takes as long as checking it.
  it.each(
    addresses.map((address, i) => ({
      ...address,
      first: i % 2 ? ('dark' as const) : ('light' as const),
      read: languagesOf(address, i),
    })),
  )(
    '$name',
    async ({ first, read, ...address }) => {
      // If one fails, the others are awaited: the next test needs idle windows.
      const ends = await Promise.allSettled(
        windows
          .filter(({ language }) => read.includes(language))
          .map((window) => {
            if (process.env['PICTURES']) return visit(window, address, pictured)
            const english = window.language === 'en-US'
            return visit(
              window,
              address,
              english ? thorough(first) : brief(first === 'light' ? 'wide' : 'narrow'),
            )
          }),
      )
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
    process.env['PICTURES'] ? 600_000 : 120_000,
  )

  it('on a paused upgrade a cause is retried, and one device is cancelled', async () => {
    const { page } = english()
    const { sql } = furnished.booted.context
    const [task] = await sql<{ id: number }[]>`select id from tasks where pause_reason = 'failures' limit 1`
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(`/task/upgrade/${task?.id}`)
    await page.getByRole('button', { name: 'Retry 1: MD5 check failed' }).click()
    await page.getByText('it starts when the task is resumed').waitFor()
    await page.locator('tbody').getByText('MD5 check failed').waitFor({ state: 'detached' })
    expect(
      await sql`select step, attempt from task_items where task_id = ${task?.id ?? 0} and attempt = 2`,
    ).toEqual([{ step: 'created', attempt: 2 }])
    const row = page.locator('tbody tr').first()
    await row.getByRole('button', { name: 'Cancel this device' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel this device' }).click()
    await row.getByText('Cancelled').waitFor()
  })

  it('groups are removed from their n2n server', async () => {
    const { page } = english()
    const { sql } = furnished.booted.context
    await sql`update groups set n2n_server_id = (select id from n2n_servers where name = 'North')`
    await page.goto('/system/remoteservice')
    await page.getByRole('row', { name: /North/ }).getByRole('button', { name: 'Groups' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('checkbox', { name: 'Select this page' }).click()
    await drawer.getByRole('button', { name: /^Take off/ }).click()
    await drawer.getByText('Nothing here yet').waitFor()
    expect(await sql`select 1 from groups where n2n_server_id is not null`).toHaveLength(0)
  })
})

const SHOWN_MS = 15_000

/** As by a link of the console: without loading it again. Until the page is drawn, the one before it is shown, and looks settled. */
async function goOn(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.waitForFunction(
    (to) =>
      document.querySelector('nav, [role=navigation]') === null ||
      [...document.querySelectorAll('a[aria-current=page]')].some((one) => one.getAttribute('href') === to),
    path,
    { timeout: SHOWN_MS },
  )
}

async function visit({ language, opened }: Window, { name, path, rows }: Address, looks: Look[]) {
  const { page } = opened
  const english = language === 'en-US'
  await opened.carry(furnished.token)
  opened.forget()
  // English is loaded anew, as by a link in a mail; in the others the user navigates from page to page, except from a form,
  // which may ask whether to leave it.
  const isPlain = ![page.url(), path()].some((address) => /[?]|logo\.svg$/.test(address))
  if (isPlain && !english && !LOGINS.has(name)) await goOn(page, path())
  else await page.goto(path())
  if (english) await page.evaluate(axe)
  for (const { size, theme, rules } of looks) {
    await page.emulateMedia({ colorScheme: theme })
    const { width, height } = SIZES[size]
    await page.setViewportSize({
      width,
      height: process.env['PICTURES'] ? TALL_PX[size as PicturedSize] : height,
    })
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
    await settled(page)
    const at = `${name} ${language} ${size} ${theme}`
    await picture(page, 'screens', `${name}-${language}-${theme}-${size}`)
    expect.soft(new URL(page.url()).pathname, at).toBe(path().split('?')[0])
    // Code of a part of the page may still be loading, which the page does not count as its own.
    await expect.poll(() => moving(page), { message: `${at}: moves` }).toEqual([])
    const texts = await textsOf(page)
    expect.soft(rawKeys(texts), at).toEqual([])
    expect.soft(foreign(texts, language), at).toEqual([])
    if (english && rules) expect.soft(await violations(opened, rules), at).toEqual([])
    if (size === 'wide') continue
    expect
      .soft(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
        `${at}: wider than the window`,
      )
      .toBeLessThanOrEqual(0)
    if (english && rows) expect.soft(await page.evaluate(crowded), at).toEqual([])
  }
  expect(opened.errors, language).toEqual([])
}
