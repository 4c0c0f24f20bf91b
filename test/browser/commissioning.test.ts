/** New equipment, found and named through a gateway with a true slave behind it; then a value of it is set. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Registers, settable } from '#device-sim/gateway/registers'
import { slave } from '#device-sim/gateway/slave'
import { type SlaveServer, startSlaves } from '#device-sim/gateway/slave-server'
import { addDevices, simulated } from '../tenants.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

/** 231.4 as float32, the low word first. */
const VOLTAGE = [0x6666, 0x4367]

const model = (id: number, length: number) => [id, length, ...Array.from({ length }, () => 7)]
/** "SunS"; who made it, with fewer registers than usual; an inverter with three phases; one that is not known; the end. */
const SUNSPEC = [0x5375, 0x6e53, ...model(1, 65), ...model(103, 50), ...model(160, 28), 0xffff, 0]

describe.skipIf(noBrowser)('commissioning', () => {
  let opening: Opening
  let slaves: SlaveServer | undefined
  let gatewayId = 0
  const limit = settable([100])

  eachConsole(
    async (next) => {
      opening = next
      await next.booted.sim?.whenOnline(60_000)
      await next.enter(next.tenants.a.admin.username)
      // As over plain HTTP.
      await next.page.addInitScript(() => Reflect.deleteProperty(Crypto.prototype, 'randomUUID'))
    },
    async ({ a }, { sql }) => {
      const made = await addDevices(sql, a.customerId, a.groups.root, 'BENCH-G-', 1)
      gatewayId = made[0]?.id ?? 0
      return simulated(made, () => 'G100')
    },
  )
  beforeAll(async () => {
    const registers = new Registers()
    registers.put('holding', 10, { words: () => VOLTAGE })
    registers.put('holding', 20, limit)
    registers.put('holding', 40_000, { words: () => SUNSPEC })
    slaves = await startSlaves({ framing: 'tcp', slaves: [slave(3, registers)] })
  })
  afterAll(() => slaves?.close())

  async function openLine() {
    const { page } = opening
    await page.goto(`/cloudMonitor/deviceManagement/commissioning?deviceId=${gatewayId}`)
    await page.getByRole('combobox', { name: 'Protocol' }).click()
    await page.getByRole('option', { name: 'Modbus TCP', exact: true }).click()
    await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.1')
    await page.getByRole('textbox', { name: 'TCP port' }).fill(String(slaves?.port))
  }

  it('finds the slave and its registers, guesses the byte order, and makes a template', async () => {
    const { page, booted } = opening
    await openLine()
    // Emptied to type another number, a field is empty, and not zero; without another one the last one stays.
    const lastId = page.getByRole('textbox', { name: 'To ID' })
    await lastId.fill('')
    expect(await lastId.inputValue()).toBe('')
    await lastId.blur()
    await expect.poll(() => lastId.inputValue()).toBe('32')
    await lastId.fill('5')
    await page.getByRole('button', { name: 'Search for slaves' }).click()
    await page.getByRole('button', { name: /^3 ·/ }).click()
    await expect.poll(() => page.getByRole('textbox', { name: 'Slave ID' }).inputValue()).toBe('3')
    await page.getByRole('textbox', { name: 'To address' }).fill('29')
    // The type of the registers stands beside what searches for them; what one table has is not shown for another.
    const table = page.getByRole('combobox', { name: 'Register type' }).first()
    const take = async (name: string) => {
      await table.click()
      await page.getByRole('option', { name, exact: true }).click()
    }
    await take('Input register')
    await page.getByRole('button', { name: 'Search for registers' }).click()
    await page.getByText('None of these registers exists.').waitFor()
    await take('Holding register')
    expect(await page.getByText('None of these registers exists.').count()).toBe(0)
    await page.getByRole('button', { name: 'Search for registers' }).click()
    await page.getByRole('button', { name: '10 – 11' }).click()
    await page.getByRole('button', { name: 'Read', exact: true }).click()
    await page.getByText(/^Responded · \d+ ms$/).waitFor()
    // What was read stays what it is when another table is chosen.
    await take('Input register')
    await page.getByRole('textbox', { name: 'Expected value' }).fill('231.4')
    await page.getByRole('button', { name: /^float32 CDAB × 1 = 231.4/ }).click()
    await settled(page)
    await picture(page, 'commissioning', 'found')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Voltage')
    await page.getByRole('textbox', { name: 'Unit' }).fill('V')
    await page.getByRole('textbox', { name: 'Name of the template' }).fill('Found meter')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('heading', { name: 'Found meter' }).waitFor()
    const made = await booted.context.sql`
      select v.name, v.address, v.data_type as type, v.byte_order as "byteOrder", v.register_type as "table"
      from variables v join collection_templates c on c.id = v.template_id where c.name = 'Found meter'`
    expect([...made]).toEqual([
      { name: 'Voltage', address: 10, type: 'float32', byteOrder: 'CDAB', table: 'holding' },
    ])
  }, 120_000)

  it('walks the map of a SunSpec device, and makes a template of what its models measure', async () => {
    const { page, booted } = opening
    await openLine()
    await page.getByRole('textbox', { name: 'Slave ID' }).fill('3')
    await page.getByRole('button', { name: 'Look for SunSpec models' }).click()
    await page.getByText(/^Model 103, registers 40069 to 40120: \d+ variables$/).waitFor()
    await page.getByText('Model 160, registers 40121 to 40150: not known here').waitFor()
    await page.getByText(/^\d+ variables are in the template below\.$/).waitFor()
    // Once more, they are the same ones.
    const names = page.getByRole('textbox', { name: 'Name', exact: true })
    const count = await names.count()
    await page.getByRole('button', { name: 'Look for SunSpec models' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByText(/^\d+ variables are in the template below\.$/).waitFor()
    expect(await names.count()).toBe(count)
    await settled(page)
    await picture(page, 'commissioning', 'sunspec')
    await page.getByRole('textbox', { name: 'Name of the template' }).fill('Inverter on the roof')
    await page.getByRole('button', { name: 'Create template' }).click()
    await page.getByRole('heading', { name: 'Inverter on the roof' }).waitFor()
    const rows = await booted.context.sql<Record<string, unknown>[]>`
      select v.address, v.power_address as "powerAddress", v.no_value as "noValue", v.data_type as "dataType", v.unit
      from variables v join collection_templates t on t.id = v.template_id
      where t.name = 'Inverter on the roof' and v.address = 40083`
    expect([...rows]).toEqual([
      { address: 40_083, powerAddress: 40_084, noValue: '8000', dataType: 'int16', unit: 'W' },
    ])
  })

  it('reading again and again pauses while nothing can be read, and can be ended then', async () => {
    const { page } = opening
    await openLine()
    await page.getByRole('textbox', { name: 'Slave ID' }).fill('3')
    const again = page.getByRole('switch', { name: 'Read repeatedly' })
    // The input of a switch is hidden behind its track.
    await again.click({ force: true })
    await page.getByText(/^Refused with exception 2/).waitFor()
    await page.getByRole('textbox', { name: 'Host' }).fill('')
    await page.getByText('Enter the address of the slave').first().waitFor()
    const sent: string[] = []
    // Longer than the pause between two readings; what was under way before has been sent.
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData() ?? '')
    })
    await page.waitForTimeout(6_000)
    expect(sent.filter((body) => body.includes('readRegisters'))).toEqual([])
    expect(await again.isChecked()).toBe(true)
    await again.click({ force: true })
    expect(await again.isChecked()).toBe(false)
  })

  it('what was under way when the page was left has ended when it is shown again', async () => {
    const { page } = opening
    const away = async () => {
      await page.getByRole('link', { name: 'Variables' }).first().click()
      await page.getByRole('heading', { name: 'Variables' }).waitFor()
      await page.goBack()
    }
    await openLine()
    // Nobody answers there.
    await page.getByRole('textbox', { name: 'From ID' }).fill('4')
    await page.getByRole('textbox', { name: 'To ID' }).fill('6')
    const search = page.getByRole('button', { name: 'Search for slaves' })
    await search.click()
    await search.waitFor({ state: 'detached' })
    await away()
    await search.waitFor()
    // What was not searched to its end tells nothing of the slaves.
    expect(await page.getByText('No slave responded.').count()).toBe(0)
    await page.getByRole('textbox', { name: 'Slave ID' }).fill('5')
    const walk = page.getByRole('button', { name: 'Look for SunSpec models' })
    await walk.click()
    await walk.waitFor({ state: 'detached' })
    await away()
    await walk.waitFor()
    expect(await page.getByText('This slave has no SunSpec map').count()).toBe(0)
  }, 120_000)

  it('a link to another terminal shows its line, not what was typed for the one before', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const [template] = await sql<{ id: number }[]>`
      insert into collection_templates (customer_id, name, type) values (${tenants.a.customerId}, 'Two lines', 'other') returning id`
    for (const unit of [41, 42])
      await sql`
        insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address, port)
        values (${gatewayId}, ${`Line ${unit}`}, ${template?.id ?? 0}, 'modbusTcp', ${unit}, '127.0.0.1', ${slaves?.port ?? 0})`
    const unitOf = async (name: string) => {
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('button', { name: 'More actions' })
        .click()
      await page.getByRole('menuitem', { name: 'Commissioning' }).click()
      return page.getByRole('textbox', { name: 'Slave ID' })
    }
    await page.goto('/cloudMonitor/deviceManagement/terminalList')
    const first = await unitOf('Line 41')
    await expect.poll(() => first.inputValue()).toBe('41')
    await page.getByRole('textbox', { name: 'Host' }).fill('127.0.0.2')
    await page.getByRole('link', { name: 'Terminals' }).first().click()
    const second = await unitOf('Line 42')
    await expect.poll(() => second.inputValue()).toBe('42')
    expect(await page.getByRole('textbox', { name: 'Host' }).inputValue()).toBe('127.0.0.1')
    await sql`delete from terminals where template_id = ${template?.id ?? 0}`
  }, 120_000)

  it('a value is set, read back, and a register that cannot be written is refused by the equipment', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const [template] = await sql<{ id: number }[]>`
      insert into collection_templates (customer_id, name, type, next_slot)
      values (${tenants.a.customerId}, 'Pump', 'other', 2) returning id`
    const templateId = template?.id ?? 0
    await sql`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type, access, min, max)
      values (${templateId}, 0, 'Limit', 'bar', 'holding', 20, 'uint16', 'readWrite', 0, 500),
        (${templateId}, 1, 'Locked', 'bar', 'holding', 10, 'uint16', 'readWrite', 0, 500)`
    await sql`
      insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address, port)
      values (${gatewayId}, 'Pump 1', ${templateId}, 'modbusTcp', 3, '127.0.0.1', ${slaves?.port ?? 0})`
    await page.goto('/cloudMonitor/deviceManagement/variableList?search=Pump+1')
    await page.getByRole('cell', { name: '100 bar' }).waitFor()
    const setting = async (name: string, value: string) => {
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('button', { name: 'Set value' })
        .click()
      const dialog = page.getByRole('dialog', { name: `Set ${name} of Pump 1` })
      await dialog.getByRole('textbox').fill(value)
      await dialog.getByRole('button', { name: 'Set', exact: true }).click()
      return dialog
    }
    let dialog = await setting('Limit', '900')
    await dialog.getByText(/greater than 500/).waitFor()
    await dialog.getByRole('textbox').fill('250')
    await dialog.getByRole('button', { name: 'Set', exact: true }).click()
    const confirmed = dialog.getByText('Set, and confirmed by reading it back.')
    await confirmed.waitFor()
    // Of the next value it is not known yet.
    await dialog.getByRole('textbox').fill('901')
    await dialog.getByRole('button', { name: 'Set', exact: true }).click()
    await dialog.getByText(/greater than 500/).waitFor()
    expect(await confirmed.count()).toBe(0)
    await picture(page, 'commissioning', 'set')
    expect(limit.words()).toEqual([250])
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: '250 bar' }).waitFor()
    dialog = await setting('Locked', '7')
    await dialog.getByText(/^The equipment refused it with exception \d/).waitFor()
    await page.keyboard.press('Escape')
    // Nobody answers: whether it was set is not known, and it is not sent again.
    const mute = slaves?.slave(3).faults
    if (!mute) throw new Error('no slave')
    mute.silent = true
    dialog = await setting('Limit', '300')
    await dialog.getByText(/Unknown/).waitFor()
    mute.silent = false
    expect(limit.words()).toEqual([250])
  }, 120_000)

  it('the wizard reads the variables of a terminal before it is added', async () => {
    const { page, booted, tenants } = opening
    const { sql } = booted.context
    const [project] = await sql<{ id: number }[]>`
      insert into projects (customer_id, name, type, group_id)
      select ${tenants.a.customerId}, 'Test read', 'other', group_id from devices where id = ${gatewayId} returning id`
    const [template] = await sql<{ id: number }[]>`
      insert into collection_templates (customer_id, name, type, next_slot)
      values (${tenants.a.customerId}, 'Tested', 'other', 3) returning id`
    await sql`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type, byte_order, precision)
      values (${template?.id ?? 0}, 0, 'Voltage', 'V', 'holding', 10, 'float32', 'CDAB', 1),
        (${template?.id ?? 0}, 1, 'Nothing there', 'V', 'input', 500, 'uint16', null, 0)`
    await sql`
      insert into variables (template_id, slot, name, unit, io_controller, interface_number, data_type)
      values (${template?.id ?? 0}, 2, 'Relay', '-', 'relay', 1, 'bool')`
    // One slave is one terminal.
    await sql`delete from terminals where name = 'Pump 1'`
    const chosen = `projectId=${project?.id ?? 0}&deviceId=${gatewayId}&terminalId=0`
    await page.goto(`/cloudMonitor/deviceManagement/fastAccess?step=2&${chosen}`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Not yet')
    await page.getByRole('combobox', { name: 'Protocol' }).click()
    await page.getByRole('option', { name: 'Modbus TCP', exact: true }).click()
    await page.getByRole('textbox', { name: 'Slave ID' }).fill('3')
    await page.getByRole('textbox', { name: 'Slave address' }).fill('127.0.0.1')
    await page.getByRole('textbox', { name: 'TCP port' }).fill(String(slaves?.port))
    const next = page.getByRole('button', { name: 'Next', exact: true })
    await next.click()
    await page.getByRole('radio', { name: 'Tested' }).check()
    await next.click()
    const read = page.getByRole('button', { name: 'Test read' })
    // Left before it has ended, it can be begun again.
    const mute = slaves?.slave(3).faults
    if (!mute) throw new Error('no slave')
    mute.silent = true
    await read.click()
    await page.getByText(/^\d of \d/).waitFor()
    await page.getByRole('link', { name: 'Variables' }).first().click()
    await page.getByRole('heading', { name: 'Variables' }).waitFor()
    await page.waitForTimeout(3_000)
    mute.silent = false
    await page.goBack()
    await read.click()
    await page.getByRole('cell', { name: '231.4 V' }).waitFor()
    await page.getByRole('cell', { name: 'Off', exact: true }).waitFor()
    await page
      .getByRole('row', { name: /Nothing there/ })
      .getByText('Address refused')
      .waitFor()
    expect(await sql`select 1 from terminals where name = 'Not yet'`).toHaveLength(0)
    await settled(page)
    await picture(page, 'fast-access', 'test-read')
    await page.getByRole('button', { name: 'Add terminal' }).click()
    await page.getByText('Values of Not yet arrive').waitFor()
  }, 120_000)
})
