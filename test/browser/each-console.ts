/** Setup of most browser tests: the product with two tenants once, a clean English window for each test. */
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { SimOptions } from '#device-sim/start'
import { seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { looseContext, type TestContext } from '../harness.ts'
import { launchBrowser, type Opened, openAgain, openPage, readyConsole } from './open-browser.ts'

const BOOT_MS = 240_000

export type Opening = {
  booted: Booted
  browser: Browser
  tenants: Tenants
  opened: Opened
  page: Page
  /** As after a login. */
  enter(username: string): Promise<void>
}

type Fleet = Pick<SimOptions, 'fleet' | 'secrets'>

const ENGLISH = { language: 'en-US' } as const

/**
 * Call it in a `describe`; `begin` runs before each test, before any login.
 * @param simulate returns which devices are simulated (`booted.sim`), thirty times as fast as real ones; a retry starts
 *   them again with the product
 */
export function eachConsole(
  begin: (opening: Opening) => unknown,
  simulate?: (tenants: Tenants, context: TestContext) => Fleet | Promise<Fleet>,
): void {
  let booted: Booted
  let browser: Browser
  let tenants: Tenants
  let opened: Opened | undefined
  const boot = async () => {
    const context = await looseContext()
    tenants = await seedTenants(context)
    const fleet = await simulate?.(tenants, context)
    booted = await bootAll({ context, ...(fleet && { sim: { speed: 30, ...fleet } }) })
  }
  beforeAll(async () => {
    await readyConsole()
    await boot()
    browser = await launchBrowser()
  }, BOOT_MS)
  beforeEach(async ({ task }) => {
    // A retry must not be affected by what the first try left behind.
    if (task.result?.retryCount) {
      await booted.close()
      await boot()
      await opened?.context.close()
      opened = undefined
    }
    const current = opened
      ? await openAgain(opened, booted.url, ENGLISH)
      : await openPage(browser, booted.url, ENGLISH)
    opened = current
    const enter = async (username: string) => {
      await current.carry(await booted.login(username, TEST_PASSWORD))
    }
    await begin({ booted, browser, tenants, opened: current, page: current.page, enter })
  }, BOOT_MS)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })
}
