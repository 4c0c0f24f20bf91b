/** Values that are pushed instead of polled. */
import { describe, expect, it } from 'vitest'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { allowStreams, forbidStreams, noBrowser, passTime } from './open-browser.ts'

describe.skipIf(noBrowser)('pushed values', () => {
  let opening: Opening

  eachConsole(async (next) => {
    opening = next
    await furnishTerminal.run(next.booted.context, next.tenants.a)
    await next.enter(next.tenants.a.admin.username)
  })
  const put = (value: number) => opening.booted.context.sql`
    update terminal_latest set vals = array[${value}::float8], at = array[(extract(epoch from now()) * 1000)::bigint]`

  it('a list shows a value within seconds without asking for it, and asks again when the stream is refused', async () => {
    const { page, opened, booted } = opening
    await allowStreams(opened.context, booted.url)
    let polls = 0
    page.on('request', (request) => request.url().endsWith('getVariableValues') && polls++)
    await page.goto('/cloudMonitor/deviceManagement/variableList')
    await page.getByText('Live', { exact: true }).waitFor()
    // The line of the last day is as wide as its column, which must not follow from it.
    const line = page.locator('td [data-fills]').first()
    await line.waitFor()
    const width = () => line.evaluate((svg) => svg.closest('td')?.offsetWidth ?? 0)
    const columnPx = await width()
    const before = polls
    for (const value of [301, 302, 303]) {
      await put(value)
      await page.getByText(`${value} V`).first().waitFor()
    }
    expect(polls - before).toBeLessThanOrEqual(1)
    expect(columnPx).toBeGreaterThan(80)
    expect(await width()).toBe(columnPx)
    await forbidStreams(opened.context)
    await page.reload()
    await page.getByText('Refreshed every few seconds', { exact: true }).waitFor()
    await put(304)
    await passTime(page, 6)
    await page.getByText('304 V').first().waitFor()
  }, 120_000)
})
