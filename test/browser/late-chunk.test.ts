/** [§9 Chunk load timeout] A part of the console that does not load within 120 s says so and offers another try. */
import type { Page, Route } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Tenants } from '#test/tenants'
import { eachConsole, type Opening } from './each-console.ts'
import { noBrowser, settled } from './open-browser.ts'

const TIMEOUT_MS = 120_000

let page: Page
let tenants: Tenants
let enter: Opening['enter']

/** Blocks these files until they are released. */
async function hold(files: string) {
  let held: Route[] | null = []
  await page.route(files, (route) => (held === null ? route.continue() : void held.push(route)))
  return {
    count: () => held?.length ?? 0,
    /** `arrive`: earlier requests are answered after all; later ones are in any case. */
    release: async (arrive: boolean) => {
      const before = held ?? []
      held = null
      if (arrive) await Promise.all(before.map((route) => route.continue()))
    },
  }
}
const alert = () => page.getByRole('alert').filter({ hasText: 'did not load within 120 s' })

describe.skipIf(noBrowser)('a part of the console that does not load', () => {
  eachConsole((at) => {
    ;({ page, tenants, enter } = at)
  })

  it('is named after 120 s and not before, and a retry leads to the requested page', async () => {
    await enter(tenants.a.admin.username)
    await page.clock.install()
    await page.goto('/device/devicelist')
    await settled(page)
    const held = await hold('**/assets/package-list-*.js')
    await page.getByRole('link', { name: 'Packages', exact: true }).click()
    await expect.poll(held.count).toBe(1)
    await page.clock.fastForward(TIMEOUT_MS - 30_000)
    expect(await alert().count()).toBe(0)
    await page.clock.fastForward(30_000)
    await alert().waitFor()
    expect(new URL(page.url()).pathname).toBe('/device/devicelist')
    await held.release(false)
    await alert().getByRole('button', { name: 'Retry' }).click()
    await page.waitForURL('**/task/softwarepackage')
    await settled(page)
    await page.getByRole('heading', { name: 'Packages' }).waitFor()
    expect(await alert().count()).toBe(0)
  })

  it('is shown when it arrives after all, and the message disappears', async () => {
    await enter(tenants.a.admin.username)
    await page.clock.install()
    const held = await hold('**/assets/shell-*.js')
    await page.goto('/device/devicelist', { waitUntil: 'commit' })
    // The frame; its texts come with the page.
    await expect.poll(held.count).toBe(1)
    // The files may be asked for before the code that watches them has run.
    await expect
      .poll(async () => {
        await page.clock.fastForward(TIMEOUT_MS)
        return alert().count()
      })
      .toBe(1)
    await held.release(true)
    await settled(page)
    await alert().waitFor({ state: 'detached' })
  })

  it('may be a dialog; a closed message stays closed', async () => {
    await enter(tenants.a.admin.username)
    await page.clock.install()
    await page.goto('/task/softwarepackage')
    await settled(page)
    const held = await hold('**/assets/package-upload-*.js')
    await page.getByRole('button', { name: 'Upload package' }).first().click()
    await expect.poll(held.count).toBe(1)
    await page.clock.fastForward(TIMEOUT_MS)
    await alert().getByRole('button', { name: 'Close' }).click()
    await alert().waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Packages' }).waitFor()
  })
})
