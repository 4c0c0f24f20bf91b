/** A customer that requires a second factor: its user must set it up first, and enters it again later. */
import type { Browser, Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { launchBrowser, noBrowser, type Opened, openPage, readyConsole, settled } from './open-browser.ts'

let booted: Booted
let browser: Browser
let tenants: Tenants
let opened: Opened
let page: Page
let recovery: string[] = []

const codeField = () => page.getByLabel('Code from your authenticator app')
const again = () => page.getByRole('dialog', { name: 'Login status expired, please log in again' })
const form = () => page.getByRole('dialog', { name: 'Add device' })

async function logIn() {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'User name' }).fill(tenants.a.admin.username)
  await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
  await page.keyboard.press('Enter')
}

describe.skipIf(noBrowser)('a required second factor', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    tenants = await seedTenants(context)
    await context.sql`update customers set totp_required = true where id = ${tenants.a.customerId}`
    booted = await bootAll({ context })
    browser = await launchBrowser()
    opened = await openPage(browser, booted.url, { language: 'en-US' })
    page = opened.page
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  it('is set up after the login, whatever page is requested, and cannot be turned off', async () => {
    await logIn()
    await page.waitForURL('**/second-factor')
    await page.goto('/device/devicelist')
    await page.waitForURL('**/second-factor')
    await page.getByText('Your company requires a second factor').waitFor()
    await page.getByLabel('Your password').fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Set it up' }).click()
    const secret = (await page.locator('main code').innerText()).replace(/\s/g, '')
    // There are no recovery codes yet.
    await page.getByText('Six digits', { exact: true }).waitFor()
    await codeField().fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('The code is wrong or was used already').waitFor()
    await codeField().fill(new TOTP({ secret }).generate())
    await page.keyboard.press('Enter')
    const codes = page.getByRole('dialog', { name: 'Recovery codes' })
    await codes.waitFor()
    recovery = (await codes.innerText()).match(/\w{4}(-\w{4}){3}/g) ?? []
    expect(recovery).toHaveLength(10)
    await codes.getByRole('button', { name: 'I have kept it' }).click()
    await page.getByText('The second factor is on').waitFor()
    const off = page.getByRole('button', { name: 'Turn it off' })
    await expect.poll(() => off.getAttribute('aria-disabled')).toBe('true')
    await page.goto('/device/devicelist')
    await settled(page)
    expect(new URL(page.url()).pathname).toBe('/device/devicelist')
  })

  it('is requested over the open page too, and Escape does not affect the form below', async () => {
    await logIn()
    await codeField().fill(recovery[0] ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/dashboard')
    await page.goto('/device/devicelist')
    await settled(page)
    await page.getByRole('button', { name: 'Add device' }).first().click()
    await form().getByLabel('Serial number').fill('KEPT-9')
    await booted.context.sql`update sessions set ended_at = now() where ended_at is null`
    await again().getByLabel('Password', { exact: true }).fill('wrong-horse-1')
    await page.keyboard.press('Enter')
    await again().getByText('Username or password wrong').waitFor()
    await again().getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.keyboard.press('Enter')
    await codeField().waitFor()
    expect(await again().getByText('Username or password wrong').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await again().getByText('Enter the code').waitFor()
    await codeField().fill(recovery[1] ?? '')
    await page.keyboard.press('Enter')
    await again().waitFor({ state: 'hidden' })
    expect(await page.getByRole('dialog').count()).toBe(1)
    await expect.poll(() => form().getByLabel('Serial number').inputValue()).toBe('KEPT-9')
  })
})
