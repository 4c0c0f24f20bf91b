/** What Back leads to after a wizard, and why a button is disabled. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { addPackage, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { escapeDialog, noBrowser, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let enter: Opening['enter']
let page: Page

/** Going back again would follow within a few turns of the page. */
const stays = async () => {
  await page.waitForTimeout(300)
  expect(new URL(page.url()).pathname).toBe('/device/groupinglist')
}

describe.skipIf(noBrowser)('wizards and buttons', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, enter, page } = at)
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await settled(page)
  })

  /** The wizard, with a new package and one device chosen. */
  async function newUpgrade(version: string) {
    const { customerId, devices } = tenants.a
    const made = await addPackage(booted.context, { customerId, model: 'R200', version })
    await page.goto(`/task/upgrade?new=1&spId=${made.id}&dids=${devices[0]?.id ?? 0}`)
    return page.getByRole('dialog', { name: 'New upgrade' })
  }

  it('Back after creating an upgrade leads to the list, not to an empty wizard', async () => {
    const wizard = await newUpgrade('7.7.7')
    await wizard.getByRole('button', { name: 'Next' }).click()
    await wizard.getByRole('button', { name: /^Upgrade/ }).click()
    await page.waitForURL(/task\/upgrade\/\d+/)
    await settled(page)
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/task/upgrade')
    await settled(page)
    expect(new URL(page.url()).searchParams.get('new')).toBeNull()
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })

  it.each([
    ['desktop', { width: 1440, height: 900 }],
    ['mobile', { width: 390, height: 844 }],
  ])('Back closes an open form first and keeps its draft: %s', async (_size, size) => {
    await page.setViewportSize(size)
    await page.goto('/device/groupinglist')
    await settled(page)
    await page.getByRole('button', { name: 'Add group', exact: true }).first().click()
    const form = page.getByRole('dialog', { name: 'Add group' })
    await form.getByRole('textbox', { name: /^Group name/ }).fill('Typed 1')
    await page.goBack()
    await form.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/device/groupinglist')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('button', { name: 'Add group', exact: true }).first().click()
    await expect.poll(() => form.getByRole('textbox', { name: /^Group name/ }).inputValue()).toBe('Typed 1')
    await form.getByText('Discard', { exact: true }).first().click()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    // Closed in another way: one step back leaves the page.
    await page.goBack()
    await page.waitForURL('**/dashboard')
  })

  it('Back closes the topmost dialog only; a dialog that asks stays until it is answered', async () => {
    await page.goto('/device/groupinglist')
    await settled(page)
    await page.getByRole('button', { name: 'Add group', exact: true }).first().click()
    const form = page.getByRole('dialog', { name: 'Add group' })
    await form.getByRole('textbox', { name: /^Group name/ }).fill('Typed 2')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard the changes?' })
    await question.waitFor()
    await page.goBack()
    await question.waitFor({ state: 'hidden' })
    await expect.poll(() => form.isVisible()).toBe(true)
    await page.goBack()
    await form.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/device/groupinglist')
    await page.goForward()
    await stays()
    await page.goBack()
    await page.waitForURL('**/dashboard')
    await page.goForward()
    await page.waitForURL('**/device/groupinglist')
  })

  it('Escape closes the topmost drawer only, and neither Escape nor Back a secret that is shown once', async () => {
    await page.goto('/device/devicelist')
    await settled(page)
    await page.getByRole('button', { name: 'Enrolment keys' }).click()
    const keys = page.getByRole('dialog', { name: 'Enrolment keys' })
    const form = page.getByRole('dialog', { name: 'Add a key' })
    const secret = page.getByRole('dialog', { name: 'The enrolment key' })
    const add = keys.getByRole('button', { name: 'Add a key' }).first()
    await add.click()
    await form.getByRole('textbox', { name: 'Purpose' }).waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    expect(await keys.isVisible()).toBe(true)
    await add.click()
    await form.getByRole('textbox', { name: 'Purpose' }).fill('Shown once')
    await form.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option').first().click()
    await form.getByRole('button', { name: 'Add a key' }).click()
    await secret.waitFor()
    await form.waitFor({ state: 'hidden' })
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.waitForTimeout(300)
    expect(await secret.isVisible()).toBe(true)
    await secret.getByRole('button', { name: 'I have kept it' }).click()
    await secret.waitFor({ state: 'hidden' })
    expect(await keys.isVisible()).toBe(true)
    await page.goBack()
    await keys.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname).toBe('/device/devicelist')
  })

  it('the size of a wave is emptied and typed anew; it became 1 first, and the digits were added to that', async () => {
    const wizard = await newUpgrade('7.7.8')
    await wizard.getByRole('button', { name: 'Next' }).click()
    await wizard.getByRole('switch', { name: /^In waves/ }).check()
    for (const label of ['Wave 1: Share of the devices', /^Success needed for the next wave/]) {
      const field = wizard.getByRole('textbox', { name: label })
      await field.fill('')
      await field.pressSequentially('20')
      await expect.poll(() => field.inputValue()).toMatch(/^20( %)?$/)
    }
    await wizard.getByRole('button', { name: 'Start over' }).click()
  })

  it('a task is not created by the verdict of devices that were chosen before', async () => {
    const wizard = await newUpgrade('7.7.9')
    const create = wizard.getByRole('button', { name: /^Upgrade/ })
    await wizard.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => create.getAttribute('aria-disabled')).not.toBe('true')
    await wizard.getByRole('button', { name: 'Back' }).click()
    const answer = Promise.withResolvers<void>()
    await page.route('**/levelUp/preflight', async (route) => {
      await answer.promise
      await route.continue()
    })
    await wizard.getByText('All matching').click()
    await wizard.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
    expect(await wizard.getByText('The package fits').count()).toBe(0)
    answer.resolve()
    await expect.poll(() => create.getAttribute('aria-disabled')).not.toBe('true')
    await wizard.getByRole('button', { name: 'Start over' }).click()
  })

  it('Forward to where a dialog was opened after a reload stays on the page', async () => {
    await page.goto('/device/groupinglist')
    await settled(page)
    const form = page.getByRole('dialog', { name: 'Add group' })
    const open = async () => {
      await page.getByRole('button', { name: 'Add group', exact: true }).first().click()
      await form.waitFor()
    }
    await open()
    await escapeDialog(page)
    await page.reload()
    await settled(page)
    await open()
    await page.goBack()
    await form.waitFor({ state: 'hidden' })
    await page.goBack()
    await page.waitForURL('**/dashboard')
    await page.goForward()
    await page.waitForURL('**/device/groupinglist')
    await settled(page)
    await page.goForward()
    await stays()
  })

  it('a filter set after a dialog was closed stays in the list, and Back still leaves it once', async () => {
    await page.goto('/device/devicelist')
    await settled(page)
    await page.getByRole('button', { name: 'Add device' }).first().click()
    await page.getByRole('dialog', { name: 'Add device' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page
      .getByPlaceholder(/^Serial, name/)
      .first()
      .fill('gw')
    await page.waitForURL(/search=gw/)
    await page.goBack()
    await page.waitForURL('**/dashboard')
  })

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
