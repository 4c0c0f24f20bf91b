/** What a newcomer sees on the first evening: the demonstration, in the language of the console, and no chart without data. */
import type { Browser } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { seedRoles } from '#launch/seed'
import { DEMO_ADMIN } from '#launch/seed-demo'
import { seedDemonstration } from '#launch/seed-demonstration'
import { isScreen, type Screen } from '#schema/kit/screen'
import { DEMONSTRATION_PLATFORM_USER } from '#schema/people/demonstration'
import { rollUpVariablesJob } from '#workers/monitor/roll-up-variables'
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
/** The first of the meters: as the pages of monitoring name it in their addresses. */
let meter = { deviceId: 0, templateId: 0, panelId: 0, series: '' }

/** Drawn by the chart library, or the lines of the time axis. */
const CHARTS = 'main canvas:visible, main svg[preserveAspectRatio] path'

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

const within = (path: string) => () => `/cloudMonitor/${path}`
/** Of monitoring: what the demonstration has none of, such as targets of forwarding, says how to begin. */
const monitoringPages: typeof pages = [
  { name: 'big screen', path: within('cloudMonitorHome'), charts: 0 },
  { name: 'gateways', path: within('deviceManagement/deviceList'), charts: 0 },
  { name: 'terminals', path: within('deviceManagement/terminalList'), charts: 0 },
  { name: 'variables', path: within('deviceManagement/variableList'), charts: 0 },
  { name: 'projects', path: within('deviceManagement/projectGroup'), charts: 0 },
  { name: 'collection templates', path: within('deviceManagement/collectConfigurate'), charts: 0 },
  {
    name: 'a collection template',
    path: () => `/cloudMonitor/deviceManagement/collectConfigurate/${meter.templateId}`,
    charts: 0,
  },
  { name: 'fast access', path: within('deviceManagement/fastAccess'), charts: 0 },
  { name: 'commissioning', path: within('deviceManagement/commissioning'), charts: 0 },
  { name: 'panels', path: within('deviceManagement/panels'), charts: 0 },
  { name: 'a panel', path: () => `/cloudMonitor/deviceManagement/panels/${meter.panelId}`, charts: 2 },
  { name: 'links of screens', path: within('deviceManagement/kioskLinks'), charts: 0 },
  { name: 'northbound', path: within('deviceManagement/north'), charts: 0 },
  { name: 'southbound', path: within('deviceManagement/south'), charts: 0 },
  { name: 'alarms of variables', path: within('alarmManagement/alarmList'), charts: 0 },
  { name: 'notices of variables', path: within('alarmManagement/alarmNotice'), charts: 0 },
  { name: 'contacts of monitoring', path: within('alarmManagement/alarmContact'), charts: 0 },
  { name: 'online report of monitoring', path: within('statisticalReports/devicesStatus'), charts: 0 },
  {
    name: 'history of variables',
    path: () => `/cloudMonitor/statisticalReports/historyRecords?series=${meter.series}`,
    charts: 1,
  },
  {
    name: 'time axis',
    path: () => `/cloudMonitor/statisticalReports/timeAxis?deviceId=${meter.deviceId}&series=${meter.series}`,
    charts: 1,
  },
]

describe.skipIf(noBrowser)('on the first evening with the demonstration', () => {
  beforeAll(async () => {
    await readyConsole()
    const context = await testContext()
    const { sql } = context
    await seedRoles(sql)
    // Nothing listens at that port: what the gateways have read until now is all that there is.
    const env = { SIM_DEVICES: DEVICES, SIM_SEED: 1, SIM_MODBUS_PORT: 5020 }
    const demo = await seedDemonstration(context, env, () => undefined)
    if (!demo) throw new Error('no demonstration')
    await sql`
      insert into terminal_latest (terminal_id, at, vals)
      select terminal_id, array_agg(ms order by slot), array_agg(val order by slot) from (
        select distinct on (r.terminal_id, x.slot) r.terminal_id, x.slot, x.val, (extract(epoch from r.at) * 1000)::bigint as ms
        from variable_reports r, unnest(r.slots, r.vals) x(slot, val) order by r.terminal_id, x.slot, r.at desc) newest
      group by terminal_id on conflict (terminal_id) do update set at = excluded.at, vals = excluded.vals`
    booted = await bootAll({ context })
    const worker = {
      ...context,
      line: { connected: () => true, publish: async () => undefined, close: async () => undefined },
    }
    for (const job of [rollUpTrafficJob, rollUpSignalJob, rollUpFleetJob, rollUpVariablesJob])
      await job.run(worker, {})
    const [first] = await sql<(typeof device)[]>`
      select id, group_id as "groupId", sn from devices where model = 'R200' order by id limit 1`
    const [failed] = await sql<{ id: number }[]>`select max(id)::int as id from tasks`
    device = first ?? device
    const [metered] = await sql<(typeof meter)[]>`
      select t.device_id as "deviceId", t.template_id as "templateId", (select min(id) from panels) as "panelId",
        t.id || '.' || (select min(v.id) from variables v where v.template_id = t.template_id) as series
      from terminals t order by t.id limit 1`
    meter = metered ?? meter
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
  }, 400_000)
  afterAll(async () => {
    await browser?.close()
    await booted?.close()
  })

  const look = async ({ page, errors }: Opened, name: string, path: string, charts: number) => {
    await page.goto(path)
    await settled(page)
    await picture(page, 'first-evening', name)
    expect(new URL(page.url()).pathname).toBe(path.split('?')[0])
    await expect.poll(() => page.locator(CHARTS).count()).toBeGreaterThanOrEqual(charts)
    // What a chart, a list or a card without data says.
    for (const text of ['这段时间没有数据', '暂无数据', '尚无数据'])
      expect(await page.getByRole('main').getByText(text).count(), text).toBe(0)
    const texts = await textsOf(page)
    expect(texts.filter((text) => ENGLISH.test(text))).toEqual([])
    expect(errors).toEqual([])
  }

  it.each([...pages, ...monitoringPages])(
    '$name: no chart is empty, and nothing is in English',
    ({ name, path, charts }) => look(opened, name, path(), charts),
  )

  it('the lines in the tiles of a device are of hours, not of the minutes since the start', async () => {
    const { page } = opened
    await page.goto(`/device/particulars/${device.groupId}/${device.id}`)
    const lines = page.locator('main svg[data-fills]')
    const shares = () =>
      lines.evaluateAll((drawn) =>
        drawn.map((line) => {
          const path = line.querySelector('path')
          return path ? path.getBoundingClientRect().width / line.getBoundingClientRect().width : 0
        }),
      )
    await expect.poll(async () => (await shares()).length).toBeGreaterThanOrEqual(4)
    await expect.poll(async () => Math.min(...(await shares()))).toBeGreaterThan(0.7)
  })

  it.each(others)('$name: no chart is empty, and nothing is in English', (screen) =>
    look(screen.role === 'systemAdmin' ? platform : opened, screen.name, pathOf(screen), 0),
  )
})
