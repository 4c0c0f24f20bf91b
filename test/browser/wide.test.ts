/** A list at several widths, a reboot of all matching devices, and the zones of times. */
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { addDevices, seedTenants, simulated, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { furnishTerminal } from '../furnish/terminal.ts'
import { testContext } from '../harness.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openAgain,
  openPage,
  readyConsole,
  settled,
} from './open-browser.ts'

let booted: Booted
let browser: Browser
let tenants: Tenants
let opened: Opened | undefined
let page: Page

const go = async (path: string) => {
  await page.goto(path)
  await settled(page)
}
/** Elements that scroll horizontally: the page, and inside the table. */
const sideways = () =>
  page.evaluate(() => {
    const pane = document.querySelector('table')?.closest('[data-scrollbars], .mantine-ScrollArea-viewport')
    const over = (element: Element | null | undefined) =>
      element ? element.scrollWidth - element.clientWidth : 0
    return { page: over(document.scrollingElement), table: over(pane) }
  })
const heads = () => page.locator('thead th').allInnerTexts()

describe.skipIf(noBrowser)('the device list', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    tenants = await seedTenants(context)
    const { a } = tenants
    const there = await addDevices(context.sql, a.customerId, a.groups.other, 'MANY-', 12)
    booted = await bootAll({
      context,
      sim: {
        count: there.length,
        speed: 1,
        ...simulated(there),
      },
    })
    browser = await launchBrowser()
  }, 240_000)
  beforeEach(async () => {
    opened = await (opened
      ? openAgain(opened, booted.url, { language: 'en-US' })
      : openPage(browser, booted.url, { language: 'en-US' }))
    page = opened.page
    await opened.carry(await booted.login(tenants.a.admin.username, TEST_PASSWORD))
  })
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  it('needs no horizontal scrolling from 1440 to 768 px', async () => {
    await go('/device/devicelist')
    for (const width of [1440, 1200, 1024, 768]) {
      await page.setViewportSize({ width, height: 900 })
      await expect.poll(sideways, { message: `${width} px` }).toEqual({ page: 0, table: 0 })
      await expect.poll(() => heads()).toEqual(expect.arrayContaining(['State', 'Name', 'Serial']))
    }
  })

  it('cuts no name while columns beside it have room to spare', async () => {
    await booted.context.sql`update devices set name = 'Warehouse 12 gate B' where sn = 'MANY-00000'`
    await go('/device/devicelist?search=MANY-00000')
    await page.setViewportSize({ width: 1440, height: 900 })
    const cut = () =>
      page.getByRole('link', { name: 'Warehouse 12 gate B' }).evaluate((link) => {
        const name = link.querySelector('span') ?? link
        return name.scrollWidth - name.clientWidth
      })
    await expect.poll(cut).toBe(0)
    // The room is taken from the group and the signal, not from the window.
    await expect.poll(sideways).toEqual({ page: 0, table: 0 })
  })

  it('a value that is cut is whole in its tooltip', async () => {
    const sn = 'L'.repeat(60)
    const device = tenants.a.devices[3]
    await booted.context.sql`update devices set sn = ${sn} where id = ${device?.id ?? 0}`
    await page.setViewportSize({ width: 1024, height: 900 })
    await go(`/device/devicelist?search=${sn}`)
    await page.getByRole('button', { name: `${sn}: Copy` }).hover()
    await page.getByRole('tooltip').getByText(sn).waitFor()
    await booted.context.sql`update devices set sn = ${device?.sn ?? ''} where sn = ${sn}`
  })

  it('a picture that fills its cell does not widen its column', async () => {
    const { sql, now } = booted.context
    // Of the other customer: the next test makes a project where this one would.
    await furnishTerminal.run(booted.context, tenants.b)
    await opened?.carry(await booted.login(tenants.b.admin.username, TEST_PASSWORD))
    await ensurePartitions(sql, now(), { daysBack: 1, tables: ['variable_reports'] })
    await sql`update terminals set template_since = now() - interval '1 hour'`
    await sql`
      insert into variable_reports (at, terminal_id, plan, slots, vals)
      select now() - n * interval '1 minute', id, 1, '{0}', array[230 + n % 7] from terminals, generate_series(1, 50) n`
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    for (const width of [1440, 1200]) {
      await page.setViewportSize({ width, height: 900 })
      await go('/cloudMonitor/deviceManagement/variableList')
      const trend = page.locator('tbody td:has(svg[preserveAspectRatio=none])')
      await expect.poll(() => trend.count(), { message: `${width} px` }).toBe(1)
      expect((await trend.boundingBox())?.width).toBeLessThan(140)
    }
    expect(errors).toEqual([])
  })

  it('a column of chips gives the room beside them to a template’s name that is cut', async () => {
    const { sql } = booted.context
    const [known] = await sql`select 1 from terminals`
    if (!known) await furnishTerminal.run(booted.context, tenants.b)
    const template = 'Three-phase meter DTSU666, energy and harmonics, revision 4'
    await sql`update collection_templates set name = ${template} where customer_id = ${tenants.b.customerId}`
    await opened?.carry(await booted.login(tenants.b.admin.username, TEST_PASSWORD))
    await page.setViewportSize({ width: 1440, height: 900 })
    await go('/device/terminalList')
    /** What the chips leave of their column, beside its padding. */
    const room = () =>
      page.evaluate(() => {
        const chips = [...document.querySelectorAll('tbody td [class*="chip"]')]
        const spare = chips.map((chip) => {
          const cell = chip.closest('td') as HTMLElement
          const { paddingRight } = getComputedStyle(cell)
          return (
            cell.getBoundingClientRect().right -
            chip.getBoundingClientRect().right -
            Number.parseFloat(paddingRight)
          )
        })
        return Math.min(...spare)
      })
    await page.getByText(template).first().waitFor()
    await expect.poll(room).toBeLessThan(8)
    await expect.poll(sideways).toEqual({ page: 0, table: 0 })
  })

  it('in 1440 px gateways show when they last reported, and the delivery log what was answered', async () => {
    const { customerId, groups } = tenants.a
    await booted.context.sql`
      insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Plant', 'energy')`
    await page.setViewportSize({ width: 1440, height: 900 })
    await go('/cloudMonitor/deviceManagement/deviceList')
    await expect.poll(heads).toEqual(expect.arrayContaining(['Collection', 'Last report']))
    await expect.poll(sideways).toEqual({ page: 0, table: 0 })
    await go('/alarmMsg/warnconfiguration?open=log')
    // Nothing is listed yet.
    await page.getByRole('img', { name: /^This list will show: .*Response/ }).waitFor()
    await page.getByText('No notices yet').waitFor()
  })

  it('columns that the user chose stay, then the table alone scrolls below its pinned ones', async () => {
    await page.setViewportSize({ width: 768, height: 900 })
    await go('/device/devicelist')
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const title of ['Firmware', 'IP address'])
      await page.getByRole('menuitem', { name: title, exact: true }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await settled(page)
    await expect.poll(heads).toEqual(expect.arrayContaining(['Firmware', 'IP address']))
    await expect.poll(async () => (await sideways()).table).toBeGreaterThan(0)
    expect((await sideways()).page).toBe(0)
    const pinned = await page
      .locator('thead th')
      .evaluateAll((cells) => cells.filter((cell) => getComputedStyle(cell).position === 'sticky').length)
    expect(pinned).toBe(4)
  })

  it('reboots all that match: previewed, typed, followed, and stopped', async () => {
    await expect
      .poll(
        () => booted.context.sql`select 1 from device_states s join devices d on d.id = s.device_id
          where s.online and d.hello_at is not null`,
      )
      .toHaveLength(12)
    await go('/device/devicelist')
    await page.getByRole('checkbox', { name: 'Select this page' }).click()
    await page.getByRole('button', { name: /^Select all/ }).click()
    await page.getByRole('button', { name: 'Reboot 16' }).click()
    const question = page.getByRole('dialog', { name: /Reboot: 16 devices/ })
    await question.getByText('12 of 16 can take it now').waitFor()
    await question.getByText('Offline: 4').waitFor()
    const send = question.getByRole('button', { name: 'Reboot 12' })
    await expect.poll(() => send.isDisabled()).toBe(true)
    await question.getByRole('textbox', { name: 'Type 12 to confirm' }).fill('12')
    await send.click()
    await page.getByRole('heading', { name: 'Reboot · 12' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/task\/upgrade\/\d+$/)
    await page.getByRole('button', { name: 'Cancel task' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel task' }).click()
    await expect
      .poll(() => booted.context.sql`select 1 from task_items where outcome = 'cancelled'`)
      .not.toHaveLength(0)
    const foreign = await booted.context.sql`
      select 1 from task_items where customer_id <> ${tenants.a.customerId}`
    expect(foreign).toHaveLength(0)
    await go('/task/upgrade?kind=reboot')
    await page.getByText('Reboot · 12').first().waitFor()
  })

  it('a time shows on hover and focus the zones, including the device’s', async () => {
    const [found] = await booted.context.sql<{ id: number }[]>`
      update devices set time_zone = 'Europe/Berlin' where sn = 'MANY-00000' returning id`
    await go(`/device/particulars/0/${found?.id}`)
    const seen = page.locator('time').first()
    await seen.hover()
    await page
      .getByRole('tooltip')
      .getByText(/At the device: .* GMT\+[12]/)
      .waitFor()
    await page.mouse.move(2, 2)
    await expect.poll(() => page.getByRole('tooltip').count()).toBe(0)
    await seen.locator('xpath=..').focus()
    await page
      .getByRole('tooltip')
      .getByText(/At the device: .* GMT\+[12]/)
      .waitFor()
  })

  it('on a phone the page shows one button, the others behind a menu', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/device/devicelist')
    const header = page.getByRole('main').locator('header')
    const tops = await header
      .getByRole('button')
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top))
    expect(tops).toHaveLength(2)
    expect(new Set(tops).size).toBe(1)
    await header.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Bulk commands' }).click()
    await page.waitForURL(/\/task\/upgrade\?kind=reboot$/)
  })

  it('on a phone a card leaves out what most rows lack', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/resource/configurationlist?search=MANY-00001')
    await expect
      .poll(() => page.locator('article dt').allInnerTexts())
      .toEqual(['Serial number', 'Group', 'Model'])
  })

  it('on a phone cards are sorted by a menu, and by the same entry the other way', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await go('/device/devicelist')
    const sort = page.getByRole('button', { name: /^Sort/ })
    for (const order of ['asc', 'desc']) {
      await sort.click()
      const answer = page.waitForResponse((one) => one.url().includes('getDeviceList'))
      await page.getByRole('menuitem', { name: 'Serial', exact: true }).click()
      expect((await answer).request().postDataJSON()).toMatchObject({ sort: 'deviceSn', order })
      await settled(page)
    }
    await page.getByRole('button', { name: 'Sorted by Serial, descending' }).waitFor()
    await expect.poll(() => page.locator('article:visible').count()).toBeGreaterThan(1)
  })

  it('at 1024 px the icons of a row give way to the firmware, and are found in its menu', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await go('/device/devicelist')
    await page.locator('thead th', { hasText: 'Firmware' }).waitFor()
    const row = page.locator('tbody tr').first()
    await row.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Reboot' }).waitFor()
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    await row.getByRole('button', { name: 'Reboot' }).waitFor()
  })

  it('on a tablet the menu and the groups open and close by touch', async () => {
    const tablet = await openPage(browser, booted.url, { language: 'en-US', touch: true })
    await tablet.carry(await booted.login(tenants.a.admin.username, TEST_PASSWORD))
    const { page: touched } = tablet
    await touched.setViewportSize({ width: 1024, height: 768 })
    await touched.goto('/device/devicelist')
    await settled(touched)
    const parent = touched.getByRole('navigation', { name: 'Menu' }).getByRole('button', { name: 'Software' })
    const entry = touched.getByRole('menuitem', { name: 'Packages' })
    await parent.tap()
    await entry.waitFor()
    await touched.touchscreen.tap(700, 700)
    await entry.waitFor({ state: 'detached' })
    await parent.tap()
    await entry.tap()
    await touched.waitForURL('**/task/softwarepackage')
    await entry.waitFor({ state: 'detached' })

    await touched.goto('/device/devicelist')
    await settled(touched)
    await touched.getByRole('button', { name: /^Group:/ }).tap()
    const groups = touched.getByRole('dialog')
    await groups.getByText('Branch').waitFor()
    await groups.getByText('Branch').tap()
    await groups.waitFor({ state: 'detached' })
    await expect
      .poll(() => new URL(touched.url()).searchParams.get('groupId'))
      .toBe(String(tenants.a.groups.branch))
    await touched.getByRole('button', { name: /^Group:/ }).tap()
    await groups.getByRole('button', { name: /Close/ }).tap()
    await groups.waitFor({ state: 'detached' })
    await tablet.context.close()
  })

  it('offers a customer’s users no choice among customers', async () => {
    for (const path of ['/system/usercontrol', '/system/authoritymanagement']) {
      await go(path)
      expect(await page.getByRole('toolbar').getByPlaceholder('Customer').count()).toBe(0)
    }
  })
})
