/** A page of a list that has no rows any more, and links to pages that never existed. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, passTime, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('a list that has fewer pages than the link says', () => {
  let opening: Opening
  let page: Page
  const at = () => new URL(page.url()).searchParams.get('offset') ?? '1'

  eachConsole(async (next) => {
    opening = next
    page = next.page
    const { sql } = next.booted.context
    const { customerId, groups } = next.tenants.a
    await sql`
      insert into devices (customer_id, group_id, sn, name, secret_hash)
      select ${customerId}, ${groups.other}, 'LAST-' || n, 'Last ' || n, '' from generate_series(11, 30) n
      on conflict do nothing`
    await sql`insert into device_states (device_id) select id from devices on conflict do nothing`
    await next.enter(next.tenants.a.admin.username)
  })

  it('goes to the last page when all devices of the shown one are deleted', async () => {
    await page.goto('/device/devicelist?search=LAST-&offset=2&refresh=5&sort=deviceSn')
    await page.getByRole('row').filter({ hasText: 'LAST-30' }).waitFor()
    await opening.booted.context.sql`delete from devices where sn between 'LAST-21' and 'LAST-30'`
    await passTime(page, 6)
    await page.getByRole('row').filter({ hasText: 'LAST-11' }).waitFor()
    expect(at()).toBe('1')
  })

  it('opens the nearest page for a number that is too high or too low', async () => {
    await page.goto('/device/devicelist?search=LAST-&sort=deviceSn&offset=900&refresh=0')
    await page.getByRole('row').filter({ hasText: 'LAST-30' }).waitFor()
    await page.goto('/device/devicelist?search=LAST-&sort=deviceSn&offset=-3&refresh=0')
    await page.getByRole('row').filter({ hasText: 'LAST-11' }).waitFor()
  })

  it('does so for alarms too', async () => {
    const [device] = opening.tenants.a.devices
    if (!device) throw new Error('no devices')
    await opening.booted.context.sql`
      with rule as (
        insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
        values (${device.customerId}, 'Far', 'newAddress', 'major', 'customer', 'UTC', 'en-US', 'Alert', 'Over')
        returning id)
      insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
      select ${device.customerId}, id, 'Far', 'newAddress', 'major', ${device.id}, ${device.sn}, 'Name', ${device.groupId}, 'Group', now(), now() from rule`
    for (const offset of [2, 0]) {
      await page.goto(`/alarmMsg/currenttimewarn?state=all&offset=${offset}`)
      await page.locator('main').getByText('Far').first().waitFor()
      await settled(page)
      expect(await page.getByText('Clear filters').count()).toBe(0)
    }
    expect(at()).not.toBe('2')
  })
})
