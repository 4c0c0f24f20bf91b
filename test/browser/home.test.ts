/** The home page as a page of operations: what is wrong comes first, at a glance, for each role. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

/** What is wrong: 18 major alarms and a critical one, an outage, devices without a secret and with a wrong clock. */
async function breakThings({ booted, tenants: { a } }: Opening): Promise<void> {
  const { sql } = booted.context
  const [first, second, third] = a.devices.map(({ id }) => id)
  await sql`delete from alarms where customer_id = ${a.customerId}`
  await sql`delete from task_items where customer_id = ${a.customerId}`
  await sql`delete from tasks where customer_id = ${a.customerId}`
  // Of a kind that nothing but a user ends: the workers run, too.
  const [rule] = await sql<{ id: number }[]>`
    insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
    values (${a.customerId}, 'Home ' || random(), 'newAddress', 'major', 'customer', 'UTC', 'en-US', '', '') returning id`
  const [incident] = await sql<{ id: number }[]>`
    insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at)
    values (${a.customerId}, ${rule?.id ?? 0}, 'carrier', 'Telekom', 'Telekom', now() - interval '5 minutes') returning id`
  await sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, subject, sn, device_name, group_id, group_name, started_at, last_at, incident_id)
    select ${a.customerId}::int, ${rule?.id ?? 0}::int, 'Home', 'newAddress', case when i = 0 then 'critical' else 'major' end, ${first ?? 0}::int, i::text, 'ACME-1', 'Kiosk ' || i,
      ${a.groups.root}::int, 'Default', now() - make_interval(mins => i), now() - make_interval(mins => i), case when i > 12 then ${incident?.id ?? 0}::int end
    from generate_series(0, 18) i`
  await sql`update devices set secret_hash = case when id = ${second ?? 0} then null else 'x' end,
    clock_skew_ms = case when id = ${third ?? 0} then 600000 end where customer_id = ${a.customerId}`
  for (let i = 0; i < 5; i++)
    await sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at)
      values (${randomUUID()}, ${first ?? 0}, 'b', now() - make_interval(mins => ${i + 1}), now())`
  await sql`update device_states set online_changed_at = now() - interval '1 minute', online_count = 5, last_login_at = now() - interval '1 minute'
    where device_id = ${first ?? 0}`
  await sql`
    with made as (
      insert into tasks (customer_id, kind, name, start_at, wait_offline_minutes, paused_at, pause_reason, paused_failed, paused_tried)
      values (${a.customerId}, 'upgrade', 'Later run', now() + interval '1 hour', 600, null, null, null, null),
        (${a.customerId}, 'upgrade', 'Night run', now() - interval '1 hour', 600, now(), 'failures', 5, 9) returning id)
    insert into task_items (id, task_id, device_id, customer_id, deadline_at)
    select gen_random_uuid(), id, ${first ?? 0}::int, ${a.customerId}::int, now() + interval '1 day' from made`
}

const card = (page: Page, title: string) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: title }) })

