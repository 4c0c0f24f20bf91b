/** The configuration of a device in the console: edited, refused at the field, reviewed, applied, found in step. */
import { describe, expect, it } from 'vitest'
import { simulated, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, picture, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('the configuration of a device', () => {
  let opening: Opening
  let device: TestDevice

  eachConsole(
    async (next) => {
      opening = next
      const [first] = next.tenants.a.devices
      if (!first) throw new Error('no device')
      device = first
      await next.enter(next.tenants.a.admin.username)
    },
    ({ a }) => simulated(a.devices.slice(0, 1)),
  )

  const path = (name: string) =>
    `/device/particulars/${device.groupId}/${device.id}?tab=configuration&page=${name}`

  it('a draft is refused at its field, reviewed, applied on trial, and then runs', async () => {
    const { page } = opening
    await page.goto(path('wan'))
    await page.getByText('In sync').waitFor()
    const metric = page.getByLabel('Metric')
    await metric.fill('10000')
    await metric.blur()
    await page.getByText('Metric must not be greater than 9999').waitFor()
    await metric.fill('41')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    // What runs stands below what is edited.
    await page.getByText('Running 10', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Review and apply (1)' }).click()
    const drawer = page.getByRole('dialog', { name: 'Review the change' })
    await drawer.getByText('WAN · Metric').waitFor()
    await drawer.getByText('+ network.wan.metric 41').waitFor()
    await picture(page, 'config', 'review')
    await drawer.getByRole('button', { name: 'Apply' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page.getByText('Waiting', { exact: true }).waitFor()
    await page.getByText('In sync').waitFor()
    await settled(page)
    await expect.poll(() => metric.inputValue()).toBe('41')
    await page.goto('/resource/configurationlist')
    await page.getByRole('row').filter({ hasText: device.sn }).getByText('Applied').waitFor()
  }, 120_000)

  it('shows what another user saves in the draft, on top of it what is not saved here, and asks about a field of both', async () => {
    const { page, booted, tenants } = opening
    const other = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
    const theySave = async (values: object) => {
      const saved = await booted.call(
        'config/saveConfigDraft',
        { deviceId: device.id, page: 'wan', values },
        other,
      )
      expect(saved).toMatchObject({ code: 0 })
    }
    await page.goto(path('wan'))
    const [metric, mtu] = [page.getByLabel('Metric'), page.getByLabel('MTU')]
    const mtuBytes = async () => (await mtu.inputValue()).replace(/\D/g, '')
    await metric.waitFor()
    await settled(page)
    await theySave({ mtu: 1400 })
    await expect.poll(mtuBytes).toBe('1400')
    await metric.fill('51')
    await metric.blur()
    await theySave({ mtu: 1380 })
    await expect.poll(mtuBytes).toBe('1380')
    await expect.poll(() => metric.inputValue()).toBe('51')

    await theySave({ mtu: 1380, metric: 52 })
    const note = page.getByRole('alert').filter({ hasText: 'changed this while you were editing' })
    await note.getByRole('row').filter({ hasText: 'Metric' }).waitFor()
    await expect.poll(() => note.getByRole('cell').allInnerTexts()).toEqual(['Metric', '52', '51'])
    await picture(page, 'config', 'two-editors')
    await note.getByRole('button', { name: 'Keep mine' }).click()
    await note.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: 'Review and apply (2)' }).waitFor()
    expect([await metric.inputValue(), await mtuBytes()]).toEqual(['51', '1380'])
    await page.getByRole('button', { name: 'Discard edits' }).click()
    await expect.poll(mtuBytes).toBe('')
  }, 120_000)

  it('what is typed stays when the device refuses what was sent before, and when that is no longer in the draft', async () => {
    const { page, booted } = opening
    const { sql } = booted.context
    await page.goto(path('wan'))
    const [metric, mtu] = [page.getByLabel('Metric'), page.getByLabel('MTU')]
    const mtuBytes = async () => (await mtu.inputValue()).replace(/\D/g, '')
    await metric.waitFor()
    await settled(page)
    await metric.fill('61')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: 'Review and apply (1)' }).waitFor()
    await settled(page)
    await mtu.fill('1390')
    const fault = { package: 'network', section: 'wan', option: 'metric', reason: 'no such metric' }
    await sql`
      update device_configs set ended = 'rejected', ended_at = now(), fault = ${sql.json(fault)} where device_id = ${device.id}`
    await page.getByText('Refused by the device: no such metric').waitFor()
    expect(await mtuBytes()).toBe('1390')
    await sql`update device_configs set ended = null, ended_at = null, fault = null where device_id = ${device.id}`
    await page.getByText('Refused by the device: no such metric').waitFor({ state: 'detached' })
    expect(await mtuBytes()).toBe('1390')
    await page.getByRole('button', { name: 'Discard edits' }).click()
    await expect.poll(mtuBytes).toBe('')
  }, 120_000)

  it('a page that is opened from the list of pages shows the values of the device', async () => {
    const { page } = opening
    await page.goto(path('wan'))
    await page.getByLabel('Metric').waitFor()
    await page.getByRole('button', { name: 'Multi-WAN' }).click()
    await expect
      .poll(() =>
        page.locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
      )
      .toContain('wan_first')
  })

  it("a router's export is compared, refused with its line, taken into the draft and discarded", async () => {
    const { page } = opening
    await page.goto(path('wan'))
    await page.getByRole('button', { name: 'Import UCI' }).click()
    const drawer = page.getByRole('dialog', { name: "Import a router's configuration" })
    const text = drawer.getByLabel('UCI text')
    await text.fill("package network\n\nconfig interface 'wan'\n\toption pro-to 'dhcp'\n")
    await drawer.getByRole('button', { name: 'Compare' }).click()
    await drawer.getByText('Line 4: invalid character in name field').waitFor()
    await text.fill(
      "package network\n\nconfig interface 'wan'\n\toption metric '57'\n\toption unheard_of '1'\n",
    )
    await drawer.getByLabel('Keep settings that are not in the text').check()
    await drawer.getByRole('button', { name: 'Compare' }).click()
    await drawer.getByText('WAN · Metric').waitFor()
    await drawer.getByText('+ network.wan.unheard_of 1').waitFor()
    await picture(page, 'config', 'import')
    await drawer.getByRole('button', { name: 'Take into the draft' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page.getByText('An imported text is in the draft').waitFor()
    await expect.poll(() => page.getByLabel('Metric').inputValue()).toBe('57')
    await page.getByRole('button', { name: 'Discard edits' }).first().click()
    await page.getByText('An imported text is in the draft').waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByLabel('Metric').inputValue()).not.toBe('57')
  })

  it('shows what the device has in rows and sections, too, and what is chosen there', async () => {
    const { page } = opening
    const choices = page.locator('form input[aria-haspopup=listbox]')
    await page.goto(path('sim'))
    await choices.first().waitFor()
    await settled(page)
    const shown = await choices.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    expect([shown.length > 2, shown.filter((text) => text === '')]).toEqual([true, []])
    await page.goto(path('wireless'))
    const width = page.getByRole('combobox', { name: 'Channel width' }).first()
    await expect.poll(() => width.inputValue()).not.toBe('')
    await width.click()
    const other = page.getByRole('option', { selected: false }).first()
    const text = await other.innerText()
    await other.click()
    await expect.poll(() => width.inputValue()).toBe(text)
  })

  it('offers no radio to add or remove and no band to choose, and names radios as their networks do', async () => {
    const { page } = opening
    await page.goto(path('wireless'))
    const radios = page.getByRole('group', { name: 'Radios' })
    const networks = page.getByRole('group', { name: 'Wi-Fi networks' })
    await radios.getByText('radio0').waitFor()
    await expect
      .poll(() => networks.getByRole('combobox', { name: 'Radio' }).first().inputValue())
      .toBe('radio0')
    const rowButtons = { name: /^(Add a row|Remove row \d+)$/ }
    expect(await radios.getByRole('button', rowButtons).count()).toBe(0)
    await expect.poll(() => networks.getByRole('button', rowButtons).count()).toBeGreaterThan(1)
    expect(await radios.getByLabel('Band').first().isEditable()).toBe(false)
  })

  it('offers the zones of the device, warns of one that nothing has, and the server refuses it', async () => {
    const { page } = opening
    await page.goto(path('port-forward'))
    await page.getByRole('button', { name: 'Add a row' }).click()
    const zone = page.getByRole('combobox', { name: 'From zone' }).last()
    await zone.click()
    const offered = page.getByRole('option')
    await expect.poll(() => offered.allInnerTexts()).toEqual(['lan', 'wan'])
    await offered.getByText('lan', { exact: true }).click()
    await expect.poll(() => zone.inputValue()).toBe('lan')
    const note = page.getByRole('status').getByText('There is no zone named dmz')
    expect(await note.count()).toBe(0)
    await zone.fill('dmz')
    await zone.press('Escape')
    await note.waitFor()
    // The note stands in the line of the hints, so that the inputs beside it stay in theirs.
    const name = page.getByRole('textbox', { name: 'Name' }).last()
    expect((await zone.boundingBox())?.y).toBe((await name.boundingBox())?.y)
    await picture(page, 'config', 'unknown-zone')
    await page.getByLabel('Internal address').last().fill('192.168.1.20')
    await page.getByLabel('External ports').last().fill('8443')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page
      .getByRole('alert')
      .or(page.locator('.mantine-InputWrapper-error'))
      .getByText('no zone named dmz')
      .waitFor()
    await zone.fill('wan')
    await zone.press('Escape')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: 'Review and apply (1)' }).waitFor()
    await page.getByRole('button', { name: 'Discard edits' }).click()
    await page.getByRole('button', { name: 'Review and apply (0)' }).waitFor()
  })

  it('rules of the firewall can be moved, since the first that matches counts; lists without an order cannot', async () => {
    const { page } = opening
    await page.goto(path('firewall'))
    const rules = page.getByRole('group', { name: 'Rules', exact: true })
    const names = () =>
      rules
        .getByRole('textbox', { name: 'Name' })
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    const before = async () => (await names()).length
    await expect.poll(before).toBeGreaterThan(1)
    const [first, second] = await names()
    await rules.getByRole('button', { name: 'Move row 2 up' }).click()
    expect((await names()).slice(0, 2)).toEqual([second, first])
    expect(await rules.getByRole('button', { name: 'Move row 1 up' }).count()).toBe(0)
    const zones = page.getByRole('group', { name: 'Zones', exact: true })
    expect(await zones.getByRole('button', { name: /^Move row/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: /^Review and apply \(1\)/ }).click()
    const drawer = page.getByRole('dialog', { name: 'Review the change' })
    await drawer.getByText('In another order').first().waitFor()
    await picture(page, 'config', 'rule-order')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard edits' }).click()
    await expect.poll(async () => (await names())[0]).toBe(first)
  })

  it('says of a section which of its fields is edited, with units', async () => {
    const { page } = opening
    await page.goto(path('sim'))
    const interval = page.getByRole('textbox', { name: 'Check interval' })
    await expect.poll(() => interval.inputValue()).toBe('60 s')
    const rssi = page.getByRole('textbox', { name: 'RSSI threshold' })
    await expect.poll(() => rssi.inputValue()).toBe('5 CSQ (−103 dBm)')
    await interval.fill('90')
    await interval.blur()
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: /Review and apply/ }).click()
    const change = page.getByRole('dialog', { name: 'Review the change' }).getByRole('row').filter({
      hasText: 'Mobile network · SIM switching',
    })
    await change.waitFor()
    expect((await change.getByRole('cell').allInnerTexts()).slice(1, 3)).toEqual([
      'Check interval: 60 s',
      'Check interval: 90 s',
    ])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard edits' }).click()
    await expect.poll(() => interval.inputValue()).toBe('60 s')
  })

  it('of a bridge that is divided, the LAN has to choose a VLAN: said at its field', async () => {
    const { page } = opening
    await page.goto(path('bridge-vlan'))
    const vlans = page.getByRole('group', { name: 'VLANs' })
    await page
      .getByRole('group', { name: 'Bridges', exact: true })
      .getByText('lan1', { exact: true })
      .waitFor()
    await vlans.getByRole('button', { name: 'Add a row' }).click()
    await vlans.getByRole('textbox', { name: 'VLAN ID' }).fill('1')
    await vlans.getByRole('combobox', { name: 'Ports' }).fill('lan1:u*')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByText('br-lan has VLANs: choose one of them, such as br-lan.1').waitFor()
    await settled(page)
    await picture(page, 'config', 'bridge-vlan')
    const lan = page.getByRole('combobox', { name: 'Device of the LAN' })
    await lan.fill('br-lan.1')
    await lan.blur()
    await page.getByRole('button', { name: 'Save as draft' }).click()
    await page.getByRole('button', { name: /^Review and apply/ }).waitFor()
    await page.getByRole('button', { name: 'Discard edits' }).first().click()
    await expect.poll(() => lan.inputValue()).toBe('br-lan')
  })

  it('every page of it opens', async () => {
    const { page } = opening
    for (const name of [
      'lan',
      'sim',
      'wireless',
      'firewall',
      'port-forward',
      'openvpn',
      'n2n-edge',
      'ntp',
      'repeater',
      'serial',
    ]) {
      await page.goto(path(name))
      await page.locator('form, [role=img], h3, p').first().waitFor()
      await settled(page)
      await picture(page, 'config', name)
    }
  }, 120_000)
})
