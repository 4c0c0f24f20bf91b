/** The first steps of a new user in a real browser: log in, see the fleet, upload a package, upgrade ten devices. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '#schema/kit/refusal'
import { uploadPackage } from '#schema/task/package'
import { addDevices, seedTenants, simulated, TEST_PASSWORD } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { byForce } from '../move-check.ts'
import { makeArchive } from '../walks/make-archive.ts'
import { launchBrowser, noBrowser, type Opened, openPage, readyConsole, settled } from './open-browser.ts'
import { foreign, rawKeys, textsOf } from './texts.ts'

const FLEET = 12
const folder = mkdtempSync(join(tmpdir(), 'iot-walk-'))

let booted: Booted
let browser: Browser
let opened: Opened
let page: Page
let taskPath = ''

describe.skipIf(noBrowser)('the first steps of a new user', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    const { a, superAdmin } = await seedTenants(context)
    await context.sql`update users set username = 'admin' where id = ${superAdmin.id}`
    const fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'WALK-', FLEET)
    booted = await bootAll({
      context,
      sim: {
        ...simulated(fleet),
        speed: 20,
        // Longer than the polling interval of the page, so that it cannot miss it.
        downloadDelayMs: 7000,
      },
    })
    await booted.sim?.whenOnline(60_000)
    writeFileSync(join(folder, 'R200-9.9.0.tar.gz'), await makeArchive(300_000))
    writeFileSync(join(folder, 'notes.zip'), 'not an archive of ours')
    browser = await launchBrowser()
    opened = await openPage(browser, booted.url, { language: 'en-US' })
    page = opened.page
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('begins at the login, which reports errors first', async () => {
    await page.goto('/')
    await page.waitForURL('**/login')
    await page.getByRole('textbox', { name: 'User name' }).fill('admin')
    await page.getByLabel('Password', { exact: true }).fill('wrong-horse-7')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('Username or password wrong').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(TEST_PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await settled(page)
  })

  it('shows the fleet online', async () => {
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click()
    await page.waitForURL('**/device/devicelist')
    await page.getByPlaceholder(/Serial/).fill('WALK-')
    await page.getByText(`1–10 of ${FLEET}`).waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('WALK-')
    await expect.poll(() => page.locator('tbody').getByText('Online', { exact: true }).count()).toBe(10)
  })

  it('refuses a file that is no .tar.gz, then uploads a package that gets synced', async () => {
    await page.getByRole('link', { name: 'Packages', exact: true }).first().click()
    await page.waitForURL('**/task/softwarepackage')
    await page.getByRole('button', { name: 'Upload package' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Upload package' })
    await drawer.locator('input[type=file]').setInputFiles(join(folder, 'notes.zip'))
    await drawer.getByText('Only a .tar.gz file is accepted').waitFor()
    await drawer.locator('input[type=file]').setInputFiles(join(folder, 'R200-9.9.0.tar.gz'))
    await expect.poll(() => drawer.getByLabel('Version').inputValue()).toBe('9.9.0')
    await expect.poll(() => drawer.getByLabel('Model').inputValue()).toBe('R200')
    await drawer.getByLabel('Name').fill('R200 firmware')
    await page.route(`**${uploadPackage.path}*`, (route) => route.abort('connectionreset'))
    await drawer.getByRole('button', { name: 'Upload', exact: true }).click()
    await drawer.getByText(/^The connection broke at .*Nothing was saved; your entries are kept/).waitFor()
    await page.unroute(`**${uploadPackage.path}*`)
    // The browser names the broken connection in its console.
    const broke = opened.errors.indexOf('Failed to load resource: net::ERR_CONNECTION_RESET')
    expect(broke).toBeGreaterThanOrEqual(0)
    opened.errors.splice(broke, 1)
    await expect.poll(() => drawer.getByLabel('Name').inputValue()).toBe('R200 firmware')
    await drawer.getByRole('button', { name: 'Start again' }).click()
    await drawer.waitFor({ state: 'hidden' })
    await page.locator('tbody').getByText('R200 firmware').waitFor()
    await page.locator('tbody').getByText('Synced', { exact: true }).waitFor()
  })

  it('reports a second upload of the same version at the field', async () => {
    await page.getByRole('button', { name: 'Upload package' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Upload package' })
    await drawer.locator('input[type=file]').setInputFiles(join(folder, 'R200-9.9.0.tar.gz'))
    await drawer.getByRole('button', { name: 'Upload', exact: true }).click()
    await drawer.getByText('Version 9.9.0 for model R200 already exists').waitFor()
    await expect.poll(() => drawer.getByLabel('Version').getAttribute('aria-invalid')).toBe('true')
    await drawer.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await drawer.waitFor({ state: 'hidden' })
  })

  it('passes ten selected devices to a new upgrade, whose draft survives a reload', async () => {
    await page.goto('/device/devicelist?search=WALK-&sort=deviceSn&order=asc')
    await settled(page)
    await page
      .getByLabel('Select all rows on this page')
      .or(page.locator('thead input[type=checkbox]'))
      .first()
      .check()
    await page
      .getByRole('button', { name: /^Upgrade/ })
      .first()
      .click()
    await page.waitForURL('**/task/upgrade?new=1**')
    const drawer = page.getByRole('dialog', { name: 'New upgrade' })
    await drawer.getByRole('radio', { name: 'R200 firmware 9.9.0 R200' }).check()
    await drawer.getByRole('button', { name: 'Next' }).click()
    await drawer.getByText('The package fits 10 devices').waitFor()
    await page.reload()
    await drawer.getByText('The package fits 10 devices').waitFor()
    await drawer.getByRole('button', { name: 'Next' }).click()
    await expect.poll(() => drawer.getByLabel('Name').inputValue()).toBe('R200 firmware 9.9.0')
    await drawer.getByRole('button', { name: 'Upgrade 10 devices' }).click()
    await page.waitForURL(/\/task\/upgrade\/\d+$/)
    taskPath = new URL(page.url()).pathname
  })

  it('shows the devices moving through the steps until each is done and none failed', async () => {
    const seen = new Set<string>()
    const bar = page.getByRole('toolbar', { name: 'Devices by step' })
    const done = page.getByText('10 of 10 devices now run 9.9.0.')
    for (let i = 0; i < 300 && !(await done.isVisible()); i++) {
      for (const label of await bar
        .locator('button[aria-label]')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label') ?? '')))
        seen.add(label.split(':')[0] ?? '')
      await page.waitForTimeout(100)
    }
    await done.waitFor()
    expect([...seen]).toContain('Downloading')
    expect([...seen]).not.toContain('Failed')
    await expect.poll(() => page.getByText('Failures by cause').count()).toBe(0)
    await expect.poll(() => page.locator('tbody').getByText('Done', { exact: true }).count()).toBe(10)
    // Polling ends with the task: the timeline has its end nevertheless.
    await page.getByText('Ended: 10 done, 0 failed, 0 cancelled').waitFor()
  })

  it('filters the devices by a click on a segment, and keeps that in the URL', async () => {
    await page.getByRole('button', { name: /^Done: 10 devices/ }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('outcome')).toBe('done')
    await page.reload()
    await settled(page)
    await expect
      .poll(() => page.getByRole('button', { name: /^Done: 10 devices/ }).getAttribute('aria-pressed'))
      .toBe('true')
    await page.getByRole('button', { name: /Failed$/ }).click()
    await expect.poll(() => page.locator('tbody').getByText('Done', { exact: true }).count()).toBe(0)
  })

  it('shows a device its new version', async () => {
    await page.goto('/device/devicelist?search=WALK-00000')
    await settled(page)
    await page.locator('tbody').getByText('9.9.0').waitFor()
  })

  it('follows a command on the device’s page to its end', async () => {
    await page.locator('tbody').getByRole('link', { name: 'WALK-00000' }).click()
    await page.getByRole('tab', { name: 'Services' }).click()
    await page.getByRole('button', { name: 'Restart ntpd' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click()
    // The header counts seconds meanwhile: polling every two seconds must not restart with each re-rendering.
    await page.getByText(/^Restart ntpd verified/).waitFor()
  })

  it('groups failures by cause, and retries those of one cause', async () => {
    const { sql } = booted.context
    const taskId = Number(taskPath.split('/').at(-1))
    // Pretends that the files arrived damaged at two devices, which have their old versions again.
    await byForce(
      sql,
      (tx) => tx`update task_items set outcome = 'failed', failure = 'md5Failed', step = 'downloaded'
        where id in (select i.id from task_items i join devices d on d.id = i.device_id
          where i.task_id = ${taskId} and d.sn in ('WALK-00000', 'WALK-00001'))`,
    )
    await sql`update devices set firmware = '1.0.0' where sn in ('WALK-00000', 'WALK-00001')`
    await page.goto(taskPath)
    await settled(page)
    await page.getByText('8 of 10 devices now run 9.9.0. 2 failed.').waitFor()
    await page.getByRole('button', { name: 'Show devices' }).click()
    await expect.poll(() => page.locator('tbody').getByText('MD5 check failed').count()).toBe(2)
    await page.getByRole('button', { name: 'Retry 2: MD5 check failed' }).click()
    await page.getByText('2 started again.').waitFor()
    await page.getByText('10 of 10 devices now run 9.9.0.').waitFor()
    await expect.poll(() => page.getByText('Failures by cause').count()).toBe(0)
  })

  it('asks before a scheduled upgrade is cancelled, and deletes it when it has ended', async () => {
    await page.goto('/task/softwarepackage')
    await settled(page)
    await page.getByRole('button', { name: 'Upgrade devices with this package' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'New upgrade' })
    await drawer.getByText(/The package fits \d+ devices/).waitFor()
    await drawer.getByLabel('Include newly matching devices for (days)').fill('7')
    await drawer.getByRole('button', { name: 'Next' }).click()
    await drawer.getByRole('radio', { name: 'At a time' }).check()
    await drawer.getByLabel('Name').fill('Tonight')
    // Twice before anything is drawn, like a double click on a slow machine; a moment later, so that devices join for longer.
    await drawer.getByRole('button', { name: /^Upgrade \d+ devices$/ }).evaluate((button: HTMLElement) => {
      button.click()
      const clicked = Date.now()
      while (Date.now() === clicked);
      button.click()
    })
    await page.getByText('Scheduled').filter({ visible: true }).waitFor()
    expect(await booted.context.sql`select 1 from tasks where name = 'Tonight'`).toHaveLength(1)
    await page.getByRole('button', { name: 'Cancel task' }).click()
    const question = page.getByRole('dialog', { name: 'Cancel “Tonight”?' })
    await question.getByText(/have not begun and stay as they are/).waitFor()
    await question.getByRole('button', { name: 'Cancel task' }).click()
    await page.getByRole('button', { name: 'Delete task' }).click()
    await page
      .getByRole('dialog', { name: 'Delete the task?' })
      .getByRole('button', { name: 'Delete task' })
      .click()
    await page.waitForURL('**/task/upgrade')
    await expect.poll(() => page.locator('tbody').getByText('Tonight').count()).toBe(0)
  })

  it('threw no error, except for intended refusals', () => {
    expect(opened.errors).toEqual([])
  })

  it.each<Language>(['zh-CN', 'zh-TW', 'en-US'])('reads well in %s', async (language) => {
    const token = await booted.login('admin', TEST_PASSWORD)
    const other = await openPage(browser, booted.url, { language })
    await other.page.goto('/login')
    await settled(other.page)
    const texts = await textsOf(other.page)
    for (const path of ['/device/devicelist', '/task/softwarepackage', '/task/upgrade', taskPath]) {
      await other.carry(token)
      await other.page.goto(path)
      await settled(other.page)
      texts.push(...(await textsOf(other.page)))
    }
    await other.context.close()
    expect(rawKeys(texts)).toEqual([])
    expect(foreign(texts, language)).toEqual([])
  })
})
