/** The group tree by keyboard, and confirmations and undo of the group page. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole } from './each-console.ts'
import { escapeDialog, noBrowser, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let page: Page

const parameter = (name: string) => new URL(page.url()).searchParams.get(name)
const rows = () => page.locator('tbody tr').count()
const go = async (path: string) => {
  await page.goto(path)
  await settled(page)
}
const menu = async (group: string, item: string) => {
  await page
    .locator('tbody tr')
    .filter({ hasText: group })
    .first()
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

describe.skipIf(noBrowser)('groups', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, page } = at)
    await at.enter(tenants.a.admin.username)
  })

  it('the tree beside the device list is used by keyboard; the URL keeps the group', async () => {
    await go('/device/devicelist')
    const tree = page.getByRole('tree', { name: 'Groups' })
    await tree.getByRole('treeitem', { name: 'Branch' }).waitFor()
    await tree.focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await expect.poll(() => parameter('groupId')).toBe(String(tenants.a.groups.branch))
    await expect.poll(rows).toBe(2)
    await page.reload()
    await settled(page)
    await expect.poll(() => tree.getByRole('treeitem', { selected: true }).textContent()).toContain('Branch')
    await tree.getByRole('treeitem', { name: 'All' }).click()
    await expect.poll(() => parameter('groupId')).toBeNull()
    await page.getByRole('button', { name: 'Hide the groups' }).click()
    await page.reload()
    await settled(page)
    await expect.poll(() => tree.count()).toBe(0)
    await page.getByRole('button', { name: 'Show the groups (All)' }).click()
    await tree.waitFor()
  })

  it('[§4] the bridging toggle resets the remote IP at once; an invalid account is reported at its field', async () => {
    await go('/device/groupinglist')
    const form = page.getByRole('dialog', { name: 'Edit group Other' })
    await page.locator('tbody tr').filter({ hasText: 'Other' }).getByRole('button', { name: 'Edit' }).click()
    const ip = form.getByRole('textbox', { name: 'Remote IP' })
    await ip.fill('10.9.8.7')
    await form.getByRole('switch').click({ force: true })
    await expect.poll(() => ip.inputValue()).toBe('192.168.1.1')
    await form.getByRole('switch').click({ force: true })
    await expect.poll(() => ip.inputValue()).toBe('10.128.0.1')
    const account = form.getByRole('textbox', { name: 'Remote account' })
    await account.fill('短')
    await account.blur()
    await form.getByText('Remote account must have at least 6 characters', { exact: true }).waitFor()
    await account.fill('acme-other')
    await form.getByLabel('Remote password').first().fill('other-pass-1')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('acme-other').waitFor()
  })

  it('a group is moved by keyboard, and back by undo', async () => {
    await go('/device/groupinglist')
    await menu('Other', 'Move')
    const form = page.getByRole('dialog', { name: 'Move group Other' })
    const parent = form.getByRole('combobox', { name: 'New parent group' })
    // The drawer puts the focus into itself when it has opened.
    await expect
      .poll(async () => {
        await parent.focus()
        await page.keyboard.press('ArrowDown')
        return page.getByRole('option').count()
      })
      .toBeGreaterThan(0)
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
    await form.getByRole('button', { name: 'Move' }).click()
    const level = async () =>
      (await booted.context.sql`select level from groups where id = ${tenants.a.groups.other}`)[0]?.['level']
    await expect.poll(level).toBeGreaterThan(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(level).toBe(1)
  })

  it('a form that is sent twice does its work once, and Back waits for the answer', async () => {
    const release = Promise.withResolvers<void>()
    await page.route('**/levelUp', async (route) => {
      await release.promise
      await route.continue()
    })
    await go('/device/groupinglist')
    await menu('Other', 'Move')
    const form = page.getByRole('dialog', { name: 'Move group Other' })
    await form.getByRole('combobox', { name: 'New parent group' }).click()
    await page.getByRole('option').last().click()
    await form.locator('form').evaluate((element: HTMLFormElement) => {
      element.requestSubmit()
      element.requestSubmit()
    })
    await page.evaluate(() => history.back())
    await page.waitForTimeout(300)
    expect(await form.isVisible()).toBe(true)
    release.resolve()
    const undo = page.getByRole('button', { name: 'Undo' })
    await undo.first().waitFor()
    await settled(page)
    expect(await undo.count()).toBe(1)
    await undo.click()
    await page.unroute('**/levelUp')
  })

  it('the devices of a group are not searched by what was searched in another one', async () => {
    await go('/device/groupinglist')
    const drawer = page.getByRole('dialog').filter({ visible: true })
    const search = drawer.getByRole('searchbox')
    const open = (group: string) =>
      page
        .locator('tbody tr')
        .filter({ hasText: group })
        .first()
        .getByRole('button', { name: 'Devices', exact: true })
        .click()
    await open('Branch')
    await search.fill('of before')
    await page.waitForURL(/of(\+|%20)before/)
    await escapeDialog(page)
    await open('Other')
    await search.waitFor()
    expect(await search.inputValue()).toBe('')
  })

  it('who does not clear the remote account after all still sees it', async () => {
    await booted.context.sql`
      update groups set remote_account = 'acme-kept' where id = ${tenants.a.groups.branch}`
    await go('/device/groupinglist')
    await menu('Branch', 'Remote account')
    const account = page.getByRole('dialog', { name: 'Remote account of group Branch' })
    await account.getByRole('button', { name: 'Remove the account' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the remote account acme-kept?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await settled(page)
    expect(await account.isVisible()).toBe(true)
  })

  it('the tree counts a device as soon as it is added', async () => {
    await go('/device/devicelist')
    const all = page.getByRole('tree', { name: 'Groups' }).getByRole('treeitem', { name: 'All' })
    const total = async () => Number(/\/(\d+)/.exec((await all.textContent()) ?? '')?.[1])
    const before = await total()
    await page.getByRole('button', { name: 'Add device' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add device' })
    for (const [label, text] of [
      ['Serial number', 'COUNTED-1'],
      ['Name', 'Counted'],
      ['Address', 'Roof'],
    ] as const)
      await form.getByRole('textbox', { name: label }).fill(text)
    await form.getByRole('combobox', { name: 'Group' }).click()
    await page.getByRole('option', { name: 'Branch' }).first().click()
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'I have kept it' }).click()
    await expect.poll(total).toBe(before + 1)
  })
})
