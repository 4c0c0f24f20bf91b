/** What a dialog is about: the devices, values and answers of now, not those of an earlier opening or of another page. */
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { addPackage, TEST_PASSWORD } from '#test/tenants'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

const IMEI = '860000000000017'

describe.skipIf(noBrowser)('dialogs and their fields', () => {
  let opening: Opening
  let page: Page
  const dialog = () => page.getByRole('dialog').filter({ visible: true })

  eachConsole(async (next) => {
    opening = next
    page = next.page
    await next.enter(next.tenants.a.admin.username)
  })

  /** The bodies of a call, as they are sent. */
  function sent(call: string): string[] {
    const bodies: string[] = []
    page.on('request', (request) => {
      if (request.url().includes(call)) bodies.push(request.postData() ?? '')
    })
    return bodies
  }

  /** Without loading the console anew. */
  const go = (path: string) =>
    page.evaluate((to) => {
      history.pushState({ idx: 99 }, '', to)
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    }, path)

  it('what a command would reach is asked anew each time', async () => {
    const bodies = sent('/previewTask')
    const sn = opening.tenants.a.devices[0]?.sn ?? ''
    await opening.booted.context
      .sql`update device_states set online = true where device_id = ${opening.tenants.a.devices[0]?.id ?? 0}`
    await page.goto(`/device/devicelist?refresh=0&search=${sn}&new=reboot`)
    for (const times of [1, 2]) {
      await dialog().getByText(/of 1/).first().waitFor()
      await expect.poll(() => bodies.length).toBe(times)
      await page.keyboard.press('Escape')
      await dialog().waitFor({ state: 'hidden' })
      if (times === 1)
        await page.evaluate(() => {
          history.replaceState(history.state, '', `${location.href}&new=reboot`)
          dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
        })
    }
  })

  it('a text that was just typed counts, also if the next step comes before its pause is over', async () => {
    const bodies = sent('/previewTask')
    await page.goto('/task/upgrade?reboot=1')
    await dialog().getByRole('searchbox').fill('only this one')
    await dialog().getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => bodies.at(-1)).toContain('only this one')
  })

  it('a device is found by what its name does not contain', async () => {
    const [device] = opening.tenants.a.devices
    await opening.booted.context.sql`update devices set imei = ${IMEI} where id = ${device?.id ?? 0}`
    await page.goto('/alarmMsg/warnconfiguration?open=new')
    await settled(page)
    const field = (name: RegExp) => dialog().getByRole('combobox', { name })
    const options = () => page.getByRole('option').filter({ visible: true })
    await field(/^Applies to/).click()
    await options()
      .filter({ hasText: /^Devices/ })
      .click()
    await field(/^Devices/).fill(IMEI)
    await options()
      .filter({ hasText: device?.sn ?? '' })
      .waitFor()
  })

  it('a field that searches offers others after a choice, and shows a choice of a link that it does not find', async () => {
    await furnishTerminal.run(opening.booted.context, opening.tenants.a)
    await page.goto('/cloudMonitor/statisticalReports/timeAxis')
    const gateway = page.getByRole('combobox', { name: 'Gateway' })
    for (const { sn } of opening.tenants.a.devices.slice(0, 2)) {
      await gateway.click()
      await page.getByRole('option', { name: sn }).click()
      await settled(page)
      await expect.poll(() => gateway.inputValue()).toContain(sn)
    }
    // A file is read where nobody knows the numbers of this platform: it has the name, too.
    const [device] = opening.tenants.a.devices
    await page.goto(`/graphs/onlinerate?deviceId=${device?.id ?? 0}`)
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Device' }).inputValue())
      .toContain(device?.sn ?? '?')
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export CSV' }).click()
    expect(await readFile(await (await file).path(), 'utf8')).toMatch(
      new RegExp(`Device: [^,]*${device?.sn ?? '?'}`),
    )
    await page.goto('/graphs/onlinerate?deviceId=999999')
    await expect.poll(() => page.getByRole('combobox', { name: 'Device' }).inputValue()).toBe('#999999')
  })

  it('Back from a drawer that is removed with it leaves no mark of unsaved changes', async () => {
    const { booted, tenants } = opening
    const [device] = tenants.a.devices
    if (!device) throw new Error('no devices')
    await booted.context.sql`
      insert into device_backups (id, device_id, customer_id, command_id, link_expires_at)
      values (gen_random_uuid(), ${device.id}, ${device.customerId}, gen_random_uuid(), now())`
    const marks = () => page.getByRole('img', { name: 'Unsaved changes' }).count()
    await page.goto(`/device/particulars/${device.groupId}/${device.id}?tab=configuration`)
    const row = page
      .getByRole('row')
      .filter({ hasText: /Backup (under way|failed)/ })
      .first()
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit the remark' }).click()
    await dialog().getByRole('textbox').first().fill('Half typed')
    await expect.poll(marks).toBe(1)
    await page.goBack()
    await dialog().waitFor({ state: 'hidden' })
    await expect.poll(marks).toBe(0)
  })

  it('a template is read anew each time, and what is edited is not lost without a question', async () => {
    const { booted, tenants } = opening
    const token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
    const where = { everywhere: false, groupIds: [], deviceIds: [], place: 100 }
    const pages = { ntp: { enabled: true } }
    const fields = { name: 'Clocks', pages, ...where }
    const made = await booted.call('configTemplate/addConfigTemplate', { ...fields, remark: 'one' }, token)
    const { id } = made.data as { id: number }
    const remark = () => dialog().getByRole('textbox', { name: 'Remark' })
    const open = () =>
      page
        .getByRole('row')
        .filter({ hasText: 'Clocks' })
        .getByRole('button', { name: 'Edit' })
        .first()
        .click()
    await page.goto('/resource/configtemplate?search=Clo')
    await open()
    await expect.poll(() => remark().inputValue()).toBe('one')
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'hidden' })
    expect(new URL(page.url()).searchParams.get('search')).toBe('Clo')
    await booted.call('configTemplate/modifyConfigTemplate', { id, ...fields, remark: 'two' }, token)
    await open()
    await expect.poll(() => remark().inputValue()).toBe('two')
    await remark().fill('three')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard the changes?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await expect.poll(() => remark().inputValue()).toBe('three')
  })

  it('an upgrade that was started over does not come back as a draft', async () => {
    const drafts = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => /^draft:.*:upgrade$/.test(key)))
    await page.goto(`/task/upgrade?new=1&filter=${encodeURIComponent('{"model":"R200"}')}`)
    await expect.poll(drafts).toHaveLength(1)
    await dialog().getByRole('button', { name: 'Start over' }).click()
    await expect.poll(drafts).toEqual([])
  })

  it('devices that another page hands over are not searched by the text of before', async () => {
    const { booted, tenants } = opening
    const file = { customerId: tenants.a.customerId, model: 'R200', version: '7.0.0' }
    const { id } = await addPackage(booted.context, file)
    const wizard = (filter: object) =>
      `/task/upgrade?new=1&spId=${id}&filter=${encodeURIComponent(JSON.stringify(filter))}`
    const search = dialog().getByRole('searchbox')
    await page.goto(wizard({ search: 'of before' }))
    await expect.poll(() => search.inputValue()).toBe('of before')
    await go(wizard({ model: 'R200' }))
    await expect.poll(() => search.inputValue()).toBe('')
  })

  it('a tab keeps the title that it got while the question about another one was open', async () => {
    const [device] = opening.tenants.a.devices
    await page.goto('/device/groupinglist?new=1')
    await dialog().getByRole('textbox').first().fill('Half typed')
    const answer = Promise.withResolvers<void>()
    await page.route('**/getDeviceDetail', async (route) => {
      await answer.promise
      await route.continue()
    })
    await go(`/device/particulars/${device?.groupId}/${device?.id}`)
    const tabs = page.getByRole('navigation', { name: 'Visited pages' })
    await tabs.getByRole('button', { name: 'Close Groups' }).click()
    await dialog().waitFor()
    answer.resolve()
    await tabs.getByRole('link', { name: device?.sn ?? '' }).waitFor()
    await dialog()
      .getByRole('button', { name: /^(Leave|Close)/ })
      .last()
      .click()
    await tabs.getByRole('link', { name: 'Groups' }).waitFor({ state: 'hidden' })
    expect(await tabs.getByRole('link', { name: device?.sn ?? '' }).count()).toBe(1)
    await page.unroute('**/getDeviceDetail')
  })

  it('the tab that is closed while it is shown does not come back while the page before it is loaded', async () => {
    const tabs = page.getByRole('navigation', { name: 'Visited pages' })
    for (const path of ['/device/devicelist', '/device/unusuallist', '/device/groupinglist']) {
      await page.goto(path)
      await settled(page)
    }
    await tabs.getByRole('link', { name: 'Abnormal devices' }).click()
    await page.waitForURL('**/device/unusuallist')
    await settled(page)
    await tabs.getByRole('button', { name: 'Close Abnormal devices' }).click()
    await page.waitForURL('**/device/devicelist')
    await settled(page)
    expect(await tabs.getByRole('link').allTextContents()).toEqual(['Home', 'Devices', 'Groups'])
  })

  it('a question about devices ends with its page', async () => {
    await page.goto('/device/devicelist')
    await settled(page)
    await page.getByRole('row').nth(1).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog().waitFor()
    await go('/dashboard')
    await page.waitForURL('**/dashboard')
    await settled(page)
    expect(await dialog().count()).toBe(0)
  })

  it('the reason of refusing a task is there again after the refusal could not be sent', async () => {
    const { booted, tenants, enter } = opening
    const { a } = tenants
    const token = await booted.login(a.admin.username, TEST_PASSWORD)
    const dids = [a.devices[1]?.id]
    const { sql, files } = booted.context
    const [device] = await sql<{ model: string }[]>`select model from devices where id = ${dids[0] ?? 0}`
    const of = { customerId: a.customerId, model: device?.model ?? '', version: '9.9.9' }
    const { id: spId } = await addPackage({ sql, files }, of)
    const task = { name: 'Careful', spId, dids, approval: true }
    const made = await booted.call('levelUp/addLevelUp', task, token)
    const { taskId } = made.data as { taskId: number }
    await enter(a.operator.username)
    await page.goto(`/task/upgrade/${taskId}`)
    const refuse = () => page.getByRole('button', { name: 'Refuse' }).first().click()
    const reason = dialog().getByRole('textbox', { name: 'Reason' })
    await refuse()
    await reason.fill('not on a Friday')
    await page.route('**/refuseTask', (route) => route.abort(), { times: 1 })
    await dialog().getByRole('button', { name: 'Refuse' }).click()
    await dialog().waitFor({ state: 'hidden' })
    await page.getByRole('alert').first().waitFor()
    await refuse()
    expect(await reason.inputValue()).toBe('not on a Friday')
    await dialog().getByRole('button', { name: 'Refuse' }).click()
    await page.getByText('Refused by').waitFor()
    const found = await booted.call('task/getTask', { taskId }, token)
    expect(found.data).toMatchObject({ approval: 'refused', approvalNote: 'not on a Friday' })
  })

  it('a corrected file that is chosen again is read again', async () => {
    const bodies = sent('/importDevices')
    const file = join(tmpdir(), `devices-${process.pid}.csv`)
    await page.goto('/device/devicelist?new=import')
    const cdp = await page.context().newCDPSession(page)
    for (const name of ['First', 'Second']) {
      writeFileSync(file, `sn,name,group,address\r\nNEW-1,${name},,x\r\n`)
      page.once('filechooser', () => undefined)
      await dialog()
        .getByText(/^Choose|devices-\d/)
        .first()
        .click()
      const { root } = await cdp.send('DOM.getDocument', {})
      const selector = '[role=dialog] input[type=file]'
      const { nodeId } = await cdp.send('DOM.querySelector', { nodeId: root.nodeId, selector })
      await cdp.send('DOM.setFileInputFiles', { nodeId, files: [file] })
      await expect.poll(() => bodies.at(-1)).toContain(name)
    }
  })

  it('the secrets of imported devices count as unsaved until they are downloaded', async () => {
    const marks = () => page.getByRole('img', { name: 'Unsaved changes' }).count()
    await page.goto('/device/devicelist?new=import')
    const buffer = Buffer.from('sn,name,group,address\r\nNEW-SECRET-1,New,,x\r\n')
    await dialog()
      .locator('input[type=file]')
      .setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer })
    await dialog().getByRole('combobox').first().click()
    await page.getByRole('option').filter({ visible: true }).first().click()
    await dialog().getByRole('button', { name: 'Create 1 device' }).click()
    const download = dialog().getByRole('button', { name: 'Download secrets' })
    await download.waitFor()
    await expect.poll(marks).toBe(1)
    await download.click()
    await expect.poll(marks).toBe(0)
  })

  it('the preview of an import is that of the file chosen last, also if an earlier one is answered later', async () => {
    const release = Promise.withResolvers<void>()
    await page.route('**/importDevices', async (route) => {
      if (route.request().postData()?.includes('NEW-EARLY')) await release.promise
      await route.continue()
    })
    await page.goto('/device/devicelist?new=import')
    const bodies = sent('/importDevices')
    for (const sn of ['NEW-EARLY', 'NEW-LATE']) {
      const buffer = Buffer.from(`sn,name\r\n${sn},x\r\n`)
      const file = { name: `${sn}.csv`, mimeType: 'text/csv', buffer }
      await dialog().locator('input[type=file]').setInputFiles(file)
      await expect.poll(() => bodies.at(-1)).toContain(sn)
    }
    await dialog().getByRole('cell', { name: 'NEW-LATE' }).waitFor()
    const earlier = page.waitForResponse((response) => !!response.request().postData()?.includes('NEW-EARLY'))
    release.resolve()
    await earlier
    await settled(page)
    expect(await dialog().getByRole('cell', { name: 'NEW-LATE' }).count()).toBe(1)
    await page.unroute('**/importDevices')
  })
})
