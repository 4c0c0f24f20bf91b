/** What a newcomer sees on the first evening: the demonstration, in the language of the console, and no chart without data. */
import type { Browser } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { seedRoles } from '#launch/seed'
import { seedDemoAlarms } from '#launch/seed-alarms'
import { DEMO_ADMIN, seedDemo } from '#launch/seed-demo'
import { seedPast } from '#launch/seed-past'
import { isScreen, type Screen } from '#schema/kit/screen'
import { DEMONSTRATION_PLATFORM_USER } from '#schema/people/demonstration'
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
/** Of the installation, who sees its pages. */
let platform: Opened
let device = { id: 0, groupId: 0, sn: '' }
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
  ...['configuration', 'services', 'remote', 'logs'].map((tab) => ({
    name: `${tab} of a device`,
    path: () => `/device/particulars/${device.groupId}/${device.id}?tab=${tab}`,
    charts: 0,
  })),
]

/** Of one thing that the demonstration does not have, in the list above, or before the login. */
const ELSEWHERE = new Set([
  'config-task-detail',
  'remote-replay',
  'remote-watch',
  'device-detail',
  'task-detail',
  'login',
])
const listed = new Set(pages.map(({ path }) => path()))
/** Every other page of the device management. */
const others = (await gatherDeclared(isScreen)).filter(
  ({ area, name, path }) => area === 'management' && !ELSEWHERE.has(name) && !listed.has(path),
)
const pathOf = ({ path }: Screen) =>
  path.replace(':id', String(device.id)).replace(':sn', encodeURIComponent(device.sn))

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
      select id, group_id as "groupId", sn from devices where model = 'R200' order by id limit 1`
    const [failed] = await sql<{ id: number }[]>`select max(id)::int as id from tasks`
    device = first ?? device
    taskId = failed?.id ?? 0
    browser = await launchBrowser()
    const enter = async (name: string) => {
      const { password = '' } = demo.users.find(({ username }) => username === name) ?? {}
      const entered = await openPage(browser, booted.url, { language: 'zh-CN' })
      await entered.carry(await booted.login(name, password))
      return entered
    }
    opened = await enter(DEMO_ADMIN)
    platform = await enter(DEMONSTRATION_PLATFORM_USER)
  }, 240_000)
  afterEach(({ task }) => pictureOfFailure(opened?.page, task))
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  const look = async ({ page, errors }: Opened, name: string, path: string, charts: number) => {
    await page.goto(path)
    await settled(page)
    await picture(page, 'first-evening', name)
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0])
    await expect.poll(() => page.locator('main canvas:visible').count()).toBeGreaterThanOrEqual(charts)
    // What a chart, a list or a card without data says.
    for (const text of ['这段时间没有数据', '暂无数据', '尚无数据'])
      expect(await page.getByRole('main').getByText(text).count(), text).toBe(0)
    const texts = await textsOf(page)
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([])
    expect(errors).toEqual([])
  }

  it.each(pages)('$name: no chart is empty, and nothing is in English', ({ name, path, charts }) =>
    look(opened, name, path(), charts),
  )

  it.each(others)('$name: no chart is empty, and nothing is in English', (screen) =>
    look(screen.role === 'systemAdmin' ? platform : opened, screen.name, pathOf(screen), 0),
  )
})
