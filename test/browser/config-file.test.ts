/** Configuration files in the console: uploaded, read without secrets, refused with a reason, sent to devices. */
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import { configArchive, packEntries } from '../config-archive.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, type Opened, settled } from './open-browser.ts'

let tenants: Tenants
let opened: Opened
let enter: Opening['enter']

const wireless = "config wifi-iface 'home'\n\toption ssid 'Shop'\n\toption key 'correct horse'\n"
const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/gzip', buffer })

describe.skipIf(noBrowser)('configuration files', () => {
  eachConsole((at) => {
    ;({ tenants, opened, enter } = at)
  })

  it('are uploaded, shown without passwords, and sent by the wizard', async () => {
    const { page } = opened
    await enter(tenants.a.admin.username)
    await page.goto('/resource/configuration?upload=1')
    const drawer = page.getByRole('dialog', { name: 'Upload configuration file' })
    const choose = drawer.locator('input[type=file]')
    const send = drawer.getByRole('button', { name: 'Upload', exact: true })
    await choose.setInputFiles(asFile('bad.tar.gz', await packEntries([{ name: 'usr/a', content: 'x' }])))
    await send.click()
    await drawer.getByText('a file is outside of etc/').waitFor()
    await drawer.getByRole('button', { name: 'Remove the file' }).click()
    await choose.setInputFiles(
      asFile('shop.tar.gz', await configArchive({ 'etc/config/wireless': wireless })),
    )
    await send.click()
    await drawer.waitFor({ state: 'hidden' })
    await settled(page)
    const row = page.getByRole('row', { name: /bad/ })
    await row.waitFor()
    await page.goto('/resource/configuration?shown=1')
    const contents = page.getByRole('dialog', { name: /^Contents of/ })
    await contents.getByText("option ssid 'Shop'").waitFor()
    expect(await contents.textContent()).not.toContain('correct horse')

    await page.goto('/resource/firmware?new=1&spId=1')
    const wizard = page.getByRole('dialog', { name: 'New batch configuration' })
    await wizard.getByText(/devices can restore this file/).waitFor()
    await wizard.getByRole('button', { name: 'Next' }).click()
    await wizard.getByRole('button', { name: /^Configure \d+ devices$/ }).click()
    await page.waitForURL(/\/task\/upgrade\/\d+$/)
    await settled(page)
    await page.getByText('Batch configuration', { exact: true }).first().waitFor()
  })
})
