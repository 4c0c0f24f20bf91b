/** Advertising: made with the form, seen on a phone before it is saved, on simulated devices afterwards. */
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '#schema/kit/refusal'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { addDevices, seedTenants, simulated, TEST_PASSWORD } from '../tenants.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  picture,
  readyConsole,
  settled,
  type Theme,
} from './open-browser.ts'

let booted: Booted
let browser: Browser
let opened: Opened
let token: string
let deviceId = 0
let groupId = 0
const PATH = '/task/advertising'

/** A coffee-coloured poster. */
const poster = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="720" height="900">
      <defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="#7b3f00"/><stop offset="1" stop-color="#f3c98b"/></linearGradient></defs>
      <rect width="720" height="900" fill="url(#g)"/><circle cx="360" cy="430" r="210" fill="#fff" opacity=".9"/>
      <text x="360" y="460" font-size="92" text-anchor="middle" fill="#7b3f00" font-family="sans-serif">COFFEE</text></svg>`),
  )
    .png()
    .toBuffer()

describe.skipIf(noBrowser)('advertising', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext({ TASK_DEADLINE_SCALE: '0.1' })
    const { a } = await seedTenants(context)
    const fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'CAFE-', 4)
    deviceId = fleet[0]?.id ?? 0
    groupId = a.groups.root
    booted = await bootAll({
      context,
      sim: {
        ...simulated(fleet, (_, i) => (i === 3 ? 'P10' : 'R500')),
        speed: 100,
        statusEveryS: 5,
      },
    })
    await booted.sim?.whenOnline(60_000)
    token = await booted.login(a.admin.username, TEST_PASSWORD)
    browser = await launchBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  const open = async (path: string, as: Parameters<typeof openPage>[2] = { language: 'en-US' }) => {
    opened = await openPage(browser, booted.url, as)
    await opened.carry(token)
    await opened.page.goto(path)
    await settled(opened.page)
    return opened.page
  }

  it('is made with the form, and seen on a phone before it is saved', async () => {
    const page = await open(PATH)
    await picture(page, 'portal', 'empty')
    await page.getByRole('button', { name: 'Add advertisement' }).first().click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Breakfast')
    await form.locator('input[type=file]').setInputFiles({
      name: 'poster.png',
      mimeType: 'image/png',
      buffer: await poster(),
    })
    await form.getByLabel('Caption').fill('Free coffee with every breakfast')
    await form.getByLabel('Link').fill('javascript:alert(1)')
    await form.getByLabel('Caption').focus()
    await form.getByText('must be an address that begins with http:// or https://').waitFor()
    await form.getByLabel('Link').fill('https://shop.example.com/breakfast')
    await form.getByRole('img', { name: 'Free coffee with every breakfast' }).waitFor()
    await form.getByText('Dark', { exact: true }).click()
    await expect.poll(() => page.locator('[data-scheme="dark"]').getByText('Free coffee').count()).toBe(1)
    await form.getByText('Preview on a phone').scrollIntoViewIfNeeded()
    await picture(page, 'portal', 'form')
    await form.getByRole('button', { name: 'Add advertisement' }).click()
    await page.getByText('Saved; devices get it').waitFor()
    await expect.poll(() => page.getByText(/^3 of /).count()).toBe(1)
    await page.getByText('1 without portal').waitFor()
    expect(opened.errors).toEqual([])
  }, 120_000)

  it('shows its figures, and the device what it shows today', async () => {
    await booted.sim?.devices[0]?.portal.visited(60)
    booted.sim?.devices[0]?.portal.tell()
    const page = await open(PATH)
    await expect
      .poll(async () => {
        const { data } = await booted.call('advertisement/getAdvertisementList', {}, token)
        return (data as { list: { shownTotal: number }[] }).list[0]?.shownTotal ?? 0
      })
      .toBeGreaterThanOrEqual(60)
    await page
      .getByRole('row', { name: /Breakfast/ })
      .getByRole('button', { name: 'Figures and devices' })
      .click()
    await page.getByRole('img', { name: 'By day' }).waitFor()
    await page.getByRole('dialog').getByText('No captive portal').first().waitFor()
    await picture(page, 'portal', 'figures')
    await page.goto(`/device/particulars/${groupId}/${deviceId}?tab=network`)
    await settled(page)
    await page.getByRole('heading', { name: 'Captive portal' }).scrollIntoViewIfNeeded()
    await page.getByText('https://shop.example.com/breakfast').waitFor()
    await picture(page, 'portal', 'device')
    expect(opened.errors).toEqual([])
  }, 120_000)

  it.each([
    ['zh-CN', 'dark', 'wide'],
    ['zh-TW', 'light', 'narrow'],
    ['en-US', 'dark', 'narrow'],
    ['zh-CN', 'light', 'narrow'],
  ] as [Language, Theme, 'wide' | 'narrow'][])('is readable in %s, %s, %s', async (language, theme, size) => {
    const page = await open(PATH, { language, theme, size })
    await page.getByText('Breakfast').first().waitFor()
    await picture(page, 'portal', `list ${language} ${theme} ${size}`)
    await page.goto(`${PATH}?new=1`)
    await page.getByRole('dialog').waitFor()
    await picture(page, 'portal', `form ${language} ${theme} ${size}`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
    expect(wide).toBe(false)
    expect(opened.errors).toEqual([])
  })
})
