/** Rollouts while days pass: the platform's clock is moved, its processes, the broker and the devices are the real ones. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDevices, addPackage, seedTenants, simulated, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { makeArchive } from './make-archive.ts'
import { until } from './until.ts'

const DAY_MS = 24 * 3_600_000
let movedMs = 0
const now = () => new Date(Date.now() + movedMs)
let booted: Booted
let fleet: TestDevice[]
let token: string

beforeAll(async () => {
  const context = await testContext()
  const { a } = await seedTenants(context)
  fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'DAYS-', 3)
  booted = await bootAll({
    context,
    now,
    sim: {
      ...simulated(fleet),
      speed: 50,
      statusEveryS: 5,
    },
  })
  token = await booted.login(a.admin.username, TEST_PASSWORD)
  await booted.sim?.whenOnline(60_000)
})
afterAll(() => booted?.close())

async function upgrade(devices: readonly TestDevice[], version: string, more: object): Promise<number> {
  const made = await addPackage(booted.context, {
    customerId: null,
    model: 'R200',
    version,
    content: await makeArchive(5_000),
  })
  const dids = devices.map(({ id }) => id)
  const answer = await booted.call(
    'levelUp/addLevelUp',
    { name: version, spId: made.id, dids, ...more },
    token,
  )
  expect(answer.message).toBe('')
  return (answer.data as { taskId: number }).taskId
}
const outcomeOf = async (taskId: number, { id }: TestDevice) => {
  const [item] = await booted.context.sql<{ outcome: string | null; step: string }[]>`
    select outcome, step from task_items where task_id = ${taskId} and device_id = ${id} and not superseded`
  return item?.outcome ?? item?.step
}
const done = (taskId: number, device: TestDevice) =>
  until(`${device.sn} is done`, async () => (await outcomeOf(taskId, device)) === 'done')

/** Advances the platform's clock by this number of days, to half past this hour in UTC. */
function moveTo(utcHour: number, days = 0): void {
  const next = now()
  next.setUTCHours(utcHour, 30, 0, 0)
  const ms = next.getTime() - now().getTime()
  movedMs += (ms > 0 ? ms : ms + DAY_MS) + days * DAY_MS
}

it('each device is upgraded in its own night, and one that was away joins two days later', async () => {
  const [madrid, tokyo, shanghai] = fleet
  if (!madrid || !tokyo || !shanghai) throw new Error('three devices')
  const { sql } = booted.context
  // As the devices themselves say.
  const zones = await until('their zones', async () => {
    const rows = await sql`select time_zone as zone from devices where time_zone is not null order by id`
    return rows.length === 3 && rows.map(({ zone }) => zone)
  })
  expect(zones).toEqual(['Europe/Madrid', 'Asia/Tokyo', 'Asia/Shanghai'])
  booted.sim?.device(shanghai.sn).down()
  await until('it is offline', async () => {
    const [row] = await sql`select 1 from device_states where device_id = ${shanghai.id} and not online`
    return row
  })
  // Half past two or half past one in Madrid, and forenoon in the others.
  moveTo(0)
  const taskId = await upgrade(fleet, '8.8.0', {
    window: { from: '01:00', to: '04:00', zone: 'Etc/GMT' },
    waitOfflineMinutes: 4 * 24 * 60,
  })
  await done(taskId, madrid)
  expect([await outcomeOf(taskId, tokyo), await outcomeOf(taskId, shanghai)]).toEqual(['created', 'created'])
  moveTo(17)
  await done(taskId, tokyo)
  expect(await outcomeOf(taskId, shanghai)).toBe('created')
  moveTo(18, 1)
  booted.sim?.device(shanghai.sn).boot()
  await done(taskId, shanghai)
})
