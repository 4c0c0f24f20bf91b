/** Files in the console: configuration files and signed packages, uploaded, refused with a reason, read without secrets, sent to devices. */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeSigner } from '#test/signer'
import type { Tenants } from '#test/tenants'
import { configArchive, packEntries } from '../config-archive.ts'
import { makeArchive } from '../walks/make-archive.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, type Opened, picture, SIZES, settled } from './open-browser.ts'

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
    await choose.setInputFiles(asFile('notes.zip', Buffer.from('x')))
    await send.click()
    await drawer.getByText('Only a .tar.gz file is accepted').waitFor()
    // The proposed name was that of the file before.
    await choose.setInputFiles(
      asFile('shop.tar.gz', await configArchive({ 'etc/config/wireless': wireless })),
    )
    await send.click()
    await drawer.waitFor({ state: 'hidden' })
    await settled(page)
    const row = page.getByRole('row', { name: /shop/ })
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

  it('a customer’s signing key: packages without its signature, or with a stranger’s, are refused at the field', async () => {
    const { page } = opened
    await enter(tenants.a.admin.username)
    const [signer, stranger] = [makeSigner(), makeSigner()]
    await page.goto('/task/softwarepackage')
    await page.getByRole('button', { name: 'Signing keys' }).click()
    const keys = page.getByRole('dialog', { name: 'Signing keys' })
    await keys.getByRole('button', { name: 'Add a key' }).click()
    const form = page.getByRole('dialog', { name: 'Add a key' })
    await form.getByLabel('Name').fill('Release 2026')
    await form.getByLabel('Public key').fill('no key')
    await picture(page, 'signing', 'key-form')
    await form.getByRole('button', { name: 'Add a key' }).click()
    await form.getByRole('alert').or(form.locator('[data-error]')).first().waitFor()
    await form.getByLabel('Public key').fill(signer.pem)
    await form.getByRole('button', { name: 'Add a key' }).click()
    await form.waitFor({ state: 'hidden' })
    await keys.getByText(`untrusted comment: ${signer.keyName}`).waitFor()
    await picture(page, 'signing', 'keys')

    const content = await makeArchive(5_000)
    const of = {
      sha256: createHash('sha256').update(content).digest('hex'),
      sizeBytes: content.length,
      type: 'upgrade',
      model: 'R200',
      version: '7.1.0',
      name: 'Signed',
    } as const
    await page.goto('/task/softwarepackage?upload=1')
    const drawer = page.getByRole('dialog', { name: 'Upload package' })
    await drawer.locator('input[type=file]').setInputFiles(asFile('signed.tar.gz', content))
    await drawer.getByLabel('Name').fill(of.name)
    await drawer.getByLabel('Version').fill(of.version)
    await drawer.getByLabel('Model').fill(of.model)
    const send = drawer.getByRole('button', { name: 'Upload', exact: true })
    const signature = drawer.getByLabel('Signature')
    await send.click()
    await expect.poll(() => signature.getAttribute('aria-invalid')).toBe('true')
    await signature.fill(stranger.signify(of))
    await send.click()
    await expect.poll(() => signature.getAttribute('aria-invalid')).toBe('true')
    await picture(page, 'signing', 'wrong')
    await signature.fill(signer.signify(of))
    await send.click()
    await drawer.waitFor({ state: 'hidden' })
    await page.getByRole('row', { name: /Signed/ }).waitFor()
    for (const [size, theme] of [
      ['narrow', 'dark'],
      ['wide', 'dark'],
    ] as const) {
      await page.setViewportSize(SIZES[size])
      await page.emulateMedia({ colorScheme: theme })
      await page.goto('/task/softwarepackage')
      await page.getByRole('button', { name: 'Signing keys' }).click()
      await keys.getByText(`untrusted comment: ${signer.keyName}`).waitFor()
      await picture(page, 'signing', `keys-${size}-${theme}`)
    }
  })
})
