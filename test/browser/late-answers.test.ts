/** What is edited stays, and is what was saved, when answers come late, not at all, or are long. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('late answers', () => {
  let booted: Booted
  let tenants: Tenants
  let enter: Opening['enter']
  let page: Page

  eachConsole(async (at) => {
    ;({ booted, tenants, enter, page } = at)
    await enter(tenants.a.admin.username)
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
})
