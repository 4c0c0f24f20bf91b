/** Shortcuts, the palette's actions, forms that count changes, and polls without changes. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole } from './each-console.ts'
import { escapeDialog, noBrowser, settled } from './open-browser.ts'

const LIST = '/device/devicelist'

let booted: Booted
let tenants: Tenants
let page: Page

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const search = () => page.getByPlaceholder(/^Serial, name/)
const isFocused = () => search().evaluate((field) => field === document.activeElement)

describe.skipIf(noBrowser)('the console by keyboard', () => {
  eachConsole(async (at) => {
    ;({ booted, tenants, page } = at)
    await at.enter(tenants.a.admin.username)
    await page.goto(LIST)
    await settled(page)
  })

  it('? lists the keys, / and Ctrl+F lead to the search, and none of them works while typing', async () => {
    await page.keyboard.press('?')
    await dialog('Keyboard shortcuts').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.press('Escape')
    await dialog('Keyboard shortcuts').waitFor({ state: 'hidden' })
    await expect.poll(isFocused).toBe(false)
    await page.keyboard.press('/')
    await expect.poll(isFocused).toBe(true)
    await page.keyboard.type('/?')
    await expect.poll(() => search().inputValue()).toBe('/?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await search().blur()
    await page.keyboard.press('Control+f')
    await expect.poll(isFocused).toBe(true)
  })

  it('a second Ctrl+F is the browser’s', async () => {
    // Not pressed for real: the browser's own search would take the focus.
    const free = () =>
      search().evaluate((field) =>
        field.dispatchEvent(
          new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true }),
        ),
      )
    expect([await free(), await isFocused(), await free()]).toEqual([false, true, true])
  })

  it('the palette offers permitted actions, and Escape closes only the question', async () => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Page, device/).fill('add a dev')
    await page.getByText('Add a device', { exact: true }).click()
    await dialog('Add device').getByLabel('Serial number').fill('KEYS1')
    expect(page.url()).not.toContain('new=')
    await page.keyboard.press('Escape')
    await dialog('Discard the changes?').waitFor()
    await page.keyboard.press('Escape')
    await dialog('Discard the changes?').waitFor({ state: 'hidden' })
    await expect.poll(() => dialog('Add device').getByLabel('Serial number').inputValue()).toBe('KEYS1')
  })

  it.each(['Escape', 'a press elsewhere'])(
    '%s ends what is typed for a palette that is still loading',
    async (end) => {
      const release = Promise.withResolvers<void>()
      await page.route('**/palette-*.js', async (route) => {
        await release.promise
        await route.continue()
      })
      await page.reload()
      await settled(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('ab')
      if (end === 'Escape') {
        await page.keyboard.press('Escape')
        await search().focus()
      } else await search().click()
      await page.keyboard.type('xyz')
      expect(await search().inputValue()).toBe('xyz')
      release.resolve()
      await settled(page)
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(/^Page, device/).waitFor()
      await page.unroute('**/palette-*.js')
    },
  )

  it('what the palette offers to add opens its form, in both areas', async () => {
    const offered = async () => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(/^Page, device/).fill('add a')
      return page.locator('[data-action]', { hasText: /^Add an? / })
    }
    await (await offered()).first().waitFor()
    expect(await page.locator('[data-action]').allTextContents()).toEqual(
      expect.arrayContaining(['Add a project', 'Add a collection template', 'Add a panel']),
    )
    await escapeDialog(page)
    for (const name of ['Add an alarm rule', 'Add a project']) {
      await (await offered()).getByText(name, { exact: true }).click()
      // The form: with what it asks for.
      await page.getByRole('dialog').getByRole('textbox').first().waitFor()
      await settled(page)
      await escapeDialog(page)
    }
  })

  it('Enter opens the device that the palette found, and a middle click closes its tab and nothing else', async () => {
    const { id = 0, sn = '' } = tenants.a.devices[0] ?? {}
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/^Page, device/).fill(sn)
    // Found a moment after the last letter.
    await page.locator('[data-action][data-selected]', { hasText: sn }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/device/particulars/*/${id}`)
    const tab = page.getByRole('navigation', { name: 'Visited pages' }).getByRole('link', { name: sn })
    await tab.click({ button: 'middle' })
    await tab.waitFor({ state: 'hidden' })
    expect(page.context().pages()).toHaveLength(1)
  })

  it('a form that edits counts its changes, and shows why nothing can be saved', async () => {
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog')
    const save = form.getByRole('button', { name: /^Save/ })
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    await save.hover()
    await page.getByText('Nothing has changed').waitFor()
    await form.getByLabel(/name/i).first().fill('Another name')
    await form.getByRole('button', { name: 'Save (1 change)' }).waitFor()
    await form.getByRole('button', { name: 'Discard' }).click()
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
  })

  it('all matching devices are shown before they are moved', async () => {
    await page.getByRole('button', { name: 'More actions' }).first().waitFor()
    await booted.context.sql`
      insert into devices (customer_id, group_id, sn, name)
      select customer_id, group_id, 'MATCH' || n, 'match ' || n
      from devices, generate_series(1, 12) n where id = ${tenants.a.devices[0]?.id ?? 0}`
    await page.goto(`${LIST}?search=match`)
    await page.getByLabel('Select this page').check()
    await page.getByRole('button', { name: 'Select all 12 matching' }).click()
    await page.getByRole('button', { name: 'Move 12' }).click()
    const said = await page.getByText('For all 12 that match').locator('..').innerText()
    expect(said).toContain('Search: match')
    expect(said).toMatch(/match \d+ · MATCH\d+/)
    expect(said).toContain('and 9 more')
    // One more matches by the time that the move is confirmed: nothing is moved.
    await booted.context.sql`
      insert into devices (customer_id, group_id, sn, name)
      select customer_id, group_id, 'MATCH13', 'match 13' from devices where sn = 'MATCH1'`
    const drawer = page.getByRole('dialog')
    await drawer.getByLabel('Group').click()
    await page.getByRole('option', { name: 'Other' }).click()
    await drawer.getByRole('button', { name: 'Move' }).click()
    await drawer.getByText('13 devices match now, more than were confirmed').waitFor()
    const places = await booted.context.sql`select distinct group_id from devices where sn like 'MATCH%'`
    expect(places).toHaveLength(1)
    await page.goto(LIST)
  })

  it('the device list fits 1440 px beside its groups', async () => {
    const over = () =>
      page
        .locator('.mantine-ScrollArea-viewport', { has: page.getByRole('table') })
        .first()
        .evaluate((element) => element.scrollWidth - element.clientWidth)
    await expect.poll(over).toBeLessThanOrEqual(0)
  })

  it('J and K move the focus from alarm to alarm, shortcuts act on it, and / leads to the search', async () => {
    const { sn = '', groupId = 0, customerId = 0 } = tenants.a.devices[0] ?? {}
    // Not of a device: alarms of a device without a rule are ended within ten seconds, in the middle of this test.
    await booted.context.sql`
      insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_id, group_name, started_at, last_at)
      select ${customerId}, 'Rule', 'offline', 'major', ${sn}, 'Kiosk ' || n, ${groupId}, 'Branch', now(), now() - n * interval '1 hour'
      from generate_series(1, 3) n`
    await page.goto('/alarmMsg/currenttimewarn')
    await page.getByRole('article').nth(2).waitFor()
    const focused = () =>
      page.evaluate(() => [
        document.activeElement?.tagName,
        document.activeElement?.textContent?.includes('Kiosk'),
      ])
    const named = (n: number) =>
      page.getByRole('article', { name: new RegExp(`^Kiosk ${n} .*Device offline.*Active`) })
    const isAt = async (n: number) => {
      await expect.poll(() => named(n).evaluate((row) => row === document.activeElement)).toBe(true)
      await expect.poll(() => page.locator('article[data-current]').count()).toBe(1)
    }
    await page.keyboard.press('j')
    await isAt(1)
    await page.keyboard.press('j')
    await isAt(2)
    await page.keyboard.press('k')
    await isAt(1)
    await page.keyboard.press('x')
    await expect.poll(() => named(1).getByRole('checkbox').isChecked()).toBe(true)
    expect(await focused()).toEqual(['ARTICLE', true])
    // The Tab key continues from there, and the mark follows the focus into another row.
    await named(3).getByRole('checkbox').focus()
    await expect.poll(() => named(3).getAttribute('data-current')).toBe('true')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Clear the selection' }).click()
    await page.keyboard.press('/')
    const field = page.getByPlaceholder('Device, serial or rule')
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('polls without changes get 304 and the rows stay', async () => {
    const codes: number[] = []
    page.on('response', (answer) => {
      if (answer.url().endsWith('/getDeviceList')) codes.push(answer.status())
    })
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await expect.poll(() => codes).toContain(304)
    await expect.poll(() => page.getByRole('button', { name: 'More actions' }).count()).toBeGreaterThan(0)
  })
})
