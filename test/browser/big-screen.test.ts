/** Values that are pushed instead of polled, and big screens that are opened by a link. */
import { describe, expect, it } from 'vitest'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, STREAM } from './open-browser.ts'

describe.skipIf(noBrowser)('values and big screens', () => {
  let opening: Opening
  let furnished: Opening['booted'] | undefined

  eachConsole(async (next) => {
    opening = next
    if (furnished !== next.booted) await furnishTerminal.run(next.booted.context, next.tenants.a)
    furnished = next.booted
    await next.enter(next.tenants.a.admin.username)
  })
  const put = (value: number) => opening.booted.context.sql`
    update terminal_latest set vals = array[${value}::float8], at = array[(extract(epoch from now()) * 1000)::bigint]`

  it('a list shows a value within seconds without asking for it, and asks again when the stream is refused', async () => {
    const { page, opened } = opening
    await opened.context.unroute(STREAM)
    let polls = 0
    page.on('request', (request) => request.url().endsWith('getVariableValues') && polls++)
    await page.goto('/cloudMonitor/deviceManagement/variableList')
    await page.getByText('Live', { exact: true }).waitFor()
    const before = polls
    for (const value of [301, 302, 303]) {
      await put(value)
      await page.getByText(`${value} V`).first().waitFor()
    }
    expect(polls - before).toBeLessThanOrEqual(1)
    await opened.context.route(STREAM, (route) =>
      route.fulfill({ json: { code: 429, data: null, message: '' } }),
    )
    await page.reload()
    await page.getByText('Every few seconds', { exact: true }).waitFor()
    await put(304)
    await page.getByText('304 V').first().waitFor()
  }, 120_000)

  it('a link shows the big screen of its project without a login, at any size, until it is revoked', async () => {
    const { page, tenants, opened, booted } = opening
    await page.goto('/cloudMonitor/deviceManagement/kioskLinks')
    await page.getByRole('button', { name: 'New link' }).first().click()
    const form = page.getByRole('dialog', { name: 'New link' })
    await form.getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: `${tenants.a.name} project` }).click()
    await form.getByRole('textbox', { name: 'Name' }).fill('Entrance')
    await form.getByRole('button', { name: 'New link' }).click()
    const made = page.getByRole('dialog', { name: 'Link made' })
    const address = /https?:\/\/\S+#kiosk_[\w-]+/.exec((await made.textContent()) ?? '')?.[0] ?? ''
    expect(address).toContain('/kiosk#kiosk_')
    await picture(page, 'big-screen', 'link')
    const wall = await opened.context.newPage()
    await wall.setViewportSize({ width: 1920, height: 1080 })
    await wall.goto(address)
    await wall.getByRole('heading', { name: `${tenants.a.name} project` }).waitFor()
    await wall.getByText(`${tenants.a.name} meter · ${tenants.a.name} voltage`).waitFor()
    for (const [width, height] of [
      [1920, 1080],
      [1440, 900],
      [390, 844],
    ] as const) {
      await wall.setViewportSize({ width, height })
      await picture(wall, 'big-screen', `kiosk-${width}`)
      expect(await wall.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    }
    await booted.context.sql`update kiosk_links set revoked_at = now()`
    await wall.reload()
    await wall.getByText('This link has ended.').waitFor()
    // The session of the same browser is not the link's.
    await page.reload()
    await page.getByText('Revoked', { exact: true }).first().waitFor()
    await picture(page, 'big-screen', 'links')
  }, 120_000)
})
