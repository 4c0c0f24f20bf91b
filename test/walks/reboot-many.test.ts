/** Twenty devices of one site, two of them offline: rebooted by a query, a part at a time, watched to the end. */
import { spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { addDevices, seedTenants, simulated, TEST_PASSWORD, type TestDevice } from '../tenants.ts'
import { until } from './until.ts'

let booted: Booted
let token: string
let group: number
let site: TestDevice[]

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.2' })
  const { a } = await seedTenants(context)
  group = a.groups.other
  site = await addDevices(context.sql, a.customerId, group, 'SITE-', 20)
  const there = site.slice(0, 18)
  booted = await bootAll({
    context,
    sim: {
      count: 18,
      speed: 50,
      ...simulated(there),
    },
  })
  token = await booted.login(a.admin.username, TEST_PASSWORD)
  await until('eighteen are there', async () => {
    const [row] = await context.sql<{ n: number }[]>`
      select count(*)::int as n from devices d join device_states s on s.device_id = d.id
      where s.online and d.hello_at is not null`
    return row?.n === 18
  })
})
afterAll(() => booted?.close())

const filter = () => ({ filter: { search: 'SITE-' } })
const call = async <T>(name: string, body: object): Promise<T> => {
  const answer = await booted.call(name, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.message}`)
  return answer.data as T
}

it('a site reboots a quarter at a time, each device verified, offline ones left out', async () => {
  const preview = await call<object>('task/previewTask', { kind: 'reboot', ...filter() })
  expect(preview).toMatchObject({
    matching: 20,
    eligible: 18,
    atOnce: 4,
    leftOut: [{ reason: 'offline', count: 2 }],
  })
  const boots = () =>
    booted.context.sql<
      { boot: string }[]
    >`select boot_id as boot from devices where sn like 'SITE-%' order by sn`
  const before = (await boots()).map(({ boot }) => boot)
  const { taskId } = await call<{ taskId: number }>('task/addTask', {
    kind: 'reboot',
    name: 'The site',
    requestId: crypto.randomUUID(),
    atMost: 20,
    ...filter(),
  })
  let most = 0
  const counts = await until(
    'all are back',
    async () => {
      const [away] = await booted.context.sql<{ n: number }[]>`
        select count(*)::int as n from task_items where outcome is null and sending <> 'none'`
      most = Math.max(most, away?.n ?? 0)
      const found = await call<{ counts: Record<string, number> }>('task/getTask', { taskId })
      return found.counts['done'] === 18 ? found.counts : null
    },
    90_000,
    50,
  )
  expect(counts).toMatchObject({ total: 18, done: 18, failed: 0 })
  expect(most).toBeGreaterThan(1)
  expect(most).toBeLessThanOrEqual(4)
  const after = (await boots()).map(({ boot }) => boot)
  expect(after.filter((boot, i) => boot !== before[i])).toHaveLength(18)
}, 120_000)

it('the command line does the same and ends with 1, because two were left out', async () => {
  const main = fileURLToPath(new URL('../../ops/main.ts', import.meta.url))
  const ops = (...args: string[]) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: tmpdir(),
        LANG: 'en_US.UTF-8',
        IOT_URL: booted.url,
        IOT_TOKEN: token,
      },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part))
    return new Promise<{ code: number | null; text: string }>((done) =>
      child.on('close', (code) => done({ code, text })),
    )
  }
  const list = async () =>
    JSON.parse((await ops('tasks', 'list', '--kind', 'reboot', '-o', 'json')).text) as { total: number }
  const { total: before } = await list()
  const sns = site.slice(16).map(({ sn }) => sn)
  const dry = await ops('devices', 'reboot', '--devices', sns.join(','), '--dry-run')
  expect(dry).toMatchObject({
    code: 0,
    text: expect.stringMatching(/matching +4\neligible +2\nnot: offline +2/),
  })
  const run = await ops('devices', 'reboot', '--devices', sns.join(','), '--wait', '--timeout', '100')
  expect(run).toMatchObject({ code: 1, text: expect.stringContaining('2 of 4 devices were not rebooted') })
  expect(run.text).toContain('done 2')
  const gone = await ops('devices', 'reboot', '--devices', sns.slice(2).join(','), '--wait')
  expect(gone).toMatchObject({ code: 3, text: expect.stringContaining('Selected device not online') })
  expect((await ops('devices', 'reboot')).code).toBe(2)
  expect((await list()).total).toBe(before + 1)
}, 120_000)
