/** What is edited stays, and is what was saved, when answers come late, not at all, or are long. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { TEST_PASSWORD, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('late answers', () => {
  let booted: Booted
  let tenants: Tenants
  let enter: Opening['enter']
  let page: Page
  let dialogs: ReturnType<Page['locator']>

  eachConsole(async (at) => {
    ;({ booted, tenants, enter, page } = at)
    dialogs = page.getByRole('dialog').filter({ visible: true })
    await enter(tenants.a.admin.username)
  })

  it('the answer to a deletion that was left does not close the next dialog', async () => {
    await page.goto('/device/devicelist')
    await settled(page)
    const more = async (item: string) => {
      await page.getByRole('row').nth(1).getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: item, exact: true }).click()
    }
    const release = Promise.withResolvers<void>()
    await page.route('**/deleteDevices', async (route) => {
      await release.promise
      await route.fulfill({ json: { code: 0, data: { dids: [] }, message: '' } })
    })
    await more('Delete')
    await dialogs.getByRole('textbox').first().fill('lost')
    await dialogs.getByRole('button', { name: 'Delete' }).last().click()
    await page.keyboard.press('Escape')
    await dialogs.waitFor({ state: 'hidden' })
    await more('Edit name and location')
    await dialogs.getByRole('textbox').first().fill('Half typed')
    const answered = page.waitForResponse('**/deleteDevices')
    release.resolve()
    await answered
    await page.waitForTimeout(300)
    expect(await dialogs.count()).toBe(1)
    await page.unroute('**/deleteDevices')
  })

  it('a role that is being saved is not closed, and the end of the login leaves no message in it', async () => {
    await page.goto('/system/authoritymanagement')
    await settled(page)
    await page.getByRole('button', { name: 'Add role' }).first().click()
    const save = async () => {
      await dialogs.getByRole('button', { name: 'Save', exact: true }).click()
      await expect.poll(() => dialogs.count()).toBe(2)
      await dialogs.last().getByRole('button', { name: 'Save' }).click()
    }
    await dialogs.getByRole('textbox', { name: 'Role name' }).fill('Day watch')
    const ended = { code: 2, data: null, message: '' }
    await page.route('**/addRole', (route) => route.fulfill({ json: ended }), { times: 1 })
    await save()
    const again = page.getByRole('dialog', { name: 'Login status expired, please log in again' })
    await again.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await again.getByRole('button', { name: 'Log in again' }).click()
    await again.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    const release = Promise.withResolvers<void>()
    await page.route('**/addRole', async (route) => {
      await release.promise
      await route.continue()
    })
    await expect.poll(() => dialogs.count()).toBe(1)
    await save()
    await page.keyboard.press('Escape')
    await page.waitForTimeout(300)
    expect(await dialogs.count()).toBe(2)
    release.resolve()
    await expect.poll(() => dialogs.count()).toBe(0)
    await page.getByRole('row', { name: /^Day watch/ }).waitFor()
    await page.unroute('**/addRole')
  })

  it('a profile that is saved, but cannot be read again, is edited from what was saved', async () => {
    await page.goto('/dashboard')
    await settled(page)
    await page.getByRole('button', { name: tenants.a.admin.username }).click()
    await page.getByRole('menuitem', { name: 'Profile' }).click()
    const profile = page.getByRole('dialog', { name: /rofile/ })
    const nickname = profile.getByRole('textbox', { name: 'Nickname' })
    const edit = () => profile.getByRole('button', { name: 'Edit profile' }).click()
    const save = async (text: string) => {
      await nickname.fill(text)
      await profile.getByRole('button', { name: 'Save' }).click()
      await nickname.waitFor({ state: 'hidden' })
    }
    const failed = { code: 1, data: null, message: 'not now' }
    await page.route('**/showFunctionList', (route) => route.fulfill({ json: failed }))
    await edit()
    await save('First')
    await page.unroute('**/showFunctionList')
    await edit()
    await expect.poll(() => nickname.inputValue()).toBe('First')
    await save('Second')
    await profile.getByText('Second').first().waitFor()
    await booted.context.sql`update users set nickname = null where id = ${tenants.a.admin.id}`
  })

  it('the role of a user is kept in their form, however many roles the customer has', async () => {
    const { customerId, viewer } = tenants.a
    const { sql } = booted.context
    await sql`insert into roles (customer_id, name) select ${customerId}, 'Many ' || n from generate_series(1, 500) n`
    const [last] = await sql<{ id: number }[]>`
      insert into roles (customer_id, name) values (${customerId}, 'Zulu') returning id`
    const [before] = await sql<{ role: number }[]>`select role_id as role from users where id = ${viewer.id}`
    await sql`update users set role_id = ${last?.id ?? 0} where id = ${viewer.id}`
    await page.goto('/system/usercontrol')
    await settled(page)
    const row = page.getByRole('row').filter({ hasText: viewer.username })
    await row.getByRole('button', { name: 'Edit' }).click()
    const field = page.getByRole('combobox', { name: /^Role/ })
    await field.waitFor()
    await settled(page)
    expect(await field.inputValue()).toBe('Zulu')
    await sql`update users set role_id = ${before?.role ?? 0} where id = ${viewer.id}`
    await sql`delete from roles where name = 'Zulu' or name like 'Many %'`
  })
})
