/** [§8] Messages written by the console itself, for responses or missing ones. */
import type { Page, Route } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { REQUEST_ID_HEADER } from '#schema/kit/envelope'
import { changePassword } from '#schema/people/session'
import type { Tenants } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

let tenants: Tenants
let page: Page
let booted: Opening['booted']

const answer = (envelope: object) => (route: Route) =>
  route.fulfill({ contentType: 'application/json', body: JSON.stringify(envelope) })
const openDialog = async (item: string) => {
  await page.locator('header button[aria-haspopup=menu]').last().click()
  await page.getByRole('menuitem', { name: item }).click()
  return page.getByRole('dialog', { name: item })
}

describe.skipIf(noBrowser)('messages', () => {
  eachConsole(async (at) => {
    ;({ tenants, page, booted } = at)
    await at.enter(tenants.a.admin.username)
    await page.goto('/device/devicelist')
    await settled(page)
  })

  it('[§5 Change password] says that the password entered twice differs before anything is sent', async () => {
    const dialog = await openDialog('Change password')
    await dialog.getByLabel(/^New password(?! again)/).fill('abc-12345')
    await dialog.getByLabel('New password again').fill('abc-54321')
    await page.keyboard.press('Tab')
    await dialog.getByText('The password entered twice differs').waitFor()
  })

  it('[§8 Code 15] says at its field that the old password is incorrect', async () => {
    const dialog = await openDialog('Change password')
    await dialog.getByLabel('Old password').fill('never-it-1')
    await dialog.getByLabel(/^New password(?! again)/).fill('abc-12345')
    await dialog.getByLabel('New password again').fill('abc-12345')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await dialog.getByText('Old password incorrect').waitFor()
  })

  it('[§8 Code 15] says at its field that the user password is incorrect when an e-mail is bound', async () => {
    const dialog = await openDialog('Bind e-mail')
    await dialog.getByLabel('New address').fill('new@example.test')
    await dialog.getByLabel('Your password').fill('never-it-1')
    await dialog.getByRole('button', { name: 'Send the activation mail' }).click()
    await dialog.getByText('User password incorrect').waitFor()
  })

  it('a dialog whose request failed shows why, and the request id', async () => {
    await page.route(`**${changePassword.path}`, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ code: 500, data: null, message: 'It broke' }),
      }),
    )
    const dialog = await openDialog('Change password')
    await dialog.getByLabel('Old password').fill('abc-12345')
    await dialog.getByLabel(/^New password(?! again)/).fill('abc-54321')
    await dialog.getByLabel('New password again').fill('abc-54321')
    const sent = page.waitForRequest(`**${changePassword.path}`)
    await dialog.getByRole('button', { name: 'Change password' }).click()
    const id = (await sent).headers()[REQUEST_ID_HEADER] ?? ''
    await dialog.getByRole('alert').getByText('It broke').waitFor()
    await dialog.getByText(id).waitFor()
  })

  it('a refused list shows the request id', async () => {
    await page.route('**/api/device/getDeviceList*', answer({ code: 4711, message: 'Not today' }))
    const sent = page.waitForRequest('**/api/device/getDeviceList*')
    await page.reload()
    expect((await sent).headers()[REQUEST_ID_HEADER]).toMatch(/^[0-9a-f-]{36}$/)
    await page.getByRole('alert').getByText('Not today').waitFor()
    await page.getByRole('alert').getByText('Request id').waitFor()
  })

  it('a page that cannot be rendered says so, with the cause to report, and Reload leads back to it', async () => {
    const broken = answer({ code: 0, data: { list: [null], total: 1 }, message: '' })
    const said = {
      'en-US': ['This page failed', /Reload it\. If it fails again, report the text below/, 'Reload'],
      'zh-CN': ['页面出错了', /请重新加载。如果再次出错/, '重新加载'],
    } as const
    for (const [language, [title, text, reload]] of Object.entries(said)) {
      await page.evaluate((chosen) => localStorage.setItem('I18n', chosen), language)
      await page.route('**/api/device/getDeviceList*', broken)
      await page.goto('/device/devicelist')
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await page.getByText(text).first().waitFor()
      expect(await page.locator('code').first().innerText()).toMatch(/null/)
      await picture(page, 'crash', language)
      await page.unroute('**/api/device/getDeviceList*', broken)
      await page.getByRole('button', { name: reload, exact: true }).click()
      await page.getByRole('heading', { level: 1, name: title }).waitFor({ state: 'detached' })
      await settled(page)
      expect(new URL(page.url()).pathname).toBe('/device/devicelist')
      await page
        .getByRole('link', { name: tenants.a.devices[0]?.sn ?? '' })
        .first()
        .waitFor()
    }
  })

  it('[§8 Code 5] warns: permission insufficient, no right to operate', async () => {
    await page.route('**/api/device/getDeviceList*', answer({ code: 5, message: 'no' }))
    await page.reload()
    await page.getByText('Permission insufficient, no right to operate').first().waitFor()
  })

  it('[§8] says that a request timed out, please retry, after 30 s', async () => {
    // The limit is the browser's own timer, which the test's clock does not control: 30 s become one.
    await page.addInitScript(() => {
      const limit = AbortSignal.timeout.bind(AbortSignal)
      AbortSignal.timeout = (ms) => limit(ms === 30_000 ? 1_000 : 600_000)
    })
    await page.route('**/api/device/getDeviceList*', () => {})
    await page.reload()
    await page.getByText('Request timed out, please retry').first().waitFor()
  })

  it('[§8] silently ignores requests that a navigation cancelled', async () => {
    const failed: string[] = []
    page.on('requestfailed', (request) => failed.push(request.url()))
    await page.route('**/api/device/getDeviceList*', () => {})
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await page.getByRole('link', { name: 'Groups' }).first().click()
    await expect.poll(() => failed.some((url) => url.includes('/api/device/getDeviceList'))).toBe(true)
    await settled(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('a message can be closed by its name, and leaves the page the whole window when it has gone', async () => {
    const lane = () =>
      page.evaluate(() =>
        Number.parseFloat(document.documentElement.style.getPropertyValue('--lane-bottom') || '0'),
      )
    await page.goto('/alarmMsg/contacts?new=1')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Toasted')
    await dialog.getByRole('textbox', { name: 'Phone' }).fill('13700137000')
    await dialog.getByRole('textbox', { name: 'E-mail' }).fill('toasted@example.test')
    await dialog.getByRole('button', { name: 'Add contact' }).click()
    await expect.poll(lane).toBeGreaterThan(30)
    await page.locator('.mantine-Notification-root').getByRole('button', { name: 'Close message' }).waitFor()
    await expect.poll(lane).toBe(0)
  })

  it('35: the name of a device is plain text, in its place and in reading order', async () => {
    const { id } = tenants.a.devices[0] ?? { id: 0 }
    const { sql } = booted.context
    await sql`update devices set name = ${'"><img src=x onerror=window.ran=1>'}, model = ${'$t(kit:error.retry) {name}'},
      firmware = ${'\u202Egnp.exe'}, operator = 'javascript:window.ran=1' where id = ${id}`
    await sql`
      insert into commands (id, device_id, customer_id, name, args, state, deadline_at, ended_at, error)
      values (gen_random_uuid(), ${id}, ${tenants.a.customerId}, 'reboot', '{}', 'failed', now(), now(), ${'W'.repeat(500)})`
    await page.goto(`/device/particulars/1/${id}`)
    await page.getByText('failed on the device').waitFor()
    const header = await page.locator('header:has(h1)').last().innerText()
    expect(header).toContain('"><img src=x onerror=window.ran=1>')
    // Each part is a box of its own, on a line of its own in the text.
    expect(header.replace(/\s+/g, ' ')).toContain('$t(kit:error.retry) {name} · gnp.exe')
    await sql`update devices set name = ${'W'.repeat(60)} where id = ${id}`
    await page.goto('/device/devicelist')
    await page.getByText('WWWW').first().waitFor()
    await page.goto(`/device/particulars/1/${id}`)
    await page.getByText('failed on the device').waitFor()
    const found = await page.evaluate(() => ({
      ran: 'ran' in window,
      pictures: document.querySelectorAll('img[src="x"]').length,
      over: [...document.querySelectorAll('h1, [role="status"]')].filter(
        (one) => one.scrollWidth > one.clientWidth || one.getBoundingClientRect().right > innerWidth,
      ).length,
    }))
    expect(found).toEqual({ ran: false, pictures: 0, over: 0 })
  })
})
