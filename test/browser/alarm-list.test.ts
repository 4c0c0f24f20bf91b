/** Hundreds of alarms at once: counted as they are, and selected by page, group and filter. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('real-time alarms', () => {
  let opening: Opening

  eachConsole(async (next) => {
    opening = next
    await next.enter(next.tenants.a.admin.username)
  })

  it('of a flood are selected at once, and a group never passes for all of its rule', async () => {
    const { page, booted, tenants } = opening
    const { sn = '', groupId = 0, customerId = 0 } = tenants.a.devices[0] ?? {}
    const { sql } = booted.context
    await sql`
      insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_id, group_name, started_at, last_at)
      select ${customerId}, case when n > 60 then 'Load' else 'Heat' end, 'offline', 'major', ${sn}, 'Kiosk ' || n, ${groupId}, 'Branch',
        now(), now() - n * interval '1 minute' from generate_series(1, 70) n`
    await page.goto('/alarmMsg/currenttimewarn?by=rule')
    const heat = page.getByRole('region', { name: 'Heat' })
    await heat.getByText('50 on this page', { exact: true }).waitFor()
    await settled(page)
    await picture(page, 'alarm-list', 'flood')
    await heat.getByRole('checkbox', { name: 'Select these of Heat' }).check()
    await page.getByText('50 selected', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Select all 70 matching' }).click()
    await page.getByText('70 selected', { exact: true }).waitFor()
    await picture(page, 'alarm-list', 'selected')
    // Another page keeps them, another filter does not.
    await page
      .getByRole('button', { name: 'Page 2' })
      .or(page.getByRole('button', { name: '2', exact: true }))
      .click()
    await page.getByRole('region', { name: 'Load' }).waitFor()
    await expect
      .poll(() => page.getByRole('article').getByRole('checkbox', { checked: true }).count())
      .toBe(20)
    await page.getByRole('button', { name: 'Acknowledge 70' }).click()
    await page.getByText('70 alarms acknowledged').waitFor()
    const [row] = await sql<{ open: number }[]>`select count(*)::int as open from alarms where ack_at is null`
    expect(row?.open).toBe(0)
    await page.getByRole('button', { name: /^Critical/ }).click()
    await page.getByText('70 selected', { exact: true }).waitFor({ state: 'hidden' })
  })

  it('a filter by a device without alarms shows its name', async () => {
    const { page, tenants } = opening
    const device = tenants.a.devices[1]
    await page.goto(`/alarmMsg/currenttimewarn?deviceId=${device?.id}`)
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Device' }).inputValue())
      .toContain(device?.sn ?? 'no device')
    // The rule of a link may be gone.
    await page.goto('/alarmMsg/currenttimewarn?ruleId=999')
    await expect.poll(() => page.getByRole('combobox', { name: 'Rule' }).inputValue()).toBe('#999')
  })

  it('of the past have the same columns as CSV, however many fit the window', async () => {
    const { page, booted, tenants } = opening
    await booted.context.sql`
      insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_name, started_at, last_at, ended_at)
      values (${tenants.a.customerId}, 'Heat', 'offline', 'major', 'S', 'Kiosk', 'Branch', now(), now(), now())`
    const headings = async (width: number) => {
      await page.setViewportSize({ width, height: 900 })
      await page.goto('/alarmMsg/historywarn')
      await settled(page)
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export CSV' }).click(),
      ])
      const [first = ''] = readFileSync(await file.path(), 'utf8').split('\r\n')
      return first.replace(/^\uFEFF/, '').split(',')
    }
    const tight = await headings(1024)
    expect(tight.filter((heading) => /^(Began|Ended) /.test(heading))).toHaveLength(2)
    expect(await headings(1900)).toEqual(tight)
  })

  it('of the past stay selected until they are handled', async () => {
    const { page, booted, tenants } = opening
    await booted.context.sql`
      insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_name, started_at, last_at, ended_at)
      values (${tenants.a.customerId}, 'Frost', 'offline', 'major', 'S', 'Kiosk F', 'Branch', now(), now(), now())`
    await page.goto('/alarmMsg/historywarn?search=Frost')
    await settled(page)
    await page
      .getByRole('row', { name: /Kiosk F/ })
      .getByRole('checkbox')
      .check()
    const handle = page.getByRole('button', { name: 'Handle 1' })
    await handle.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await handle.click()
    await dialog.getByRole('textbox').fill('Heater replaced')
    await dialog.getByRole('button', { name: 'Handle' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await handle.waitFor({ state: 'hidden' })
    expect(await booted.context.sql`select note from alarms where rule_name = 'Frost'`).toEqual([
      { note: 'Heater replaced' },
    ])
  })
})
