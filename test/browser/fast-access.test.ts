/** The fast access wizard: from a project to the first value of a new terminal. */
import { describe, expect, it } from 'vitest'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('fast access', () => {
  let opening: Opening

  eachConsole(async (next) => {
    opening = next
    await furnishTerminal.run(next.booted.context, next.tenants.a)
    await next.enter(next.tenants.a.admin.username)
  })

  it('adds a terminal step by step, keeps the choices on a reload, and shows its first value', async () => {
    const { page, tenants, booted } = opening
    const { sql } = booted.context
    const { a } = tenants
    const next = page.getByRole('button', { name: 'Next', exact: true })
    await page.goto('/cloudMonitor/deviceManagement/fastAccess')
    await page.getByRole('radio', { name: `${a.name} project` }).check()
    await settled(page)
    await picture(page, 'fast-access', 'project')
    await next.click()
    const [device] = await sql<{ id: number; name: string }[]>`
      select id, name from devices where id = ${a.devices[1]?.id ?? 0}`
    await page.getByRole('radio', { name: device?.name ?? '', exact: true }).check()
    await next.click()
    await page.getByText('New terminal', { exact: true }).click()
    await next.click()
    await page.getByText('Name is required').waitFor()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pump meter')
    await page.getByRole('textbox', { name: 'Slave ID' }).fill('5')
    await page.getByRole('textbox', { name: 'Slave address' }).fill('bus1')
    await settled(page)
    await picture(page, 'fast-access', 'terminal')
    await next.click()
    // One of the library is added in place, and chosen at once.
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const library = page.getByRole('dialog', { name: 'Import' })
    await library.getByRole('textbox').first().fill('SDM630')
    await library
      .getByRole('button', { name: /SDM630/ })
      .first()
      .click()
    await library.getByRole('button', { name: 'Add template' }).click()
    await library.waitFor({ state: 'hidden' })
    expect(await page.getByRole('radio', { name: /SDM630/ }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: `${a.name} template` }).check()
    await next.click()
    await page.getByRole('cell', { name: `${a.name} voltage` }).waitFor()
    // A reload keeps the place, the choices, and what was typed.
    await page.reload()
    await page.getByRole('button', { name: 'Add terminal' }).click()
    await page.getByText('Waiting for the first value of Pump meter').waitFor()
    await page.getByText('The gateway is offline.').waitFor()
    await settled(page)
    await picture(page, 'fast-access', 'waiting')
    const [made] = await sql<{ id: number; device: number; slave: number }[]>`
      select id, device_id as device, slave_id as slave from terminals where name = 'Pump meter'`
    expect(made).toMatchObject({ device: device?.id, slave: 5 })
    await sql`
      update terminal_latest set at = array[(extract(epoch from now()) * 1000)::bigint], vals = '{231}'
      where terminal_id = ${made?.id ?? 0}`
    await page.getByText('Values of Pump meter arrive').waitFor()
    await page.getByRole('cell', { name: '231 V' }).waitFor()
    await settled(page)
    await picture(page, 'fast-access', 'arrived')
  }, 120_000)
})
