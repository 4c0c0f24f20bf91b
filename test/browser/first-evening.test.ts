/** What a newcomer sees on the first evening: the demonstration, in the language of the console, and no chart without data. */
import type { Browser } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { seedRoles } from '#launch/seed'
import { seedDemoAlarms } from '#launch/seed-alarms'
import { DEMO_ADMIN, seedDemo } from '#launch/seed-demo'
import { seedPast } from '#launch/seed-past'
import { rollUpFleetJob } from '#workers/report/roll-up-fleet'
import { rollUpSignalJob } from '#workers/report/roll-up-signal'
import { rollUpTrafficJob } from '#workers/report/roll-up-traffic'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import {
  launchBrowser,
  noBrowser,
  type Opened,
  openPage,
  picture,
  pictureOfFailure,
  readyConsole,
  settled,
} from './open-browser.ts'
import { textsOf } from './texts.ts'

const DEVICES = 12

let booted: Booted
let browser: Browser
let opened: Opened
let device = { id: 0, groupId: 0 }
let taskId = 0

/** Two English words or more: names of products, models and units are single words, or have capitals and digits. */
const ENGLISH = /^[A-Z]?[a-z]+(?: [a-z]+)+[.!?]?$/

const pages: { name: string; path: () => string; charts: number }[] = [
  { name: 'home', path: () => '/dashboard', charts: 1 },
  { name: 'online rate', path: () => '/graphs/onlinerate', charts: 1 },
  { name: 'traffic', path: () => '/graphs/flowstatistics', charts: 1 },
  { name: 'signal', path: () => '/graphs/signalstatistics', charts: 2 },
  { name: 'versions', path: () => '/graphs/softwareversion', charts: 2 },
  { name: 'device', path: () => `/device/particulars/${device.groupId}/${device.id}`, charts: 2 },
  {
    name: 'network of a device',
    path: () => `/device/particulars/${device.groupId}/${device.id}?tab=network`,
    charts: 1,
  },
  {
    name: 'history of a device',
    path: () => `/device/particulars/${device.groupId}/${device.id}?tab=history`,
    charts: 0,
  },
  { name: 'devices', path: () => '/device/devicelist', charts: 0 },
  { name: 'alarm history', path: () => '/alarmMsg/historywarn', charts: 0 },
  { name: 'upgrades', path: () => '/task/upgrade', charts: 0 },
  { name: 'an upgrade', path: () => `/task/upgrade/${taskId}`, charts: 0 },
  { name: 'packages', path: () => '/task/softwarepackage', charts: 0 },
  { name: 'operations', path: () => '/system/operationlog', charts: 0 },
]

describe.skipIf(noBrowser)('on the first evening with the demonstration', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    const { sql } = context
    await seedRoles(sql)
    const demo = await seedDemo(sql)
    if (!demo) throw new Error('no demonstration')
    await seedDemoAlarms(sql, demo.customerId)
    await seedPast(context, demo, DEVICES, 1)
    booted = await bootAll({ context })
    const worker = {
      ...context,
      line: { connected: () => true, publish: async () => undefined, close: async () => undefined },
    }
    for (const job of [rollUpTrafficJob, rollUpSignalJob, rollUpFleetJob]) await job.run(worker, {})
    const [first] = await sql<(typeof device)[]>`
      select id, group_id as "groupId" from devices where model = 'R200' order by id limit 1`
    const [failed] = await sql<{ id: number }[]>`select max(id)::int as id from tasks`
    device = first ?? device
    taskId = failed?.id ?? 0
    const password = demo.users.find(({ username }) => username === DEMO_ADMIN)?.password ?? ''
    browser = await launchBrowser()
    opened = await openPage(browser, booted.url, { language: 'zh-CN' })
    await opened.carry(await booted.login(DEMO_ADMIN, password))
  }, 240_000)
  afterEach(({ task }) => pictureOfFailure(opened?.page, task))
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  it.each(pages)('$name: no chart is empty, and nothing is in English', async ({ name, path, charts }) => {
    const { page } = opened
    await page.goto(path())
    await settled(page)
    await picture(page, 'first-evening', name)
    await expect.poll(() => page.locator('main canvas:visible').count()).toBeGreaterThanOrEqual(charts)
    // What a chart, a list or a card without data says.
    for (const text of ['这段时间没有数据', '暂无数据', '尚无数据'])
      expect(await page.getByRole('main').getByText(text).count(), text).toBe(0)
    const texts = await textsOf(page)
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([])
    expect(opened.errors).toEqual([])
  })
})
