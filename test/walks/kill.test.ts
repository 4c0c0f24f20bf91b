/**
 * kill -9 of every process in every step of an upgrade: nothing is lost, no device flashes twice, the task ends. The
 * moment is determined by the device: its report of the step may not even have been sent.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { type TaskStep, taskSteps } from '#schema/kit/task-kind'
import { addDevices, addPackage, seedTenants, simulated, type TestDevice } from '#test/tenants'
import { makeArchive } from './make-archive.ts'
import { type RoomName, type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed, itemsOf, stepsIn } from './watch-task.ts'

const victims: readonly RoomName[] = ['broker', 'workers', 'api', 'postgres']
/** The steps in which a device needs the file server. */
const waiting: readonly TaskStep[] = ['downloading', 'sent', 'created']
/** Longer than a step may last here without progress. */
const AWAY_MS = 15_000
const DOWNLOAD_MS = 1_000
let rooms: Rooms
let sim: Sim
let fleet: TestDevice[]
let token: string
let archive: Buffer
let tries = 0

beforeAll(async () => {
  rooms = await startRooms({ TASK_DEADLINE_SCALE: '0.25' })
  const tenants = await seedTenants(rooms.context)
  const { customerId, groups } = tenants.a
  fleet = await addDevices(
    rooms.context.sql,
    customerId,
    groups.root,
    'KILL-',
    victims.length * taskSteps.length + waiting.length,
  )
  archive = await makeArchive(400_000)
  sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: rooms.mqttUrl,
    dataDir: join(rooms.dir, 'sim'),
    ...simulated(fleet),
    faults: {},
    speed: 30,
    downloadDelayMs: DOWNLOAD_MS,
    log: rooms.context.log,
  })
  token = await rooms.login(tenants.a.admin.username)
  await sim.whenOnline(60_000)
}, 180_000)
afterAll(async () => {
  await sim?.close()
  await rooms?.close()
})

/** Resolves at that moment; registered before the task exists. */
function moment(step: TaskStep, sn: string): Promise<unknown> {
  const device = sim.device(sn)
  if (step === 'created') return Promise.resolve()
  if (step === 'sent')
    return until(
      'the offer is being made',
      async () =>
        (
          await rooms.context.sql`
          select 1 from task_items i join devices d on d.id = i.device_id where d.sn = ${sn} and i.sending <> 'none'`
        ).length > 0,
      30_000,
      2,
    )
  return new Promise((done) => {
    device.events.on('step', (event: { step: string }) => {
      if (event.step === step) done(null)
    })
  })
}

/** A task with its own package for the device. */
async function upgrade({ id }: TestDevice, version: string): Promise<number> {
  const made = await addPackage(rooms.context, { customerId: null, model: 'R200', version, content: archive })
  const { taskId } = await until('the task is created', () =>
    rooms.call<{ taskId: number }>('levelUp/addLevelUp', { name: version, spId: made.id, dids: [id] }, token),
  )
  return taskId
}

/** The item of the task is done, flashed once, and its steps only moved forward. */
async function expectDone(taskId: number, { sn }: TestDevice, version: string): Promise<void> {
  const [item] = await completed(rooms.context, taskId, 60_000)
  expect(item).toMatchObject({ outcome: 'done', failure: null, step: 'done' })
  expect(sim.device(sn).installs(item?.id ?? '')).toBe(1)
  expect(sim.device(sn).firmware).toBe(version)
  const steps = item ? stepsIn(item) : []
  expect(steps).toEqual(taskSteps.filter((name) => steps.includes(name)))
  expect(await itemsOf(rooms.context, taskId)).toHaveLength(1)
}

describe.each(victims)('%s killed', (victim) => {
  it.each(taskSteps)(
    'in the step %s',
    async (step) => {
      const device = fleet[victims.indexOf(victim) * taskSteps.length + taskSteps.indexOf(step)]
      if (!device) throw new Error('too few devices')
      await until('the device is back', () => sim.device(device.sn).online)
      // A retry of the test uses another package.
      const version = `${victim}.${step}.${++tries}`
      const now = step === 'created' ? null : moment(step, device.sn)
      const taskId = await upgrade(device, version)
      await now
      await rooms.kill(victim)
      await expectDone(taskId, device, version)
    },
    120_000,
  )
})

it(`the api away for ${AWAY_MS / 1000} s fails no upgrade, whatever its step`, async () => {
  const devices = fleet.slice(-waiting.length)
  for (const { sn } of devices) await until('the device is back', () => sim.device(sn).online)
  const versions = waiting.map((step) => `away.${step}.${++tries}`)
  const taskIds: number[] = []
  for (const [index, device] of devices.entries()) {
    const step = waiting[index] ?? 'created'
    const now = step === 'created' ? null : moment(step, device.sn)
    taskIds.push(await upgrade(device, versions[index] ?? ''))
    await now
  }
  await rooms.kill('api', AWAY_MS)
  for (const [index, device] of devices.entries())
    await expectDone(taskIds[index] ?? 0, device, versions[index] ?? '')
}, 120_000)
