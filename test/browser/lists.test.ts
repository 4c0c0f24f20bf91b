/** Every page with rows, from desktop to phone width: no content overflows or overlaps. */
import type { Browser } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { isScreen } from '#schema/kit/screen'
import { type Furnished, furnishedConsole } from './furnished-console.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  picture,
  pictureOfFailure,
  readyConsole,
  settled,
} from './open-browser.ts'

const WIDTHS = [1200, 1024, 768, 390]
const screens = (await gatherDeclared(isScreen)).filter(
  ({ name }) => !['login', 'second-factor', 'dashboard'].includes(name),
)

let furnished: Furnished
let browser: Browser
let opened: Opened

const addresses = [
  ...screens.map((screen) => ({ name: screen.name, path: () => furnished.pathOf(screen) })),
  ...['online', 'signal', 'traffic', 'version'].map((report) => ({
    name: `${report}-report-table`,
    path: () => {
      const screen = screens.find(({ name }) => name === `${report}-report`)
      return `${screen ? furnished.pathOf(screen) : ''}?table=true`
    },
  })),
  { name: 'device-tasks', path: () => `${furnished.devicePath}?tab=history` },
]

/** Elements that overflow, identified by their position. */
function crowded(): string[] {
  const found: string[] = []
  const over = (element: Element | null) => (element ? element.scrollWidth - element.clientWidth : 0)
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  if (over(document.scrollingElement) > 0) found.push('the page scrolls sideways')
  for (const pane of document.querySelectorAll('.mantine-ScrollArea-viewport, section[tabindex="0"]'))
    if (shown(pane) && pane.querySelector('table') && over(pane) > 0)
      found.push(`a table scrolls sideways by ${over(pane)} px`)
  const clips = (element: Element) => {
    const { display, overflowX } = getComputedStyle(element)
    return display !== 'inline' && overflowX !== 'visible'
  }
  /** Text beyond the edge of its cell that is not clipped. */
  const runsOver = (cell: Element) => {
    const edge = cell.getBoundingClientRect().right + 1
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      let around = texts.currentNode.parentElement
      while (around && cell.contains(around) && !clips(around)) around = around.parentElement
      if (around && !cell.contains(around) && range.getBoundingClientRect().right > edge) return true
    }
    return false
  }
  const touching = (one: DOMRect, other: DOMRect) =>
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 1 &&
    other.top < one.bottom - 1
  for (const bar of document.querySelectorAll('main header, [role="toolbar"]')) {
    const parts = [...bar.querySelectorAll('button, input, h1, h2')].filter(
      (part) =>
        shown(part) && !part.parentElement?.closest('button, .mantine-Input-wrapper > [data-position]'),
    )
    for (const [i, part] of parts.entries()) {
      const box = part.getBoundingClientRect()
      const name = part.getAttribute('aria-label') ?? part.textContent
      if (box.right > innerWidth + 1) found.push(`${name} is out of the window`)
      for (const other of parts.slice(i + 1))
        if (!part.contains(other) && touching(box, other.getBoundingClientRect()))
          found.push(`${name} lies over ${other.getAttribute('aria-label') ?? other.textContent}`)
    }
  }
  for (const cell of document.querySelectorAll('tbody td')) {
    if (!shown(cell)) continue
    if (runsOver(cell)) found.push(`"${cell.textContent}" runs out of its column`)
    for (const chip of cell.querySelectorAll('[class*="chip"]'))
      if (chip.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1)
        found.push(`the chip "${chip.textContent}" is cut`)
    // Enough to recognise the row.
    if (cell.hasAttribute('data-pinned') && cell.clientWidth < 40) found.push('a pinned column is too narrow')
  }
  return found
}

describe.skipIf(noBrowser)('every page with rows', () => {
  beforeAll(async () => {
    await readyConsole()
    furnished = await furnishedConsole()
    browser = await launchBrowser()
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await furnished?.booted.close()
  })

  // English is a third wider than Chinese: what fits in English fits in Chinese.
  describe.each(['en-US'] as const)('in %s', (language) => {
    beforeAll(async () => {
      opened = await openPage(browser, furnished.booted.url, { language })
      await opened.carry(furnished.token)
    })
    afterEach(({ task }) => pictureOfFailure(opened?.page, task))
    afterAll(() => opened?.context.close())

    it.each(addresses)('$name', async ({ name, path }) => {
      const { page } = opened
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(path())
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await settled(page)
        await picture(page, 'lists', `${name}-${language}-${width}`)
        expect.soft(await page.evaluate(crowded), `${name} at ${width} px`).toEqual([])
      }
    })

    it('on a paused upgrade a cause is retried, and one device is cancelled', async () => {
      const { page } = opened
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
      const { page } = opened
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
})
