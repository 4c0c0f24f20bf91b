/** Big screens that are opened by a link, without a login. */
import { describe, expect, it } from 'vitest'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture } from './open-browser.ts'

describe.skipIf(noBrowser)('links to big screens', () => {
  let opening: Opening

  eachConsole(async (next) => {
    opening = next
    await furnishTerminal.run(next.booted.context, next.tenants.a)
    await next.enter(next.tenants.a.admin.username)
  })

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
    const address = await made
      .getByText(/#kiosk_/)
      .last()
      .innerText()
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
      // Whole, not cut by its panel.
      const value = wall.getByText(`${tenants.a.name} meter · ${tenants.a.name} voltage`)
      await value.scrollIntoViewIfNeeded()
      expect(
        await value.evaluate((one) => one.closest('section')?.getBoundingClientRect().bottom),
      ).toBeGreaterThan(await value.evaluate((one) => one.parentElement?.getBoundingClientRect().bottom ?? 0))
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
