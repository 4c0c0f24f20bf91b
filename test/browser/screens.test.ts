/** Every declared screen, in each language and colour scheme, wide and narrow: drawn, readable, accessible. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gather, schemaFolder } from '#infra/gather'
import { languages } from '#schema/kit/refusal'
import { isScreen, type Screen } from '#schema/kit/screen'
import { addDevices, addPackage, seedTenants, TEST_PASSWORD } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { isFurnish } from '../furnish.ts'
import { testContext } from '../harness.ts'
import { makeArchive } from '../walks/make-archive.ts'
import { completed, itemsOf } from '../walks/watch-task.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  pictureOfFailure,
  picturePath,
  readyConsole,
  SIZES,
  settled,
} from './open-browser.ts'
import { foreign, rawKeys, textsOf } from './texts.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const screens = await gather(schemaFolder, isScreen)
const looks = languages.flatMap((language) =>
  (['light', 'dark'] as const).map((theme) => ({ language, theme })),
)
const sizes = Object.keys(SIZES) as (keyof typeof SIZES)[]

type Violation = { id: string; impact: string | null; nodes: { target: unknown; failureSummary: string }[] }

/** What keeps people out: serious and critical violations, with the elements. */
async function violations(opened: Opened): Promise<string[]> {
  await opened.page.evaluate(axe)
  const found = await opened.page.evaluate(
    () =>
      (
        globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
      ).axe.run({ resultTypes: ['violations'] }) as Promise<{ violations: Violation[] }>,
  )
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)} ${failureSummary}`),
    )
}

let booted: Booted
let browser: Browser
let token: string
let opened: Opened
/** What stands for the parameters of paths. */
const parameters: Record<string, string> = {}
const pathOf = (screen: Screen) =>
  screen.path.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? name)

/** The screens, and the drawers that an address opens. */
const addresses = [
  ...screens.map((screen) => ({ name: screen.name, path: () => pathOf(screen) })),
  { name: 'upgrade-wizard', path: () => '/task/upgrade?new=1&spId=1' },
  { name: 'package-upload', path: () => '/task/softwarepackage?upload=1' },
  ...['network', 'configuration', 'services', 'remote', 'history', 'logs'].map((tab) => ({
    name: `device-detail-${tab}`,
    path: () => `/device/particulars/${parameters['id']}/${parameters['did']}?tab=${tab}`,
  })),
  { name: 'alarm-rule-form', path: () => '/alarmMsg/warnconfiguration?open=new' },
  { name: 'alarm-channels', path: () => '/alarmMsg/warnconfiguration?open=channels' },
  { name: 'alarm-log', path: () => '/alarmMsg/warnconfiguration?open=log' },
  { name: 'alarm-maintenance', path: () => '/alarmMsg/warnconfiguration?open=maintenance' },
]

/** A life for the pages to show: a fleet, packages synced and not, a task that ended in several ways. */
async function prepare(): Promise<void> {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.1' })
  const { a, superAdmin } = await seedTenants(context)
  const fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'LOOK-', 10)
  booted = await bootAll({
    context,
    sim: {
      fleet: fleet.map(({ sn }, i) => ({ sn, model: i === 9 ? 'P10' : 'R200' })),
      secrets: Object.fromEntries(fleet.map(({ sn, secret }) => [sn, secret])),
      speed: 20,
      faults: { md5Failed: 0.4, packageVerifyFailed: 0.3 },
    },
  })
  await context.sql`update devices set deleted_at = now(), deleted_reason = 'Lightning' where id = ${a.devices[3]?.id ?? 0}`
  await booted.sim?.whenOnline(30_000)
  token = await booted.login(superAdmin.username, TEST_PASSWORD)
  const made = await addPackage(context, {
    customerId: null,
    model: 'R200',
    version: '9.9.0',
    content: await makeArchive(20_000),
  })
  const other = await addPackage(context, { customerId: a.customerId, model: 'R200', version: '9.9.1' })
  await context.sql`update packages set synced_at = null, sync_error = 'ECONNREFUSED' where id = ${other.id}`
  const answer = await booted.call(
    'levelUp/addLevelUp',
    { spId: made.id, name: 'Night run', filter: { search: 'LOOK-' } },
    token,
  )
  const { taskId } = answer.data as { taskId: number }
  // Some are cancelled, unless they are already too far; of the others some fail.
  const items = await itemsOf(context, taskId)
  await booted.call(
    'levelUp/cancelLevelUp',
    { taskId, itemIds: items.slice(0, 2).map(({ id }) => id) },
    token,
  )
  await completed(context, taskId)
  // One of everything else that a customer can own: an empty page shows little.
  for (const { run } of await gather(new URL('../furnish/', import.meta.url), isFurnish))
    await run(context, a)
  Object.assign(parameters, { taskId: String(taskId), id: String(a.groups.root), did: String(fleet[0]?.id) })
}

describe.skipIf(noBrowser)('every screen', () => {
  beforeAll(async () => {
    await readyConsole()
    await prepare()
    browser = await launchBrowser()
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  describe.each(looks)('in $language, $theme', ({ language, theme }) => {
    beforeAll(async () => {
      opened = await openPage(browser, booted.url, { language, theme })
    })
    afterEach(({ task }) => pictureOfFailure(opened?.page, task))
    afterAll(() => opened?.context.close())

    it.each(addresses)('$name', async ({ name, path }) => {
      const { page } = opened
      await opened.carry(token)
      await page.setViewportSize(SIZES.wide)
      opened.forget()
      await page.goto(path())
      for (const size of sizes) {
        await page.setViewportSize(SIZES[size])
        await settled(page)
        const at = `${name} ${size}`
        await page.screenshot({ path: picturePath('screens', `${name}-${language}-${theme}-${size}`) })
        expect.soft(new URL(page.url()).pathname, at).toBe(path().split('?')[0])
        const texts = await textsOf(page)
        expect.soft(rawKeys(texts), at).toEqual([])
        expect.soft(foreign(texts, language), at).toEqual([])
        // Names and contrast do not depend on the language; asking costs most of the time.
        if (language === 'en-US') expect.soft(await violations(opened), at).toEqual([])
        if (size === 'narrow')
          expect
            .soft(
              await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
              `${at}: wider than the window`,
            )
            .toBeLessThanOrEqual(0)
      }
      expect(opened.errors).toEqual([])
    })
  })
})
