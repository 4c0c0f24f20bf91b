/** The console at an address without TLS, as on the first evening: browsers keep some of their functions from it. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { TEST_PASSWORD } from '#test/tenants'
import { furnishTerminal } from '../furnish/terminal.ts'
import { eachConsole, type Opening } from './each-console.ts'
import { makeKioskLink } from './kiosk-link.ts'
import { noBrowser, openPage, PLAIN_HOST, settled } from './open-browser.ts'

describe.skipIf(noBrowser)('over plain HTTP', () => {
  let opening: Opening

  eachConsole(async (next) => {
    opening = next
  })

  async function openPlain(): Promise<Page> {
    const { booted, browser, tenants } = opening
    const url = booted.url.replace('127.0.0.1', PLAIN_HOST)
    const { carry, page } = await openPage(browser, url, { language: 'en-US' })
    await carry(await booted.login(tenants.a.admin.username, TEST_PASSWORD))
    return page
  }

  it('a serial number and a secret in a dialog are copied', async () => {
    const { booted, tenants } = opening
    await furnishTerminal.run(booted.context, tenants.a)
    const page = await openPlain()
    const sn = tenants.a.devices[0]?.sn ?? ''
    await page.goto(`/device/devicelist?search=${sn}`)
    await settled(page)
    expect(await page.evaluate(() => isSecureContext)).toBe(false)
    const search = page.getByRole('searchbox').first()
    const pasted = async () => {
      await search.fill('')
      await search.press('Control+V')
      return search.inputValue()
    }
    await page.getByRole('button', { name: `${sn}: Copy` }).click()
    expect(await pasted()).toBe(sn)

    const { made, address } = await makeKioskLink(page, `${tenants.a.name} project`)
    await made.getByRole('button', { name: 'Copy', exact: true }).click()
    await made.getByRole('button', { name: 'Copied' }).waitFor()
    await page.goto('/device/devicelist')
    await settled(page)
    expect(await pasted()).toBe(address)
    await page.context().close()
  })
})
