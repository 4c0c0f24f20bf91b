/** The form of an alarm rule offers objects of one customer only, and clears selections of another one. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { furnishAlarm } from '../furnish/alarm.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let page: Page
let enter: Opening['enter']

const form = () => page.getByRole('dialog', { name: 'Add rule' })
const field = (label: string) => form().getByRole('combobox', { name: new RegExp(`^${label}`) })
const offered = () => page.getByRole('option').filter({ visible: true })
async function choose(label: string, option: string | RegExp) {
  await field(label).click()
  await offered().filter({ hasText: option }).first().click()
  await page.keyboard.press('Tab')
}
const chosen = () => form().locator('.mantine-Pill-label').allInnerTexts()

describe.skipIf(noBrowser)('the form of an alarm rule', () => {
  eachConsole((at) => {
    ;({ booted, tenants, page, enter } = at)
  })

  it('offers objects of the selected customer, and changing the customer clears them, also in hidden fields', async () => {
    await furnishAlarm.run(booted.context, tenants.a)
    await furnishAlarm.run(booted.context, tenants.b)
    await enter(tenants.superAdmin.username)
    await page.goto('/alarmMsg/warnconfiguration?open=new')
    await settled(page)
    await choose('Applies to', 'Groups')
    await expect.poll(() => field('Groups').isDisabled()).toBe(true)

    await choose('Customer', 'Acme')
    await choose('Groups', /^Branch/)
    await choose('Contacts', /Acme/)
    await field('Contacts').click()
    expect((await offered().allInnerTexts()).filter((text) => text.includes('Bolt'))).toEqual([])
    await page.keyboard.press('Tab')
    await choose('Applies to', /^Devices/)
    await field('Devices').fill('00000')
    await offered().filter({ hasText: 'Acme-R-00000' }).waitFor()
    expect((await offered().allInnerTexts()).filter((text) => text.includes('Bolt'))).toEqual([])
    await offered().filter({ hasText: 'Acme-R-00000' }).click()
    await choose('Applies to', 'All devices')

    await choose('Customer', 'Bolt')
    await expect.poll(chosen).toEqual([])
    await choose('Applies to', 'Groups')
    expect(await chosen()).toEqual([])
    await choose('Applies to', /^Devices/)
    expect(await chosen()).toEqual([])
    await field('Devices').fill('00000')
    await offered().filter({ hasText: 'Bolt-R-00000' }).click()

    await form().getByRole('textbox', { name: /^Rule/ }).fill('Bolt is away')
    await form().getByRole('button', { name: 'Add rule' }).click()
    await form().waitFor({ state: 'detached' })
    const kept = await booted.context.sql`
      select r.customer_id, d.device_id from alarm_rules r join alarm_rule_devices d on d.rule_id = r.id
      where r.name = 'Bolt is away'`
    expect(kept).toEqual([{ customer_id: tenants.b.customerId, device_id: tenants.b.devices[0]?.id }])
  }, 120_000)

  it('a user confined to groups is offered no rule for all devices, which the server refuses', async () => {
    const { operator } = tenants.a
    await booted.context.sql`
      update users set role_id = (select id from roles where customer_id is null and name = 'customerAdmin') where id = ${operator.id}`
    await enter(operator.username)
    await page.goto('/alarmMsg/warnconfiguration?open=new')
    await settled(page)
    await expect.poll(() => field('Applies to').inputValue()).toBe('Groups')
    await field('Applies to').click()
    await expect.poll(() => offered().allInnerTexts()).toEqual(['Groups', 'Devices'])
    await page.goto('/cloudMonitor/alarmManagement/alarmNotice?open=new')
    await settled(page)
    const appliesTo = page
      .getByRole('dialog', { name: 'Add notice' })
      .getByRole('combobox', { name: /^Applies to/ })
    await expect.poll(() => appliesTo.inputValue()).toBe('Terminals of groups')
    await appliesTo.click()
    await expect.poll(() => offered().allInnerTexts()).toEqual(['Terminals of groups', 'Chosen terminals'])
  })

  it('a form that is being filled in stays open when its rule cannot be read again', async () => {
    await enter(tenants.a.admin.username)
    const [rule] = await booted.context.sql<{ id: number }[]>`
      insert into alarm_rules (customer_id, name, kind, severity, threshold, scope, time_zone, language, alert_text, recovery_text)
      values (${tenants.a.customerId}, 'Away', 'offline', 'major', 5, 'customer', 'UTC', 'en-US', '', '') returning id`
    await page.goto(`/alarmMsg/warnconfiguration?open=${rule?.id ?? 0}`)
    const edited = page.getByRole('dialog', { name: /^Edit/ }).getByRole('textbox', { name: /^Rule/ })
    await edited.fill('Renamed on a train')
    await page.context().setOffline(true)
    // As when a notebook wakes up before its network does.
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
    await page.getByRole('alert').filter({ hasText: 'No connection to the server since' }).waitFor()
    await new Promise((done) => setTimeout(done, 1_000))
    expect(await edited.isVisible()).toBe(true)
    await page.context().setOffline(false)
    expect(await edited.inputValue()).toBe('Renamed on a train')
  })
})
