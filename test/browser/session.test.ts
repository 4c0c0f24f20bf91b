/** Drafts, the dialog that renews a login, and questions before input is lost (docs/decisions/015). */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { TEST_PASSWORD, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, type Opened, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let opened: Opened
let enter: Opening['enter']
let page: Page

const LIST = '/device/devicelist?search=a'
/** As after a password change elsewhere, or a revoked login. */
const endSessions = () => booted.context.sql`update sessions set ended_at = now() where ended_at is null`
const path = () => page.url().slice(booted.url.length)
const drafts = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft:')))
const form = () => page.getByRole('dialog', { name: 'Add device' })
const again = () => page.getByRole('dialog', { name: 'Login status expired, please log in again' })

const openForm = async () => {
  await page.getByRole('button', { name: 'Add device' }).first().click()
  await form().getByLabel('Serial number').waitFor()
}
const typed = () => form().getByLabel('Serial number').inputValue()
const type = async (sn: string) => {
  await openForm()
  await form().getByLabel('Serial number').fill(sn)
}

/** Other required fields of the form. */
const complete = async () => {
  await form().getByRole('textbox', { name: 'Name' }).fill('Till 1')
  await form().getByRole('textbox', { name: 'Address' }).fill('Street 1')
  await form().getByRole('combobox', { name: 'Group' }).click()
  await page.getByRole('option').first().click()
}

describe.skipIf(noBrowser)('a login and its unsaved input', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, opened, enter, page } = at)
    await enter(tenants.a.admin.username)
    await page.goto(LIST)
    await settled(page)
  })

  describe('unsaved input', () => {
    it('survives a reload, is offered again with its time, and can be discarded', async () => {
      await type('DRAFT-1')
      await page.reload()
      await settled(page)
      await openForm()
      await form()
        .getByText(/Restored draft from \d\d:\d\d/)
        .waitFor()
      await expect.poll(typed).toBe('DRAFT-1')
      await form().getByRole('alert').getByRole('button', { name: 'Discard' }).click()
      await expect.poll(typed).toBe('')
      await expect.poll(drafts).toEqual([])
    })

    it('survives a closed tab and the login page, for the same user only', async () => {
      await type('DRAFT-2')
      await page.close()
      page = await opened.context.newPage()
      await page.goto('/')
      await page.waitForURL('**/login')
      await enter(tenants.b.admin.username)
      await page.goto(LIST)
      await settled(page)
      await openForm()
      await expect.poll(() => typed()).toBe('')
      await page.goto('/login')
      await enter(tenants.a.admin.username)
      await page.goto(LIST)
      await settled(page)
      await openForm()
      await expect.poll(typed).toBe('DRAFT-2')
    })

    it('is deleted after saving, and after 7 days', async () => {
      await type('DRAFT-3')
      await page.evaluate(() => {
        for (const [key, value] of Object.entries(localStorage))
          if (key.startsWith('draft:'))
            localStorage.setItem(
              key,
              JSON.stringify({ ...JSON.parse(value), at: Date.now() - 8 * 24 * 3_600_000 }),
            )
      })
      await page.reload()
      await settled(page)
      await expect.poll(drafts).toEqual([])
      await type('DRAFT-3')
      await complete()
      await form().getByRole('button', { name: 'Add', exact: true }).click()
      await form().waitFor({ state: 'hidden' })
      await expect.poll(drafts).toEqual([])
    })

    it('is marked on the tab, and logging out asks before it deletes it', async () => {
      await type('DRAFT-4')
      await page.getByRole('img', { name: 'Unsaved changes' }).waitFor({ state: 'attached' })
      await page.goBack()
      await page.goto(LIST)
      await settled(page)
      await type('DRAFT-5')
      await page.keyboard.press('Control+K')
      await page.getByPlaceholder(/^Page, device/).fill('Packages')
      await page.locator('[data-action][data-selected]', { hasText: 'Packages' }).waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL('**/task/softwarepackage')
      await settled(page)
      await page.getByRole('button', { name: 'Close Devices' }).click()
      const question = page.getByRole('dialog', { name: 'This page has unsaved changes' })
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'hidden' })
      await page.getByRole('img', { name: 'Unsaved changes' }).waitFor()
      await page.getByRole('button', { name: tenants.a.admin.username }).click()
      await page.getByRole('menuitem', { name: 'Log out' }).click()
      await page
        .getByRole('dialog', { name: 'Log out and discard unsaved changes?' })
        .getByRole('button', { name: 'Log out' })
        .click()
      await page.waitForURL('**/login')
      await expect.poll(drafts).toEqual([])
    })
  })

  it('takes the messages about requests that wait for its decision away when it ends', async () => {
    const { devices, operator } = tenants.a
    await booted.context.sql`
      insert into remote_accesses (device_id, customer_id, user_id, reason, minutes, until)
      values (${devices[0]?.id ?? 0}, ${tenants.a.customerId}, ${operator.id}, 'a look', 60, now() + interval '1 hour')`
    await page.reload()
    const message = page.getByText(`${operator.username} requests access to`)
    await message.waitFor()
    await page.getByRole('button', { name: tenants.a.admin.username }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/login')
    await message.waitFor({ state: 'detached', timeout: 5_000 })
    await booted.context.sql`delete from remote_accesses`
  })

  it('takes the offers to retry away when it ends: the next user would send them in their own name', async () => {
    const [device] = tenants.a.devices
    await booted.context.sql`update devices set deleted_at = now() where id = ${device?.id ?? 0}`
    await page.goto(`/device/particulars/${device?.groupId}/${device?.id}`)
    // Messages can be shown even if the network is lost before the first one.
    const messages = page.waitForResponse(/\/toaster-[\w-]+\.js$/)
    await page.reload()
    await messages
    await settled(page)
    await opened.context.setOffline(true)
    await page.getByRole('alert').filter({ hasText: 'No connection to the server since' }).waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    const retry = page.getByRole('button', { name: 'Retry' })
    await retry.waitFor({ timeout: 5_000 })
    await opened.context.setOffline(false)
    await page.getByText(/Back online since/).waitFor()
    expect(await retry.count()).toBe(1)
    await page.getByRole('button', { name: tenants.a.admin.username }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.waitForURL('**/login')
    await retry.waitFor({ state: 'detached', timeout: 5_000 })
    await booted.context.sql`update devices set deleted_at = null where id = ${device?.id ?? 0}`
  })

  describe('codes 2 and 20 while a page is open', () => {
    it('clear what is stored at once and ask for the password over the page, which stays as it was', async () => {
      await type('KEPT-1')
      await complete()
      await endSessions()
      await form().getByRole('button', { name: 'Add', exact: true }).click()
      await again().getByLabel('Password', { exact: true }).waitFor()
      const stored = await page.evaluate(() => ({ cookie: document.cookie, keys: Object.keys(localStorage) }))
      expect(stored.cookie).not.toMatch(/token|permission|menu/)
      expect(stored.keys.filter((key) => key !== 'I18n' && !key.startsWith('draft:'))).toEqual([])
      await page.keyboard.press('Escape')
      await again().getByLabel('Password', { exact: true }).fill('wrong-horse-1')
      await again().getByRole('button', { name: 'Log in again' }).click()
      await again().getByText('Username or password wrong').waitFor()
      await again().getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      await again().getByRole('button', { name: 'Log in again' }).click()
      await again().waitFor({ state: 'hidden' })
      expect(path()).toBe(LIST)
      await expect.poll(typed).toBe('KEPT-1')
      await form().getByRole('button', { name: 'Add', exact: true }).click()
      await form().waitFor({ state: 'hidden' })
      await page.getByText('KEPT-1').first().waitFor()
    })

    it('leave no message in a form of its own that could not be saved before', async () => {
      const fields = { name: 'Clocks', pages: { ntp: { enabled: true } }, everywhere: false, place: 100 }
      const token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
      await booted.call('configTemplate/addConfigTemplate', { ...fields, groupIds: [], deviceIds: [] }, token)
      await page.goto('/resource/configtemplate')
      await page.getByRole('button', { name: 'Edit' }).first().click()
      const editor = page.getByRole('dialog', { name: 'Edit template' })
      await editor.getByRole('textbox', { name: 'Remark' }).fill('typed')
      await endSessions()
      // The question may be there already.
      await editor.getByRole('button', { name: 'Save' }).dispatchEvent('click')
      await again().locator('input[type=password]').fill(TEST_PASSWORD)
      await page.keyboard.press('Enter')
      await again().waitFor({ state: 'hidden' })
      await expect.poll(() => editor.getByRole('alert').count()).toBe(0)
      await editor.getByRole('button', { name: 'Save' }).click()
      await editor.waitFor({ state: 'hidden' })
    })

    it('end the full screen of a big screen, which would hide the dialog', async () => {
      await page.goto('/cloudMonitor/cloudMonitorHome')
      await settled(page)
      await page.getByRole('button', { name: 'Open big screen' }).click()
      const full = () => page.evaluate(() => document.fullscreenElement !== null)
      await expect.poll(full).toBe(true)
      await endSessions()
      const password = again().getByLabel('Password', { exact: true })
      await password.waitFor()
      await expect.poll(full).toBe(false)
      await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true)
    })

    it('repeat the reads that had failed', async () => {
      await endSessions()
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await again().getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      await again().getByRole('button', { name: 'Log in again' }).click()
      await again().waitFor({ state: 'hidden' })
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await page.getByRole('link', { name: 'Packages', exact: true }).first().click()
      await page.waitForURL('**/task/softwarepackage')
      await settled(page)
    })

    it('lead to /login and back for another user, and the draft stays for its own user', async () => {
      await type('KEPT-2')
      await endSessions()
      await form().getByRole('button', { name: 'Cancel' }).waitFor()
      // The list below refreshes automatically, every 10 s.
      await again().getByRole('button', { name: 'Use another account' }).click()
      await page.waitForURL('**/login?**')
      await page.getByText('Login status expired').waitFor()
      expect(new URL(page.url()).searchParams.get('returnTo')).toBe(LIST)
      await page.getByRole('textbox', { name: 'User name' }).fill(tenants.a.admin.username)
      await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      await page.getByRole('button', { name: 'Log in again', exact: true }).click()
      await page.waitForURL(`**${LIST}`)
      await settled(page)
      await openForm()
      await expect.poll(typed).toBe('KEPT-2')
    })

    it('log nobody in by a login that was still under way when the user left for the login page', async () => {
      await endSessions()
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await again().getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      const release = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<void>()
      await page.route('**/api/userLogin', async (route) => {
        held.resolve()
        await release.promise
        await route.continue().catch(() => undefined)
      })
      page.on('requestfinished', (sent) => sent.url().endsWith('/api/userLogin') && ended.resolve())
      page.on('requestfailed', (sent) => sent.url().endsWith('/api/userLogin') && ended.resolve())
      await again().getByRole('button', { name: 'Log in again' }).click()
      await held.promise
      await again().getByRole('button', { name: 'Use another account' }).click()
      await page.getByRole('textbox', { name: 'User name' }).waitFor()
      release.resolve()
      await ended.promise
      await settled(page)
      await page.unroute('**/api/userLogin')
      await page.goto('/device/devicelist')
      await page.waitForURL('**/login**', { timeout: 10_000 })
    })

    it('leave nothing of a user who left for the login page while their rights were still under way', async () => {
      await endSessions()
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await again().getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
      const release = Promise.withResolvers<void>()
      const held = Promise.withResolvers<void>()
      await page.route('**/showFunctionList', async (route) => {
        held.resolve()
        await release.promise
        await route.continue()
      })
      await again().getByRole('button', { name: 'Log in again' }).click()
      await held.promise
      const answered = page.waitForResponse('**/showFunctionList')
      await again().getByRole('button', { name: 'Use another account' }).click()
      await page.getByRole('textbox', { name: 'User name' }).waitFor()
      release.resolve()
      await answered
      await settled(page)
      expect(await page.evaluate(() => [localStorage.getItem('user_id'), document.cookie])).toEqual([
        null,
        expect.not.stringContaining('permission='),
      ])
      await page.unroute('**/showFunctionList')
    })

    it('end by a login from another tab of the same user', async () => {
      await endSessions()
      await page.getByRole('button', { name: 'Refresh', exact: true }).click()
      await again().waitFor()
      await enter(tenants.a.admin.username)
      await page.evaluate(() => dispatchEvent(new Event('focus')))
      await again().waitFor({ state: 'hidden' })
      expect(path()).toBe(LIST)
    })
  })
})
