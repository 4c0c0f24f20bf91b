/** Saved views of a list, the undo of their deletion, and the 24-hour strip beside it. */
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  picture,
  readyConsole,
  settled,
} from './open-browser.ts'

let booted: Booted
let browser: Browser
let tenants: Tenants
let opened: Opened
let page: Page

const LIST = '/device/devicelist'
const query = () => new URL(page.url()).searchParams
const drawer = () => page.getByRole('dialog', { name: 'Views' })
const openMenu = () => page.getByRole('button', { name: /^View/ }).click()
const stored = () => booted.context.sql`select name, query, is_default from saved_views order by name`

describe.skipIf(noBrowser)('saved views', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    tenants = await seedTenants(context)
    booted = await bootAll({ context })
    browser = await launchBrowser()
    opened = await openPage(browser, booted.url, { language: 'en-US' })
    page = opened.page
    await opened.carry(await booted.login(tenants.a.admin.username, TEST_PASSWORD))
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  it('of a group that was deleted say so, and the list can be reached', async () => {
    const saved = `groupId=${tenants.a.groups.root}999`
    await booted.context.sql`insert into saved_views (user_id, list, name, query, is_default)
      values (${tenants.a.admin.id}, 'device/getDeviceList', 'Gone', ${saved}, true)`
    await page.goto(LIST)
    await page.getByText('This filter is no longer valid').waitFor()
    await picture(page, 'kit', 'view-gone')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page
      .getByText(tenants.a.devices[0]?.sn ?? '', { exact: true })
      .first()
      .waitFor()
    expect(query().get('groupId')).toBeNull()
    await booted.context.sql`delete from saved_views`
  })

  it('are not needed for a filter that no longer exists: an old bookmark says so too', async () => {
    await page.goto(`${LIST}?online=perhaps`)
    await page.getByText('This filter is no longer valid').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page
      .getByText(tenants.a.devices[0]?.sn ?? '', { exact: true })
      .first()
      .waitFor()
  })

  it('store the state of the list under a name', async () => {
    await page.goto(`${LIST}?search=a&sort=deviceSn&order=desc&limit=20&refresh=0`)
    await settled(page)
    await openMenu()
    await page.getByRole('menuitem', { name: 'Save and manage views' }).click()
    await drawer().getByText('No saved views yet').waitFor()
    await drawer().getByRole('button', { name: 'Save current view' }).click()
    const form = page.getByRole('dialog', { name: 'Save current view' })
    await form.getByLabel('Name').fill('By serial number')
    await form.getByRole('switch', { name: 'Default' }).click({ force: true })
    await form.getByRole('button', { name: 'Save current view' }).click()
    await form.waitFor({ state: 'hidden' })
    await drawer().getByText('By serial number').waitFor()
    await picture(page, 'kit', 'views')
    expect([...(await stored())]).toEqual([
      { name: 'By serial number', query: 'limit=20&order=desc&search=a&sort=deviceSn', is_default: true },
    ])
  })

  it('refuse a second one of the same name at the field', async () => {
    await drawer().getByRole('button', { name: 'Save current view' }).click()
    const form = page.getByRole('dialog', { name: 'Save current view' })
    await form.getByLabel('Name').fill('By serial number')
    await form.getByRole('button', { name: 'Save current view' }).click()
    await form.getByText('A view named By serial number exists already').waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page
      .getByRole('dialog', { name: 'Discard the changes?' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await form.waitFor({ state: 'hidden' })
  })

  it('are applied automatically as the default, but do not override a link', async () => {
    await page.goto(LIST)
    await expect.poll(() => query().get('sort')).toBe('deviceSn')
    await expect.poll(() => query().get('search')).toBe('a')
    await page.getByRole('button', { name: 'View: By serial number' }).waitFor()
    await page.goto(`${LIST}?search=zzz`)
    await settled(page)
    expect(query().get('search')).toBe('zzz')
    expect(query().get('sort')).toBeNull()
  })

  it('are applied by a click', async () => {
    await openMenu()
    await page.getByRole('menuitem', { name: 'By serial number' }).click()
    await expect.poll(() => query().get('search')).toBe('a')
  })

  it('are renamed, and overwritten with the current state, which can be undone', async () => {
    await page.goto(`${LIST}?online=offline`)
    await settled(page)
    await openMenu()
    await page.getByRole('menuitem', { name: 'Save and manage views' }).click()
    await drawer().getByRole('button', { name: 'Edit the view' }).click()
    const form = page.getByRole('dialog', { name: 'Edit the view' })
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('By serial number')
    await form.getByLabel('Name').fill('Sorted')
    await form.getByRole('button', { name: 'Save' }).click()
    await drawer().getByText('Sorted').waitFor()
    await drawer().getByRole('button', { name: 'Overwrite with current view' }).click()
    await page.getByText('View “Sorted” overwritten').waitFor()
    await expect.poll(async () => (await stored())[0]?.['query']).toBe('online=offline')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(async () => (await stored())[0]?.['query'])
      .toBe('limit=20&order=desc&search=a&sort=deviceSn')
    await page.getByText('Undone').waitFor()
  })

  it('are deleted without confirmation, because it can be undone for 8 s', async () => {
    await drawer().getByRole('button', { name: 'Delete the view' }).click()
    await page.getByText('View “Sorted” deleted').waitFor()
    await picture(page, 'kit', 'undo')
    await expect.poll(stored).toHaveLength(0)
    await drawer().getByText('No saved views yet').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await drawer().getByText('Sorted').waitFor()
    await expect.poll(stored).toHaveLength(1)
  })

  it('can store a list in its initial state', async () => {
    await page.goto('/task/softwarepackage')
    await settled(page)
    await openMenu()
    await page.getByRole('menuitem', { name: 'Save and manage views' }).click()
    await drawer().getByRole('button', { name: 'Save current view' }).click()
    const form = page.getByRole('dialog', { name: 'Save current view' })
    await form.getByLabel('Name').fill('Plain')
    await form.getByRole('button', { name: 'Save current view' }).click()
    await form.waitFor({ state: 'hidden' })
    expect((await stored()).map(({ name, query: kept }) => [name, kept])).toEqual([
      ['Plain', ''],
      ['Sorted', 'limit=20&order=desc&search=a&sort=deviceSn'],
    ])
  })

  it('are shown beside a strip of the last 24 hours, readable by keyboard, and fetched by one call for all rows', async () => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('getPresenceStrips')) asked.push(request.postData() ?? '')
    })
    // Not among the columns that are shown without being chosen.
    await page.evaluate(() => localStorage.setItem('hidden-columns:device/getDeviceList', '[]'))
    await page.goto(`${LIST}?limit=100&refresh=5`)
    await settled(page)
    const strip = page.getByRole('slider', { name: /^Last 24 hours:/ }).first()
    await strip.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => strip.getAttribute('aria-valuetext')).toMatch(/^\d\d:\d\d–\d\d:\d\d Unknown$/)
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await settled(page)
    expect(asked).toHaveLength(1)
    expect((JSON.parse(asked[0] ?? '') as { deviceIds: number[] }).deviceIds).toHaveLength(
      tenants.a.devices.length,
    )
  })
})
