/** A list under the pointer: its order and its search follow what was asked last. And a log that is read at its end. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, passTime } from './open-browser.ts'

/** Long enough that the previous rows are shown meanwhile. */
const ANSWER_MS = 150

describe.skipIf(noBrowser)('a list under the pointer', () => {
  let opening: Opening
  let page: Page
  let sns: readonly string[]
  const serials = () => page.getByRole('table').getByText(/^ORDER-\d+$/)

  eachConsole(async (next) => {
    opening = next
    page = next.page
    const { sql } = next.booted.context
    const { customerId, groups } = next.tenants.a
    await sql`
      insert into devices (customer_id, group_id, sn, name, secret_hash)
      select ${customerId}, ${groups.other}, 'ORDER-' || n, 'Order ' || (9 - n), '' from generate_series(1, 5) n
      on conflict do nothing`
    await sql`insert into device_states (device_id) select id from devices on conflict do nothing`
    sns = [1, 2, 3, 4, 5].map((n) => `ORDER-${n}`)
    await next.enter(next.tenants.a.admin.username)
    await page.route('**/api/device/getDeviceList', async (route) => {
      await new Promise((done) => setTimeout(done, ANSWER_MS))
      await route.continue()
    })
    await page.goto('/device/devicelist?search=ORDER-&refresh=0')
    await serials().nth(4).waitFor()
  })

  it('is sorted anew, also when all of its rows are shown already', async () => {
    const head = page.locator('thead th').filter({ hasText: 'Serial' })
    const orders = [
      ['asc', sns],
      ['desc', sns.toReversed()],
    ] as const
    for (const [order, wanted] of orders) {
      await head.click()
      // The rows may be in this order already: a second click before the first is done asks for the same.
      await page.waitForURL((url) => url.searchParams.get('order') === order)
      await expect.poll(() => serials().allTextContents()).toEqual(wanted)
    }
  })

  it('is exported as it is asked for, also before the answer to that is there', async () => {
    await page.goto('/device/groupinglist?search=Branch')
    await page.getByRole('row').filter({ hasText: 'Branch' }).waitFor()
    const answers = Promise.withResolvers<void>()
    await page.route('**/queryGroupKeyword', async (route) => {
      await answers.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Clear the search' }).click()
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    answers.resolve()
    expect(await readFile(await (await file).path(), 'utf8')).toContain('Other')
    await page.unroute('**/queryGroupKeyword')
  })

  it('forgets a text that is cleared before it is searched', async () => {
    await page.goto('/device/devicelist?refresh=0')
    const search = page.locator('[data-list-search]')
    await search.fill('nothing has this name')
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expect.poll(() => search.inputValue()).toBe('')
    await page.waitForTimeout(1_000)
    expect(new URL(page.url()).searchParams.get('search')).toBeNull()
  })

  it('a log that is read at its end stays there, also when new lines have the time of the last one', async () => {
    const { tenants, booted } = opening
    const [device] = tenants.a.devices
    const at = new Date()
    const report = (from: number, to: number) => booted.context.sql`
      insert into device_logs (device_id, at, boot_id, seq, priority, text)
      select ${device?.id ?? 0}::int, ${at}::timestamptz, 'boot', n, 6, 'Line ' || n from generate_series(${from}::int, ${to}::int) n`
    await report(1, 100)
    await page.goto(`/device/particulars/${device?.groupId}/${device?.id}?tab=logs`)
    const pane = page.getByRole('log')
    await pane.getByText('Line 100').waitFor()
    const below = () => pane.evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight)
    await expect.poll(below).toBeLessThan(5)
    await report(101, 130)
    await passTime(page, 20)
    await pane.getByText('Line 130').waitFor()
    await expect.poll(below).toBeLessThan(5)
  })
})
