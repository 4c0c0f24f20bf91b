/**
 * A bad package for a live fleet: the task pauses itself, the other devices are never sent it, no device flashes
 * twice.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { dispatchTasks } from '#schema/task/task'
import { addDevices, addPackage, seedTenants, simulated, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { makeArchive } from './make-archive.ts'
import { until } from './until.ts'
import { completed, itemsOf } from './watch-task.ts'

let booted: Booted
let twentySim: Sim
let eightSim: Sim
let fleet: TestDevice[]
let token: string
let version = 1

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.2' })
  const { a } = await seedTenants(context)
  fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'STOP-', 28)
  booted = await bootAll({ context })
  const simulate = (devices: readonly TestDevice[], name: string, downloadDelayMs: number) =>
    startDeviceSim({
      count: 0,
      seed: 1,
      mqttUrl: booted.mqttUrl,
      dataDir: join(context.env.DATA_DIR, name),
      ...simulated(devices),
      faults: {},
      speed: 20,
      downloadDelayMs,
      log: context.log,
    })
  twentySim = await simulate(fleet.slice(0, 20), 'twenty', 1200)
  // Long enough for a pause during a download, on a busy machine too.
  eightSim = await simulate(fleet.slice(20), 'eight', 3000)
  token = await booted.login(a.admin.username, TEST_PASSWORD)
  await twentySim.whenOnline(60_000)
  await eightSim.whenOnline(60_000)
}, 180_000)
afterAll(async () => {
  await twentySim?.close()
  await eightSim?.close()
  await booted?.close()
})

const deviceOf = (sn: string) =>
  (fleet.slice(0, 20).some((device) => device.sn === sn) ? twentySim : eightSim).device(sn)
const call = async <T>(name: string, body: object): Promise<T> => {
  const answer = await booted.call(name, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.message}`)
  return answer.data as T
}
type Detail = {
  status: string
  paused: { reason: string; by: string | null; failed: number | null } | null
  counts: Record<string, number>
}
const detailOf = (taskId: number) => call<Detail>('task/getTask', { taskId })

async function newTask(devices: readonly TestDevice[], more: object): Promise<number> {
  const made = await addPackage(booted.context, {
    customerId: null,
    model: 'R200',
    version: `${version++}.7.0`,
    content: await makeArchive(60_000),
  })
  const { taskId } = await call<{ taskId: number }>('levelUp/addLevelUp', {
    name: `Guarded ${made.id}`,
    spId: made.id,
    dids: devices.map(({ id }) => id),
    ...more,
  })
  return taskId
}

/** All items that a device ever had in the task: the number of installations over all of them counts. */
async function installsOf(taskId: number, device: TestDevice): Promise<number> {
  const items = await booted.context.sql<{ id: string }[]>`
    select id from task_items where task_id = ${taskId} and device_id = ${device.id}`
  return items.reduce((sum, { id }) => sum + deviceOf(device.sn).installs(id), 0)
}
const told = async (taskId: number) => {
  const [row] = await booted.context.sql<{ n: number }[]>`
    select count(distinct device_id)::int as n from task_items where task_id = ${taskId} and offers > 0`
  return row?.n ?? 0
}
const settled = (taskId: number) =>
  until('nobody is under way', async () =>
    (await itemsOf(booted.context, taskId)).every(({ sending, outcome }) => outcome || sending === 'none'),
  )

it('pauses itself when a package fails on most of twenty devices; resumed, it continues with the others', async () => {
  const twenty = fleet.slice(0, 20)
  for (const [index, { sn }] of twenty.entries()) if (index % 4 !== 3) deviceOf(sn).failNext('md5Failed')
  const taskId = await newTask(twenty, { maxFailures: 5, maxInFlight: 3 })
  await until('it has stopped itself', async () => (await detailOf(taskId)).paused, 60_000)
  expect(await detailOf(taskId)).toMatchObject({
    status: 'ongoing',
    paused: { reason: 'failures', by: null },
  })
  await settled(taskId)
  const reached = await told(taskId)
  // Five failures, earlier successes, and at most three at a time: the others were not sent it.
  expect(reached).toBeLessThanOrEqual(5 + 2 + 3)
  const before = await detailOf(taskId)
  expect(before.counts['failed']).toBeGreaterThanOrEqual(5)
  expect(before.counts['created']).toBeGreaterThanOrEqual(10)
  // It is paused: two runs of the dispatcher later no other device was sent it.
  await booted.runJob(dispatchTasks, 2)
  expect(await told(taskId)).toBe(reached)
  // The cause is fixed: the others succeed.
  for (const { sn } of twenty) deviceOf(sn).failNoMore()
  const { waiting } = await call<{ waiting: number }>('task/resumeTask', { taskId })
  expect(waiting).toBe(before.counts['created'])
  const items = await completed(booted.context, taskId)
  expect(items.filter(({ outcome }) => outcome === 'failed')).toHaveLength(before.counts['failed'] ?? 0)
  expect(items.filter(({ outcome }) => outcome === 'done')).toHaveLength(20 - (before.counts['failed'] ?? 0))
  for (const device of twenty) {
    const item = items.find(({ deviceId }) => deviceId === device.id)
    expect(await installsOf(taskId, device)).toBe(item?.outcome === 'done' ? 1 : 0)
  }
}, 120_000)

it('paused by a user, calls back downloading devices, lets installing ones continue, and none installs twice', async () => {
  const eight = fleet.slice(20)
  // As known to the devices: until the platform has processed the report and responds, a download may be complete.
  const oneLoadsAfterOneInstalled = new Promise<void>((done) => {
    let installed = false
    for (const { sn } of eight)
      deviceOf(sn).events.on('step', ({ step }: { step: string }) => {
        installed ||= step === 'upgrading'
        if (installed && step === 'downloading') done()
      })
  })
  const taskId = await newTask(eight, { maxInFlight: 3 })
  await oneLoadsAfterOneInstalled
  await call('task/pauseTask', { taskId })
  await settled(taskId)
  const paused = await detailOf(taskId)
  expect(paused.paused).toMatchObject({ reason: 'person' })
  const { created = 0, done = 0, failed = 0 } = paused.counts
  expect(created + done).toBe(8)
  expect(failed).toBe(0)
  expect(created).toBeGreaterThan(0)
  expect(done).toBeGreaterThan(0)
  const called = await booted.context.sql`
    select 1 from task_items where task_id = ${taskId} and superseded and failure_detail = 'paused'`
  expect(called.length).toBeGreaterThan(0)
  for (const device of eight) expect(await installsOf(taskId, device)).toBeLessThanOrEqual(1)
  await call('task/resumeTask', { taskId })
  const items = await completed(booted.context, taskId)
  expect(items.every(({ outcome }) => outcome === 'done')).toBe(true)
  for (const device of eight) expect(await installsOf(taskId, device)).toBe(1)
}, 120_000)
