/** The fast access wizard: from a project to the first value of a new terminal. */
import { describe, expect, it } from 'vitest'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, passTime, picture, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('fast access', () => {
  let opening: Opening
  let furnished = false

  eachConsole(async (next) => {
    opening = next
    if (!furnished) await furnishTerminal.run(next.booted.context, next.tenants.a)
    furnished = true
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
    await expect.poll(() => page.getByRole('radio', { name: /SDM630/ }).isChecked()).toBe(true)
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
    await passTime(page, 11)
    await page.getByText('Values of Pump meter arrive').waitFor()
    await page.getByRole('cell', { name: '231 V' }).waitFor()
    await settled(page)
    await picture(page, 'fast-access', 'arrived')
  }, 120_000)

  it('adds the device, the template and its variables in place, and continues with them', async () => {
    const { page, tenants, booted } = opening
    const { sql } = booted.context
    const { a } = tenants
    const next = page.getByRole('button', { name: 'Next', exact: true })
    const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
    await page.goto('/cloudMonitor/deviceManagement/fastAccess')
    await page.getByRole('radio', { name: `${a.name} project` }).check()
    await next.click()
    await page.getByRole('button', { name: 'Add device' }).click()
    const device = dialog('Add device')
    await device.getByRole('textbox', { name: 'Serial number' }).fill('PLACE-1')
    await device.getByRole('textbox', { name: 'Name', exact: true }).fill('Gateway in place')
    await device.getByRole('textbox', { name: 'Address' }).fill('Roof')
    await device.getByRole('button', { name: 'Add', exact: true }).click()
    // Its secret is shown once.
    await page.getByRole('dialog').getByText('PLACE-1').first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'I have kept it' }).click()
    const made = page.getByRole('radio', { name: 'Gateway in place' })
    await expect.poll(() => made.isChecked()).toBe(true)
    const [group] = await sql`
      select p.group_id = d.group_id as same from devices d, projects p
      where d.sn = 'PLACE-1' and p.name = ${`${a.name} project`}`
    expect(group).toEqual({ same: true })
    await next.click()
    await page.getByText('New terminal', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Meter in place')
    await page.getByRole('textbox', { name: 'Slave ID' }).fill('7')
    await page.getByRole('textbox', { name: 'Slave address' }).fill('bus1')
    await next.click()
    await page.getByRole('button', { name: 'Add template' }).click()
    const template = dialog('Add template')
    await template.getByRole('textbox', { name: 'Name' }).fill('Template in place')
    await template.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Other', exact: true }).click()
    await template.getByRole('button', { name: 'Add template' }).click()
    await template.waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('radio', { name: 'Template in place' }).isChecked()).toBe(true)
    await next.click()
    await page.getByText('This template has no variables').waitFor()
    await page.getByRole('button', { name: 'Add variable' }).click()
    const variable = dialog('Add variable')
    await variable.getByRole('textbox', { name: 'Name' }).fill('Level')
    await variable.getByRole('textbox', { name: 'Unit' }).fill('m')
    await variable.getByRole('textbox', { name: 'Start address' }).fill('3')
    await variable.getByRole('button', { name: 'Add variable' }).click()
    await page.getByRole('cell', { name: 'Level' }).waitFor()
    await settled(page)
    await picture(page, 'fast-access', 'in-place')
    // Twice before anything is drawn, like a double click on a slow machine: the second would be refused, as the terminal exists.
    await page.getByRole('button', { name: 'Add terminal' }).evaluate((button: HTMLElement) => {
      button.click()
      button.click()
    })
    await page.getByText('Waiting for the first value of Meter in place').waitFor()
    const [stored] = await sql`
      select d.sn, c.name as template, v.name as variable, v.address from terminals t
      join devices d on d.id = t.device_id join collection_templates c on c.id = t.template_id
      join variables v on v.template_id = c.id where t.name = 'Meter in place'`
    expect(stored).toEqual({ sn: 'PLACE-1', template: 'Template in place', variable: 'Level', address: 3 })
  }, 120_000)
})
