/** Every declared screen, in each language and colour scheme, wide and narrow: rendered, readable, accessible. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { type Language, languages } from '#schema/kit/refusal'
import { isScreen } from '#schema/kit/screen'
import type { Booted } from '../boot.ts'
import { type Furnished, furnishedConsole } from './furnished-console.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  picture,
  pictureOfFailure,
  readyConsole,
  SIZES,
  settled,
} from './open-browser.ts'
import { foreign, rawKeys, textsOf } from './texts.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const screens = await gatherDeclared(isScreen)
/** One scheme after the other without reloading, as for a user whose system turns dark in the evening. */
const looks = [
  { size: 'wide', theme: 'light' },
  { size: 'wide', theme: 'dark' },
  { size: 'middle', theme: 'dark' },
  { size: 'narrow', theme: 'dark' },
  { size: 'narrow', theme: 'light' },
] as const

/** Colours and the middle width are checked in the language with the longest texts; people look at all. */
const looksIn = (language: Language) =>
  language === 'en-US' || process.env['PICTURES'] ? looks : looks.filter(({ theme }) => theme === 'light')

type Violation = { id: string; impact: string | null; nodes: { target: unknown; failureSummary: string }[] }

/** Accessibility: serious and critical violations, with the elements. */
async function violations(opened: Opened): Promise<string[]> {
  await opened.page.evaluate(axe)
  const found = await opened.page.evaluate(
    () =>
      (
        globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      ).axe.run({ resultTypes: ['violations'] }) as Promise<{ violations: Violation[] }>,
  )
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
    )
}

/** Waits for colour transitions: a screenshot in between shows neither scheme. */
const still = (page: Page) =>
  page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  )

let booted: Booted
let browser: Browser
let furnished: Furnished
let windows: { language: Language; opened: Opened }[] = []

/** The screens, and the drawers that a URL opens. */
const addresses = [
  ...screens.map((screen) => ({ name: screen.name, path: () => furnished.pathOf(screen) })),
  { name: 'upgrade-wizard', path: () => '/task/upgrade?new=1&spId=1' },
  { name: 'package-upload', path: () => '/task/softwarepackage?upload=1' },
  ...['network', 'configuration', 'services', 'remote', 'history', 'logs'].map((tab) => ({
    name: `device-detail-${tab}`,
    path: () => `${furnished.devicePath}?tab=${tab}`,
  })),
  { name: 'alarm-rule-form', path: () => '/alarmMsg/warnconfiguration?open=new' },
  { name: 'alarm-channels', path: () => '/alarmMsg/warnconfiguration?open=channels' },
  { name: 'alarm-log', path: () => '/alarmMsg/warnconfiguration?open=log' },
  { name: 'alarm-maintenance', path: () => '/alarmMsg/warnconfiguration?open=maintenance' },
]

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
  afterEach(async ({ task }) => {
    for (const { language, opened } of windows)
      await pictureOfFailure(opened.page, { ...task, name: `${task.name} ${language}` })
  })
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  // The languages in parallel: a page mostly waits for the server.
  it.each(addresses)(
    '$name',
    async ({ name, path }) => {
      // If one fails, the others are awaited: the next test needs idle windows.
      const ends = await Promise.allSettled(windows.map((one) => look(one, name, path())))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
    },
    120_000,
  )
})

async function look({ language, opened }: (typeof windows)[number], name: string, path: string) {
  const { page } = opened
  await opened.carry(furnished.token)
  await page.setViewportSize(SIZES.wide)
  await page.emulateMedia({ colorScheme: 'light' })
  opened.forget()
  await page.goto(path)
  for (const { size, theme } of looksIn(language)) {
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize(SIZES[size])
    await page.locator(`html[data-mantine-color-scheme="${theme}"]`).waitFor()
    await settled(page)
    await still(page)
    const at = `${name} ${language} ${size} ${theme}`
    await picture(page, 'screens', `${name}-${language}-${theme}-${size}`)
    expect.soft(new URL(page.url()).pathname, at).toBe(path.split('?')[0])
    const texts = await textsOf(page)
    expect.soft(rawKeys(texts), at).toEqual([])
    expect.soft(foreign(texts, language), at).toEqual([])
    // Labels and contrast depend neither on the language nor on a middle width, and checking takes most of the time.
    if (language === 'en-US' && size !== 'middle') expect.soft(await violations(opened), at).toEqual([])
    if (size !== 'wide')
      expect
        .soft(
          await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
          `${at}: wider than the window`,
        )
        .toBeLessThanOrEqual(0)
  }
  expect(opened.errors, language).toEqual([])
}
