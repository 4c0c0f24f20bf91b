/** What the console says is true: invitations, upgrades with offline devices, cleared alarms, what was typed. */
import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { packTarGz } from '#device-sim/tar-gz'
import { addPackage, type Tenants } from '#test/tenants'
import type { Booted } from '../boot.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

let booted: Booted
let tenants: Tenants
let page: Page
let enter: Opening['enter']
const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const PASSWORD = 'their-own-7'

/** A stored backup of the device, packed at `atMs`: with the same files and another time it has another checksum. */
async function keepBackup(device: { id: number; customerId: number }, log: number, atMs: number) {
  const { files, sql } = booted.context
  const packed = packTarGz(
    [
      { path: 'etc/config/network', text: "config interface 'lan'\n" },
      { path: 'etc/config/system', text: `config system\n\toption log_size '${log}'\n` },
    ],
    atMs,
  )
  const file = files.create()
  await pipeline(Readable.from([packed]), file.stream)
  await file.keep()
  const sha256 = createHash('sha256').update(packed).digest('hex')
  await sql`
    insert into device_backups (id, device_id, customer_id, command_id, created_at, link_expires_at, file_key, size_bytes, sha256)
    values (${randomUUID()}, ${device.id}, ${device.customerId}, ${randomUUID()}, ${new Date(atMs)}, now(), ${file.key}, ${packed.length}, ${sha256})`
  return sha256
}

