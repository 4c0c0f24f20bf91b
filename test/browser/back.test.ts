/** What Back leads to after a wizard, and why a button is disabled. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { addPackage, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let enter: Opening['enter']
let page: Page

describe.skipIf(noBrowser)('wizards and buttons', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, enter, page } = at)
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await settled(page)
  })

  it('Back after creating an upgrade leads to the list, not to an empty wizard', async () => {
    const { context } = booted
    const { a } = tenants
    const made = await addPackage(context, { customerId: a.customerId, model: 'R200', version: '7.7.7' })
    await page.goto(`/task/upgrade?new=1&spId=${made.id}&dids=${a.devices[0]?.id ?? 0}`)
    const wizard = page.getByRole('dialog', { name: 'New upgrade' })
    await wizard.getByRole('button', { name: 'Next' }).click()
    await wizard.getByRole('button', { name: /^Upgrade/ }).click()
    await page.waitForURL(/task\/upgrade\/\d+/)
    await settled(page)
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/task/upgrade')
    await settled(page)
    expect(new URL(page.url()).searchParams.get('new')).toBeNull()
    expect(await page.getByRole('dialog').count()).toBe(0)
  }, 60_000)

  it('a disabled button says why to the keyboard, the pointer and the screen reader', async () => {
    const [, device] = tenants.a.devices
    await page.goto(`/device/particulars/${tenants.a.groups.root}/${device?.id ?? 0}`)
    await settled(page)
    const reboot = page.getByRole('button', { name: 'Reboot' }).first()
    const why = await reboot.getAttribute('aria-description')
    expect(why).toMatch(/offline/i)
    await page.keyboard.press('Tab')
    await reboot.focus()
    await page
      .getByRole('tooltip')
      .getByText(why ?? '')
      .waitFor()
  })
})