describe.skipIf(noBrowser)('the home page', () => {
  let opening: Opening
  eachConsole(async (found) => {
    opening = found
    await breakThings(found)
  })

  it('shows what is wrong first, without scrolling, and never that nothing is', async () => {
    const { page, enter, tenants } = opening
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await settled(page)
    const alarms = card(page, 'Active alarms')
    await alarms.getByText('19 active, 19 not acknowledged').waitFor()
    expect(await alarms.getByRole('link', { name: /18 active.*Major/ }).count()).toBe(1)
    await alarms.getByText('Outage of Telekom').waitFor()
    await alarms.getByText('Kiosk 0', { exact: true }).waitFor()
    const needs = card(page, 'Devices needing attention')
    for (const need of ['Secret revoked', 'Flapping', 'Clock wrong']) await needs.getByText(need).waitFor()
    const tasks = card(page, 'Tasks in progress')
    await tasks.getByText('Night run').waitFor()
    expect(await tasks.getByRole('link').allTextContents()).toMatchObject([
      expect.stringContaining('2 in total'),
      expect.stringContaining('Night run'),
      expect.stringContaining('Later run'),
    ])
    await card(page, 'In the last 24 hours').getByText('New alarms').waitFor()
    const boxes = await Promise.all(
      ['Active alarms', 'Devices needing attention', 'Tasks in progress', 'In the last 24 hours'].map(
        (title) => card(page, title).boundingBox(),
      ),
    )
    for (const box of boxes) expect((box?.y ?? 0) + (box?.height ?? 900)).toBeLessThanOrEqual(900)
    expect(boxes[3]?.y).toBeGreaterThan(boxes[0]?.y ?? 0)
    expect(await page.getByText(/^No /).count()).toBe(0)
  })

  it('what the operator must show in the footer is there, also if the page was left before it came', async () => {
    const { page, enter, tenants } = opening
    await enter(tenants.a.admin.username)
    const answer = Promise.withResolvers<void>()
    await page.route('**/getFilings', async (route) => {
      await answer.promise
      const list = [{ text: 'Filing 1', url: 'https://filing.example.test/' }]
      await route.fulfill({ json: { code: 0, data: { list }, message: '' } })
    })
    await page.goto('/dashboard')
    await page.getByRole('link', { name: 'Groups', exact: true }).first().click()
    await page.waitForURL('**/groupinglist')
    answer.resolve()
    await page.locator('footer').getByRole('link', { name: 'Filing 1' }).waitFor()
    await page.unroute('**/getFilings')
  })

  it('a reason leads to the list of its devices', async () => {
    const { page, enter, tenants } = opening
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await card(page, 'Devices needing attention').getByText('Secret revoked').click()
    await page.waitForURL('**/device/devicelist?need=revoked')
    await settled(page)
    expect(await page.locator('tbody tr:visible').count()).toBe(1)
  })

  it('what a role may not see leaves no hole', async () => {
    const { page, enter, tenants, booted } = opening
    const { sql } = booted.context
    const [before] = await sql<
      { role: number }[]
    >`select role_id as role from users where username = ${tenants.a.viewer.username}`
    const part = async (without: string) => {
      const [role] = await sql<{ id: number }[]>`
        insert into roles (customer_id, name, function_ids, menu_ids)
        select ${tenants.a.customerId}, ${without} || random(), array(select unnest(function_ids) except select unnest(${`{${without}}`}::int[])), menu_ids
        from roles where id = ${before?.role ?? 0} returning id`
      await sql`update users set role_id = ${role?.id ?? 0} where username = ${tenants.a.viewer.username}`
      await page.goto('/dashboard')
      await settled(page)
    }
    const widths = async () =>
      Promise.all(
        ['Active alarms', 'Devices needing attention', 'Tasks in progress']
          .map((title) => card(page, title))
          .map(async (one) =>
            (await one.count()) > 0 ? Math.round((await one.boundingBox())?.width ?? 0) : 0,
          ),
      )
    await enter(tenants.a.viewer.username)
    try {
      const functions = { alarms: '3300', devices: '1400', tasks: '7700' }
      await part('0')
      const [third] = await widths()
      expect(await widths()).toEqual([third, third, third])
      for (const [i, id] of Object.values(functions).entries()) {
        await part(id)
        const [one, two, three] = await widths()
        expect([one, two, three][i], id).toBe(0)
        // Two share the width of three.
        for (const width of [one, two, three].filter((_, place) => place !== i))
          expect(width).toBeGreaterThan((third ?? 0) * 1.4)
      }
      await part(Object.values(functions).join())
      expect(await widths()).toEqual([0, 0, 0])
      await page.getByRole('heading', { name: 'Firmware versions' }).waitFor()
    } finally {
      await sql`update users set role_id = ${before?.role ?? 0} where username = ${tenants.a.viewer.username}`
    }
  })

  it('loads the code of the map and of the charts when they come into view', async () => {
    const { page, enter, tenants } = opening
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
    const code = (name: string) => loaded.filter((path) => path.includes(`/assets/${name}-`))
    // Both are below the edge of this window.
    await page.setViewportSize({ width: 1440, height: 640 })
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await settled(page)
    expect([...code('chart-core'), ...code('map-index')]).toEqual([])
    await page.getByRole('heading', { name: 'Online rate' }).scrollIntoViewIfNeeded()
    await page.mouse.move(700, 400)
    await page.mouse.wheel(0, 300)
    await page.locator('canvas').first().waitFor()
    expect(code('chart-core')).toHaveLength(1)
    await page.mouse.wheel(0, 5_000)
    await page.locator('.leaflet-container').waitFor()
  })

  it('shows what changed since the last visit', async () => {
    const { page, enter, tenants, booted } = opening
    await enter(tenants.a.admin.username)
    await page.goto('/dashboard')
    await settled(page)
    await booted.context.sql`update home_visits set seen_at = now() - interval '2 hours', since = null`
    await page.reload()
    await page.getByRole('heading', { name: /^Since your last visit/ }).waitFor()
  })
})
