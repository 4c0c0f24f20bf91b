/** The console without a mouse: how far the content is, and where the focus is after a navigation and a dialog. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { escapeDialog, noBrowser, settled } from './open-browser.ts'

const LIST = '/device/devicelist'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
type Violation = { id: string; impact: string; nodes: { target: unknown }[] }

let opening: Opening
let booted: Booted
let tenants: Tenants
let page: Page

/** Whether the focus is on this element. */
const hasFocus = (selector: string) =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)
const isInContent = () =>
  page.evaluate(() => document.getElementById('content')?.contains(document.activeElement) ?? false)

/** Tabs until the focus is within the page's content; at most 60. */
async function tabsToContent(): Promise<number> {
  for (let tabs = 1; tabs <= 60; tabs += 1) {
    await page.keyboard.press('Tab')
    if (await isInContent()) return tabs
  }
  return Number.POSITIVE_INFINITY
}

describe.skipIf(noBrowser)('the console without a mouse', () => {
  eachConsole(async (at) => {
    opening = at
    ;({ booted, tenants, page } = at)
    await at.enter(tenants.a.admin.username)
    await page.goto(LIST)
    await settled(page)
  })

  it('the skip link is the first stop, seen while it has the focus, and the content is three keys away', async () => {
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to the content' })
    await expect.poll(() => skip.evaluate((link) => link === document.activeElement)).toBe(true)
    expect((await skip.boundingBox())?.y).toBeGreaterThan(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => hasFocus('main')).toBe(true)
    expect(await tabsToContent()).toBe(1)
    expect(page.url()).not.toContain('#')
    expect((await skip.boundingBox())?.y).toBeLessThan(0)
  })

  it('a page opened from the menu takes the focus: its first control is the next stop', async () => {
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Groups' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor()
    await expect.poll(() => hasFocus('main')).toBe(true)
    await expect.poll(() => page.getByRole('main', { name: 'Groups' }).count()).toBe(1)
    await settled(page)
    expect(await tabsToContent()).toBe(1)
  })

  it('has one banner, one main and named navigations, and the content is named as the page', async () => {
    const names = await page
      .getByRole('navigation')
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
    expect(names.length).toBeGreaterThanOrEqual(2)
    expect(new Set(names).size).toBe(names.length)
    expect(names).not.toContain(null)
    await expect.poll(() => page.getByRole('banner').count()).toBe(1)
    await expect.poll(() => page.getByRole('main', { name: 'Devices' }).count()).toBe(1)
  })

  it('a list with rows says nowhere that nothing matches, not even transparently', async () => {
    await page.getByRole('row').nth(1).waitFor()
    await expect.poll(() => page.getByRole('main').innerText()).not.toContain('No matches')
  })

  it('the focus returns to the button of a menu whose entry opened a form, and of a confirmation', async () => {
    const more = page.getByRole('button', { name: 'More actions' }).first()
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
    await page.getByRole('dialog').getByRole('textbox').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('the profile, a dialog without a closing animation, gives the focus back to the user menu', async () => {
    const menu = page.getByRole('banner').getByRole('button').last()
    await menu.press('Enter')
    await page.getByRole('menuitem', { name: 'Change password' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => menu.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('the palette shows which devices a sentence is about, and leads to the confirmation without acting', async () => {
    const { sql } = booted.context
    const { id = 0 } = tenants.a.devices[0] ?? {}
    await sql`
      insert into devices (customer_id, group_id, sn, name, model, secret_hash)
      select customer_id, group_id, 'TOKYO' || n, 'Tokyo ' || n, 'R200', secret_hash
      from devices, generate_series(1, 5) n where id = ${id}`
    const commandsBefore = await sql`select count(*)::int as n from commands`
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Page, device/).fill('reboot tokyo')
    const entry = page.getByRole('dialog').getByText('Reboot · “tokyo”')
    await entry.waitFor()
    await page.getByText(/^5 found: .*Tokyo \d.* and 2 more$/).waitFor()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Reboot: 5 devices?' })
    await dialog.waitFor()
    expect(
      await page
        .locator('main')
        .getByPlaceholder(/^Serial, name/)
        .inputValue(),
    ).toBe('tokyo')
    expect(await sql`select count(*)::int as n from commands`).toEqual(commandsBefore)
    expect(await sql`select 1 from tasks where kind = 'reboot'`).toHaveLength(0)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Page, device/).fill('upgrade R200')
    await page.getByText('New upgrade task · model R200').click()
    await page.getByRole('dialog', { name: /upgrade/i }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/task/upgrade')
    await escapeDialog(page)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Page, device/).fill('devices never seen')
    await page.getByText('Devices · never seen').click()
    await page.waitForURL('**/device/devicelist?state=neverSeen*')
    // Another row too: until the list has answered, the rows of the search before are still shown.
    await page.getByRole('row', { name: /Acme-O-00000/ }).waitFor()
    await page.getByRole('row', { name: /TOKYO1/ }).waitFor()
  })

  it('the palette understands only what the rights of the user allow', async () => {
    await opening.enter(tenants.a.viewer.username)
    await page.goto(LIST)
    await settled(page)
    await page.keyboard.press('Control+k')
    const searched = (text: string) =>
      page.waitForResponse(
        (answer) =>
          answer.url().endsWith('/getDeviceList') && (answer.request().postData() ?? '').includes(text),
      )
    // Understood: a list that this user may see.
    await page.getByPlaceholder(/^Page, device/).fill('devices never seen')
    await page.getByText('Devices · never seen').waitFor()
    const answered = searched('reboot acme')
    await page.getByPlaceholder(/^Page, device/).fill('reboot acme')
    await answered
    const palette = page.getByRole('dialog')
    await palette.getByText('No matches').waitFor()
    expect(await palette.locator('[data-action]').count()).toBe(0)
  })

  it('axe finds nothing on a list, a device page and a dialog, minor rules included', async () => {
    const { id = 0, groupId = 0 } = tenants.a.devices[0] ?? {}
    const paths = [
      LIST,
      `/device/particulars/${groupId}/${id}`,
      '/alarmMsg/currenttimewarn',
      '/alarmMsg/contacts?new=1',
    ]
    for (const path of paths) {
      await page.goto(path)
      await settled(page)
      if (path.includes('new=1')) await page.getByRole('dialog').waitFor()
      await page.evaluate(axe)
      const found = await page.evaluate(() =>
        (globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run(),
      )
      expect(
        found.violations.map((one) => [path, one.impact, one.id, one.nodes.map(({ target }) => target)]),
      ).toEqual([])
    }
  })

  it('a form of more than twelve fields has two columns, one on a phone, and another has one', async () => {
    const columns = () =>
      page
        .getByRole('dialog')
        .locator('[data-columns]')
        .evaluate((fields) => getComputedStyle(fields).gridTemplateColumns.split(' ').length)
    const opened = async (path: string) => {
      await page.goto(path)
      await page.getByRole('dialog').locator('[data-columns]').waitFor()
      return columns()
    }
    expect(await opened('/system/usercontrol?new=1')).toBe(2)
    expect(await opened('/alarmMsg/contacts?new=1')).toBe(1)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await opened('/system/usercontrol?new=1')).toBe(1)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it.each([
    ['/alarmMsg/contacts', 'Name, ', 'Add contact'],
    ['/device/terminalList', 'Name, ', 'Add terminal'],
    ['/device/hangingDevice', 'Status, ', null],
  ])('%s is empty: it shows what it will list, and its first step', async (path, columns, step) => {
    await page.goto(path)
    const sketch = page.getByRole('main').getByRole('img', { name: `This list will show: ${columns}` })
    await sketch.waitFor()
    if (step === null) return
    await expect
      .poll(() => page.getByRole('main').getByRole('button', { name: step }).count())
      .toBeGreaterThan(1)
  })

  it('the menu entry and the tab of the page are in sight, however many tabs there are and whatever the menu takes', async () => {
    const { devices } = tenants.a
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const { id } of devices.slice(0, 4)) await page.goto(`/device/particulars/1/${id}`)
    for (const path of [
      '/device/groupinglist',
      '/device/unusuallist',
      '/task/upgrade',
      '/alarmMsg/currenttimewarn',
    ])
      await page.goto(path)
    await page.goto(`/device/particulars/1/${devices[4]?.id}`)
    await settled(page)
    const isInSight = () =>
      page.evaluate(() => {
        const strip = document.querySelector('[class*="strip"]')?.getBoundingClientRect()
        const tab = document.querySelector('[class*="strip"] [data-active]')?.getBoundingClientRect()
        return Boolean(strip && tab && tab.left >= strip.left - 1 && tab.right <= strip.right + 1)
      })
    await expect.poll(isInSight).toBe(true)
    const menu = page.getByRole('navigation', { name: 'Menu', exact: true })
    await expect.poll(() => menu.locator('[aria-current=page]').allInnerTexts()).toEqual(['Devices'])
    // Collapsed to icons, then wide again: the strip gets narrower.
    await page.getByRole('button', { name: 'Collapse the menu' }).click()
    await page.getByRole('button', { name: 'Expand the menu' }).click()
    await expect.poll(isInSight).toBe(true)
    await expect(menu.locator('[aria-current=page]').first().isVisible()).resolves.toBe(true)
  })

  it('a page of a device that a login opens keeps the entry of the devices highlighted', async () => {
    const [device] = tenants.a.devices
    await page.goto(`/web/${device?.id}/${device?.sn}`)
    await settled(page)
    const menu = page.getByRole('navigation', { name: 'Menu', exact: true })
    await expect.poll(() => menu.locator('[aria-current=page]').allInnerTexts()).toEqual(['Devices'])
  })

  it('no button of a device page is filled, and the primary button of a list stands last', async () => {
    const { id = 0, groupId = 0 } = tenants.a.devices[0] ?? {}
    const header = page.getByRole('main').locator('header')
    const variants = () =>
      header.locator('.mantine-Button-root').evaluateAll((all) => all.map((one) => one.dataset['variant']))
    expect((await variants()).at(-1)).toBe('filled')
    expect((await variants()).filter((variant) => variant === 'filled')).toHaveLength(1)
    await page.goto(`/device/particulars/${groupId}/${id}`)
    await header.getByRole('button', { name: 'Reboot' }).waitFor()
    expect(await variants()).not.toContain('filled')
  })
})