describe.skipIf(noBrowser)('the console says', () => {
  eachConsole((at) => {
    ;({ booted, tenants, page, enter } = at)
  })

  it('who is invited: by mail, with a link to a page where they choose their password', async () => {
    const email = 'newcomer@example.test'
    await enter(tenants.a.admin.username)
    await page.goto('/system/usercontrol?new=1')
    const form = dialog('Add user')
    await form.getByRole('textbox', { name: /^User name/ }).fill('newcomer')
    // Invited by default; who switches it off sets a password.
    await expect.poll(() => form.getByRole('switch', { name: 'Invite by e-mail' }).isChecked()).toBe(true)
    expect(await form.getByLabel(/^Password/).count()).toBe(0)
    await form.getByRole('textbox', { name: /^E-mail/ }).fill(email)
    await form.getByRole('combobox', { name: /^User type/ }).click()
    await page.getByRole('option', { name: 'Customer administrator' }).click()
    await form.getByRole('combobox', { name: /^Role/ }).click()
    await page.getByRole('option', { name: 'Customer administrator' }).click()
    await picture(page, 'sentences', 'invite')
    await form.getByRole('button', { name: 'Add user' }).click()
    await form.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /newcomer/ })
    await row.getByText('Invited', { exact: true }).waitFor()
    await picture(page, 'sentences', 'invited')

    const [mail] = await booted.context.sql<{ text: string }[]>`
      select text from mails where recipient = ${email}`
    const link = new URL(/https?:\/\/\S+#\S+/.exec(mail?.text ?? '')?.[0] ?? '')
    // A browser in which nobody chose a language speaks that of the mail.
    const newcomer = await page.context().browser()?.newPage({ baseURL: booted.url, locale: 'fr-FR' })
    if (!newcomer) throw new Error('no browser')
    await newcomer.goto(`${link.pathname}${link.search}${link.hash}`)
    await newcomer.getByText('For the account newcomer of Acme').waitFor()
    await newcomer.getByLabel('New password', { exact: true }).fill('123456')
    await newcomer.getByLabel('New password again').fill(PASSWORD)
    await newcomer.getByRole('button', { name: 'Set the password' }).click()
    await newcomer.getByText('The password entered twice differs').waitFor()
    await picture(newcomer, 'sentences', 'choose')
    await newcomer.getByLabel('New password', { exact: true }).fill(PASSWORD)
    await newcomer.getByRole('button', { name: 'Set the password' }).click()
    await newcomer.getByText(`You can now log in as newcomer, or with ${email}.`).waitFor()
    expect(new URL(newcomer.url()).hash).toBe('')
    await picture(newcomer, 'sentences', 'chosen')
    // The link is used up.
    await newcomer.goto('/logo.svg')
    await newcomer.goto(`${link.pathname}${link.search}${link.hash}`)
    await newcomer.getByText('This invitation is no longer valid').waitFor()
    await newcomer.getByRole('button', { name: 'Go to the login' }).click()
    await newcomer.locator('input[name=username]').fill('newcomer')
    await newcomer.locator('input[name=password]').fill(PASSWORD)
    await newcomer.getByRole('button', { name: 'Log in' }).click()
    await newcomer.waitForURL('**/dashboard')
    await newcomer.close()

    await page.reload()
    await row.getByText('Accepted', { exact: true }).waitFor()
  }, 120_000)

  it('the administrator’s role first, for the administrator of a new customer', async () => {
    await enter(tenants.superAdmin.username)
    await page.goto('/system/customermanagement?new=1')
    const form = dialog('Add customer')
    await form.getByRole('textbox', { name: /^Administrator/ }).fill('boss')
    const role = form.getByRole('combobox', { name: /^Role/ })
    await expect.poll(() => role.inputValue()).toBe('Customer administrator')
    await role.click()
    expect(await page.getByRole('option').first().textContent()).toBe('Customer administrator')
  })

  it('who logs in, after the language was changed, but never keeps the password', async () => {
    await page.goto('/login')
    await page.getByText('E-mail', { exact: true }).click()
    await page.locator('input[name=username]').fill('night@example.test')
    await page.locator('input[name=password]').fill(PASSWORD)
    await page.addInitScript(() =>
      Object.assign(globalThis, {
        storedAtStart: JSON.stringify([{ ...sessionStorage }, { ...localStorage }]),
      }),
    )
    await page.getByRole('combobox', { name: 'Language' }).selectOption('zh-TW')
    await page.getByRole('button', { name: '登入' }).waitFor()
    await expect.poll(() => page.locator('input[name=username]').inputValue()).toBe('night@example.test')
    expect(await page.locator('input[name=password]').inputValue()).toBe('')
    const stored = await page.evaluate(() => (globalThis as { storedAtStart?: string }).storedAtStart)
    expect(stored).toContain('night@example.test')
    expect(stored).not.toContain(PASSWORD)
    await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0)
    // Another reload starts anew.
    await page.reload()
    await expect.poll(() => page.locator('input[name=username]').inputValue()).toBe('')
  })

  it('what happens to offline devices, as the wait is set, and after how many failures it stops', async () => {
    await addPackage(booted.context, { customerId: null, model: 'R200', version: '8.8.0', name: 'Night' })
    await enter(tenants.a.admin.username)
    await page.goto('/task/upgrade?new=1')
    const wizard = dialog('New upgrade')
    await wizard.getByRole('radio', { name: /Night 8\.8\.0/ }).check()
    await wizard.getByRole('button', { name: 'Next' }).click()
    await wizard.getByText(/offline: each starts when it comes back within/).waitFor()
    await wizard.getByRole('button', { name: 'Next' }).click()
    await wizard.getByRole('textbox', { name: 'Wait for offline devices' }).fill('0')
    await wizard.getByText(/are offline and fail at once: waiting for offline devices is off/).waitFor()
    await wizard.getByText(/one failure in a wave of ten is 10%.* from failure number 2 on/).waitFor()
    await picture(page, 'sentences', 'wizard')
    await wizard.getByRole('radio', { name: 'At a time' }).check()
    await wizard.getByText(/those still offline at the start fail/).waitFor()
    expect(await wizard.getByText(/start when they come back/).count()).toBe(0)
  })

  it('nothing when E is pressed on an alarm that has cleared; counts add up to the total', async () => {
    const { sn = '', groupId = 0, customerId = 0 } = tenants.a.devices[0] ?? {}
    await booted.context.sql`
      insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_id, group_name, started_at, last_at, ended_at, end_reason)
      select ${customerId}, 'Rule', 'offline', case n when 1 then 'major' else 'minor' end, ${sn}, 'Kiosk ' || n, ${groupId}, 'Branch', now(), now() - n * interval '1 minute',
        case n when 1 then now() end, case n when 1 then 'recovered' end
      from generate_series(1, 3) n`
    await enter(tenants.a.admin.username)
    await page.goto('/alarmMsg/currenttimewarn?state=all')
    await page.getByRole('article').nth(2).waitFor()
    const facet = (name: string) =>
      page.getByRole('button', { name: new RegExp(`^${name}\\s*\\d`) }).textContent()
    expect([await facet('Major'), await facet('Minor')]).toEqual(['Major1', 'Minor2'])
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('acknowledgeAlarms')) asked.push(request.url())
    })
    const acknowledged = () => booted.context.sql`select device_name from alarms where ack_at is not null`
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.getByText('1 alarm acknowledged').waitFor()
    // Only that of the second, which is active.
    expect(asked).toHaveLength(1)
    expect(await acknowledged()).toEqual([{ device_name: 'Kiosk 2' }])
  })
  it('what differs between two backups: the lines, or the archives if no text does, or nothing', async () => {
    const { id = 0, customerId = 0 } = tenants.a.devices[0] ?? {}
    const now = Date.now()
    const MINUTE_MS = 60_000
    const oldest = await keepBackup({ id, customerId }, 64, now - 3 * MINUTE_MS)
    const repacked = await keepBackup({ id, customerId }, 64, now - 2 * MINUTE_MS)
    const edited = await keepBackup({ id, customerId }, 128, now - MINUTE_MS)
    expect(new Set([oldest, repacked, edited]).size).toBe(3)
    await enter(tenants.a.admin.username)
    await page.goto(`/device/particulars/1/${id}?tab=configuration`)
    const rows = page.getByRole('row', { name: /Backup kept/ })
    await rows.nth(2).waitFor()
    const compare = async (...places: number[]) => {
      for (const place of places) await rows.nth(place).getByRole('checkbox').check()
      await page.getByRole('button', { name: 'Compare' }).click()
      return dialog(/^From/)
    }
    // The newest comes first.
    const archives = await compare(1, 2)
    await archives.getByText('Same files, different archives').waitFor()
    await archives.getByText(/All 2 files have the same names and contents/).waitFor()
    for (const sha256 of [oldest, repacked]) await archives.getByText(sha256.slice(0, 12)).waitFor()
    await picture(page, 'sentences', 'backups-repacked')
    await page.keyboard.press('Escape')
    await archives.waitFor({ state: 'detached' })
    for (const place of [1, 2]) await rows.nth(place).getByRole('checkbox').uncheck()
    const lines = await compare(0, 1)
    await lines.getByText("-\toption log_size '64'").waitFor()
    await lines.getByText("+\toption log_size '128'").waitFor()
    expect(await lines.getByText('etc/config/network').count()).toBe(0)
  })
  it('nothing of the Cloud Monitoring to a user who may not use it', async () => {
    const { id, username } = tenants.a.viewer
    const areas = () => page.getByRole('navigation', { name: 'Areas' }).getByRole('button').allTextContents()
    await booted.context.sql`update users set mon_state = 1 where id = ${id}`
    await enter(username)
    await page.goto('/dashboard')
    await settled(page)
    await expect.poll(areas).toEqual(['Device management', 'Cloud monitoring'])
    await booted.context.sql`update users set mon_state = 0 where id = ${id}`
    await page.reload()
    await settled(page)
    await expect.poll(() => areas()).toEqual(['Device management'])
  })

  it('which format a field wants, not only that it is wrong', async () => {
    await enter(tenants.a.admin.username)
    await page.goto('/alarmMsg/contacts?new=1')
    const form = dialog('Add contact')
    await form.getByRole('textbox', { name: 'Phone' }).fill('call me')
    await page.keyboard.press('Tab')
    await form.getByText('must be 5 to 20 digits, with + before a country code').waitFor()
  })

  it('times by the server’s clock: on a computer that is ten minutes slow nothing is in the future', async () => {
    const { id = 0 } = tenants.a.devices[0] ?? {}
    await booted.context.sql`
      update device_states set online = false, last_seen_at = now() - interval '1 minute',
        online_changed_at = now() - interval '1 minute' where device_id = ${id}`
    await page.addInitScript(() => {
      const SLOW_MS = 600_000
      const { now } = Date
      Date.now = () => now() - SLOW_MS
    })
    await enter(tenants.a.admin.username)
    await page.goto('/device/devicelist')
    await settled(page)
    await page
      .getByText(/^[1-9] min\. ago$/)
      .first()
      .waitFor()
    expect(await page.getByText(/^in \d/).count()).toBe(0)
  })
})
