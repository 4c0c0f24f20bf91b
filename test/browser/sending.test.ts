/**
 * Reports by mail to unknown addresses, channels whose address is a secret, and messages held back, in the console.
 */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { until } from '../walks/until.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let page: Page
let enter: Opening['enter']
const STRANGER = 'boss@elsewhere.test'

describe.skipIf(noBrowser)('sending', () => {
  eachConsole((at) => {
    ;({ booted, tenants, page, enter } = at)
  })
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

  it('a recipient outside the customer is shown as unconfirmed, and confirms by the link in the mail', async () => {
    const { sql } = booted.context
    await enter(tenants.a.admin.username)
    await page.goto('/graphs/onlinerate')
    await settled(page)
    await page.getByRole('button', { name: 'Scheduled' }).click()
    await dialog('Scheduled').getByRole('button', { name: 'Add schedule' }).click()
    const form = dialog('Add schedule')
    await form.getByRole('textbox', { name: /^Name/ }).fill('Morning')
    const recipients = form.getByRole('combobox', { name: /^Recipients/ })
    // Their own address is there, and needs no confirmation.
    await recipients.press('Backspace')
    await recipients.fill(STRANGER)
    await recipients.press('Enter')
    await form.getByText(/asked by mail first/).waitFor()
    await picture(page, 'sending', 'new')
    await form.getByRole('button', { name: 'Add schedule' }).click()
    await form.waitFor({ state: 'detached' })
    await dialog('Scheduled').getByText(`Not sent until confirmed: ${STRANGER}`).waitFor()
    await picture(page, 'sending', 'waiting')
    const send = dialog('Scheduled').getByRole('button', { name: 'Send now' })
    await expect
      .poll(() => send.getAttribute('aria-description'))
      .toBe('No recipient has confirmed yet: nothing would be sent')

    await dialog('Scheduled').getByRole('button', { name: 'Edit' }).click()
    const edit = dialog('Edit schedule')
    await edit.getByText('Waiting for confirmation').waitFor()
    await picture(page, 'sending', 'form')
    // It was asked a moment ago.
    await edit.getByRole('button', { name: 'Ask again' }).click()
    await page.getByText(/Too many mails, try again in \d+ minutes/).waitFor()

    const mail = await until('the mail', async () => {
      const rows = await sql<{ text: string }[]>`select text from mails where recipient = ${STRANGER}`
      return rows.length === 1 ? rows[0] : undefined
    })
    const link = new URL(/https?:\/\/\S+#\S+/.exec(mail.text)?.[0] ?? '')
    // A separate page: the recipient is not the logged-in user.
    const stranger = await page.context().browser()?.newPage({ baseURL: booted.url, locale: 'en-US' })
    if (!stranger) throw new Error('no browser')
    await stranger.goto('/logo.svg')
    await stranger.evaluate(() => localStorage.setItem('I18n', 'en-US'))
    await stranger.goto(`${link.pathname}${link.hash}`)
    await stranger.getByRole('button', { name: 'Send me reports' }).waitFor()
    await picture(stranger, 'sending', 'link')
    await stranger.getByRole('button', { name: 'Send me reports' }).click()
    await stranger.getByText(`Reports of Acme will be sent to ${STRANGER} from now on.`).waitFor()
    await picture(stranger, 'sending', 'agreed')
    expect(new URL(stranger.url()).hash).toBe('')
    await stranger.close()

    await page.reload()
    await settled(page)
    await page.getByRole('button', { name: 'Scheduled' }).click()
    await dialog('Scheduled')
      .getByText(/boss@elsewhere\.test/)
      .waitFor()
    expect(await page.getByText(/Not sent until confirmed/).count()).toBe(0)
    await expect.poll(() => send.getAttribute('aria-disabled')).toBe('false')
  }, 120_000)

  it('a channel shows its origin, keeps its address when it is edited, and shows delayed notices', async () => {
    const { sql } = booted.context
    const { a } = tenants
    const token = await booted.login(a.admin.username, 'right-horse-7')
    const made = await booted.call(
      'alarm/createAlarmChannel',
      { name: 'Team', kind: 'webhook', secretUrl: 'https://hooks.example.com/services/T0SECRET/B0SECRET' },
      token,
    )
    const { id } = made.data as { id: number }
    const rule = { name: 'Away', kind: 'offline', threshold: 5, scope: 'customer', channelIds: [id] }
    expect((await booted.call('alarm/createAlarmRule', rule, token)).code).toBe(0)
    await sql`insert into send_budgets (customer_id, purpose, used, counted_at) values (${a.customerId}, 'alarm', 300, now())`
    const sealed = async () =>
      (await sql`select url_sealed from alarm_channels where id = ${id}`)[0]?.['url_sealed']
    const before = await sealed()

    await enter(a.admin.username)
    await page.goto('/alarmMsg/warnconfiguration?open=channels')
    await settled(page)
    const channels = dialog('Channels')
    await channels.getByText(/https:\/\/hooks\.example\.com ·/).waitFor()
    await channels.getByText(/The 300 alarm mails per hour are used up/).waitFor()
    expect(await page.getByText('T0SECRET').count()).toBe(0)
    await picture(page, 'sending', 'channels')
    await channels.getByRole('button', { name: 'Edit' }).click()
    const form = dialog('Edit channel Team')
    await form.getByPlaceholder('https://hooks.example.com/…').waitFor()
    await form.getByRole('textbox', { name: /^Name/ }).fill('Night team')
    await picture(page, 'sending', 'channel')
    await form.getByRole('button', { name: /^Save/ }).click()
    await channels.getByText('Night team').waitFor()
    expect(await sealed()).toBe(before)

    // Confined to a branch: the channel belongs to the whole customer.
    await sql`update users set role_id = (select id from roles where name = 'customerAdmin') where id = ${a.operator.id}`
    await enter(a.operator.username)
    await page.goto('/alarmMsg/warnconfiguration?open=channels')
    await settled(page)
    const edit = dialog('Channels').getByRole('button', { name: 'Edit' })
    await edit.waitFor()
    await expect.poll(() => edit.getAttribute('data-disabled')).toBe('true')
    await edit.hover()
    await page.getByText(/only a user who sees the whole customer/).waitFor()
    await picture(page, 'sending', 'confined')
    await page.goto('/alarmMsg/warnconfiguration?open=log')
    await settled(page)
  }, 120_000)
})
