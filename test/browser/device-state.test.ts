/** One state of a device on every page, its alarms where it is, and its past as one timeline. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Severity } from '#schema/alarm/alarm-kind'
import { addPackage, type TestDevice } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, SIZES, settled } from './open-browser.ts'

const LIST = '/device/devicelist?refresh=0'

describe.skipIf(noBrowser)('the state of a device', () => {
  let opening: Opening
  let page: Page
  let device: TestDevice
  let other: TestDevice
  const path = (tab = 'overview') => `/device/particulars/${device.groupId}/${device.id}?tab=${tab}`
  const sql = () => opening.booted.context.sql
  const row = (of: TestDevice) => page.getByRole('row').filter({ hasText: of.sn })

  /** Of kinds that end by hand: the platform would end others within seconds, as nothing is wrong. */
  const raise = (severity: Severity, kind: 'newAddress' | 'simSwitched', of: TestDevice) => sql()`
    with rule as (
      insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
      values (${of.customerId}, ${randomUUID()}, ${kind}, ${severity}, 'customer', 'UTC', 'en-US', 'Alert', 'Over')
      returning id)
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
    select ${of.customerId}, id, 'Rule', ${kind}, ${severity}, ${of.id}, ${of.sn}, 'Name', ${of.groupId}, 'Group', now(), now() from rule`
  const upgrade = async (of: TestDevice) => {
    const id = randomUUID()
    await sql()`
      with task as (
        insert into tasks (kind, type, customer_id, name, package_name, version, start_at, wait_offline_minutes)
        values ('upgrade', 'upgrade', ${of.customerId}, 'Night run', 'Gateway firmware', '3.3.0', now(), 0) returning id)
      insert into task_items (id, task_id, device_id, customer_id, step, sending, percent, offered_at, deadline_at)
      select ${id}, id, ${of.id}, ${of.customerId}, 'downloading', 'sent', 40, now(), now() + interval '1 hour' from task`
    for (const what of ['created', 'sent', 'connected', 'downloading'])
      await sql()`insert into task_events (item_id, device_id, what) values (${id}, ${of.id}, ${what})`
  }

  eachConsole(async (next) => {
    opening = next
    page = next.page
    const [first, second] = next.tenants.a.devices
    if (!first || !second) throw new Error('no devices')
    device = first
    other = second
    await sql()`truncate alarms, task_events, task_items, commands cascade`
    await sql()`update device_states set online = false, online_changed_at = now() - interval '3 hours 5 minutes' where device_id in ${sql()([device.id, other.id])}`
    await next.enter(next.tenants.a.admin.username)
  })

  it('is not plainly “Offline” while it restarts or upgrades, in the list and on its page', async () => {
    await sql()`
      insert into commands (id, device_id, customer_id, name, args, state, sent_at, deadline_at)
      values (${randomUUID()}, ${device.id}, ${device.customerId}, 'reboot', '{"delayS":0}', 'accepted', now() - interval '12 seconds', now() + interval '5 minutes')`
    await upgrade(other)
    await page.goto(LIST)
    await settled(page)
    await row(device)
      .getByText(/^Rebooting \d+s$/)
      .waitFor()
    await row(other).getByText('Upgrading 40%').waitFor()
    await page.goto(path())
    await settled(page)
    await page
      .locator('main header')
      .getByText(/^Rebooting \d+s$/)
      .waitFor()
    await sql()`update commands set ended_at = now(), state = 'timedOut'`
    await page.goto(LIST)
    await settled(page)
    await row(device).getByText('Offline 3h').waitFor()
  })

  it('is a filter of the list; a view saved by connection still works, and shows that it does', async () => {
    await upgrade(other)
    await page.goto(`${LIST}&state=upgrading`)
    await settled(page)
    await row(other).waitFor()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await page.goto(`${LIST}&online=offline&sort=online`)
    await settled(page)
    await row(device).waitFor()
    await page.getByRole('combobox', { name: 'Connection' }).waitFor()
  })

  it('comes first in the list, before name, serial number, group, signal, last seen and firmware', async () => {
    await page.goto(LIST)
    await settled(page)
    const heads = await page.locator('thead th').allInnerTexts()
    expect(heads.map((text) => text.trim()).filter(Boolean)).toEqual([
      'State',
      'Name',
      'Serial',
      'Group',
      'Signal',
      'Last seen',
      'Firmware',
      'Actions',
    ])
  })

  it.each(['wide', 'narrow'] as const)('leaves room for the name in a %s window', async (size) => {
    const name = 'Terminal 3 departures, gate 17'
    await sql()`update devices set name = ${name} where id = ${device.id}`
    await page.setViewportSize(size === 'wide' ? { width: 1920, height: 900 } : SIZES.narrow)
    await page.goto(LIST)
    await settled(page)
    const shown = page.getByText(name, { exact: true })
    const cut = await shown.evaluate((element) => {
      for (let at: Element | null = element; at && at.tagName !== 'TR'; at = at.parentElement)
        if (at.scrollWidth > at.clientWidth + 1 && getComputedStyle(at).overflowX !== 'visible') return true
      return false
    })
    expect(cut).toBe(false)
    await picture(page, 'device-state', `name-${size}`)
    await page.setViewportSize(SIZES.wide)
  })

  it('is shown with its alarms: in the list, on its page and on the tab that they are about; a click leads to them', async () => {
    await raise('major', 'newAddress', device)
    await raise('minor', 'simSwitched', device)
    await page.goto(LIST)
    await settled(page)
    const mark = row(device).getByRole('link', { name: '2 active alarms, the highest: Major' })
    await mark.waitFor()
    expect(
      await row(other)
        .getByRole('link', { name: /active alarm/ })
        .count(),
    ).toBe(0)
    await page.goto(path())
    await settled(page)
    await page
      .locator('main header')
      .getByRole('link', { name: /2 active alarms/ })
      .waitFor()
    await page
      .getByRole('tab', { name: /^Network/ })
      .getByRole('img', { name: /^2 active alarms/ })
      .waitFor()
    expect(
      await page
        .getByRole('tab')
        .getByRole('img', { name: /active alarm/ })
        .count(),
    ).toBe(1)
    await picture(page, 'device-state', 'alarms')
    await page
      .locator('main header')
      .getByRole('link', { name: /2 active alarms/ })
      .click()
    await page.waitForURL(`**/alarmMsg/currenttimewarn?deviceId=${device.id}`)
    await page.getByRole('article').nth(1).waitFor()
    await expect.poll(() => page.getByRole('article').count()).toBe(2)
  })

  it('shows each severity in a colour and a shape of its own', async () => {
    const severities = ['critical', 'major', 'minor', 'warning', 'info'] as const
    const { customerId, groupId } = device
    await sql()`
      insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_id, group_name, started_at, last_at)
      select ${customerId}, 'Rule', 'offline', severity, 'SN', 'Kiosk', ${groupId}, 'Group', now(), now()
      from unnest(${[...severities]}::text[]) as severity`
    await page.goto('/alarmMsg/currenttimewarn')
    await settled(page)
    const looks = await page.getByRole('article').evaluateAll((rows) =>
      rows.map((one) => {
        const chip = one.querySelector(':scope > span svg')?.parentElement
        return [chip && getComputedStyle(chip).color, chip?.querySelector('svg')?.getAttribute('class')]
      }),
    )
    expect(looks).toHaveLength(severities.length)
    expect(new Set(looks.map(([colour]) => colour)).size).toBe(severities.length)
    expect(new Set(looks.map(([, shape]) => shape)).size).toBe(severities.length)
  })

  it('is in the picker of the upgrade wizard, with the alarms', async () => {
    await raise('critical', 'newAddress', device)
    await sql()`update devices set model = 'R200' where id = ${device.id}`
    const made = await addPackage(opening.booted.context, {
      customerId: device.customerId,
      model: 'R200',
      version: '9.9.0',
    })
    await page.goto(`/task/upgrade?new=1&spId=${made.id}`)
    await page.getByText('Pick devices').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Offline 3h').first().waitFor()
    await dialog.getByRole('link', { name: 'Critical: 1 active alarm' }).waitFor()
    await picture(page, 'device-state', 'wizard')
  })

  it('ends as one row of the timeline, which opens to its steps; the tables share one toolbar', async () => {
    await upgrade(device)
    await raise('major', 'newAddress', device)
    await page.goto(path('history'))
    await settled(page)
    await page.getByRole('link', { name: 'Firmware upgrade: Gateway firmware 3.3.0' }).waitFor()
    expect(await page.getByRole('link', { name: /Gateway firmware/ }).count()).toBe(1)
    const opener = page.getByRole('button', { name: /^Show the steps of Firmware upgrade/ })
    await opener.click()
    await page.getByText('File server connected').waitFor()
    await picture(page, 'device-state', 'timeline')
    // By kind: the alarm alone.
    await page.getByText('Alarm', { exact: true }).first().click()
    await page.waitForURL(/kinds=alarm/)
    await page.getByRole('link', { name: /Gateway firmware/ }).waitFor({ state: 'detached' })
    // The range goes along to the other tables.
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(1)
    await page.getByRole('combobox', { name: 'Range' }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await page.getByText('Commands', { exact: true }).click()
    await page.waitForURL(/history=commands/)
    expect(new URL(page.url()).searchParams.get('past.days')).toBe('7')
    await expect.poll(() => page.getByRole('toolbar').count()).toBe(1)
  })
})
