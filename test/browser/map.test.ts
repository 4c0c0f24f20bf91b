/**
 * [§2 Dashboard map] In a real browser: clusters, names on focus, details on Enter, devices at the same position, a
 * pin.
 */
import type { Browser, Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  pictureOfFailure,
  readyConsole,
} from './open-browser.ts'

let booted: Booted
let browser: Browser
let opened: Opened
let page: Page
let alone = 0
let customerId = 0

const marker = (name: RegExp) => page.getByRole('button', { name }).and(page.locator('.leaflet-marker-icon'))

describe.skipIf(noBrowser)('the map of the home page', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    const { a } = await seedTenants(context)
    const [first, second, third] = a.devices
    alone = first?.id ?? 0
    customerId = a.customerId
    await context.sql`update devices set longitude = 87.6, latitude = 43.8, name = '<b>Gate</b>', address = 'North road 4' where id = ${alone}`
    await context.sql`update devices set longitude = 113.3, latitude = 23.1 where id in (${second?.id ?? 0}, ${third?.id ?? 0})`
    booted = await bootAll({ context })
    browser = await launchBrowser()
    opened = await openPage(browser, booted.url, { language: 'en-US' })
    page = opened.page
    await opened.carry(await booted.login(a.admin.username, TEST_PASSWORD))
    await page.goto('/dashboard')
  }, 240_000)
  afterEach(({ task }) => pictureOfFailure(page, task))
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  it('names a device on focus, as text, and opens its detail on Enter', async () => {
    const gate = marker(/Gate/)
    await gate.focus()
    await expect
      .poll(() => page.locator('.leaflet-tooltip').textContent())
      .toMatch(/<b>Gate<\/b>.*Acme-R-00000.*North road 4/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/device/particulars/0/${alone}`)
    await page.goBack()
  }, 60_000)

  it('shows how many devices of a cluster are online, and lists devices at the same position', async () => {
    await marker(/2 devices, \d online/).click()
    const links = page.locator('.leaflet-popup a[href^="/device/particulars"]')
    await expect.poll(() => links.count()).toBe(2)
  }, 60_000)

  it('keeps the view and the selected device in the URL', async () => {
    await page.goto('/dashboard?map=43.8,87.6,9')
    const gate = marker(/Gate/).and(page.locator('[data-selected]'))
    await page.getByRole('button', { name: 'Show on the map' }).first().click()
    const said = () => Object.fromEntries(new URL(page.url()).searchParams)
    const told = () => expect.poll(said).toEqual({ map: '43.8,87.6,16', device: String(alone) })
    await told()
    await gate.waitFor()
    const { href } = new URL(page.url())
    await page.goto('/device/devicelist')
    await page.goto(href)
    await gate.waitFor()
    expect(page.url()).toBe(href)
    // A link with only the device finds it.
    await page.goto(`/dashboard?device=${alone}`)
    await gate.waitFor()
    await told()
    await page.goto('/dashboard')
  }, 60_000)

  it('lists devices without a position, and sets a pin for one', async () => {
    await page.getByRole('tab', { name: 'No position 1' }).click()
    await page.getByRole('button', { name: 'Place a pin' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.leaflet-container').click()
    await expect.poll(() => dialog.getByLabel('Longitude').inputValue()).not.toBe('')
    await dialog.getByRole('button', { name: 'Save position' }).click()
    await page.getByRole('tab', { name: 'No position 0' }).waitFor()
    expect(opened.errors).toEqual([])
  }, 60_000)

  it('moves to the devices if none is in the initial view', async () => {
    const { sql } = booted.context
    await sql`update devices set longitude = 13 + id % 3, latitude = 52 where customer_id = ${customerId}`
    await page.goto('/dashboard')
    await page.getByRole('tab', { name: /In view [1-9]/ }).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('map')).toMatch(/^52,14,/)
  }, 60_000)
})
