/** Everything is stopped in the middle of its work and started again on the same data. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { addDevices, addPackage, seedTenants, simulated, type Tenants, type TestDevice } from '#test/tenants'
import { makeArchive } from './make-archive.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed, itemsOf } from './watch-task.ts'

let rooms: Rooms
let sim: Sim | undefined
let fleet: TestDevice[]
let username: string
let tenants: Tenants
let tries = 0

beforeAll(async () => {
  rooms = await startRooms({ TASK_DEADLINE_SCALE: '0.25' })
  tenants = await seedTenants(rooms.context)
  username = tenants.a.admin.username
}, 180_000)
afterAll(async () => {
  await sim?.close()
  await rooms?.close()
})

const startFleet = () =>
  startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: rooms.mqttUrl,
    dataDir: join(rooms.dir, `sim-${tries}`),
    ...simulated(fleet),
    faults: {},
    speed: 30,
    downloadDelayMs: 1500,
    log: rooms.context.log,
  })

it('a task continues where it was: downloads resume, nothing is flashed twice, waiting items start', async () => {
  await sim?.close()
  // A retry begins with devices, a version and tasks of its own.
  const { customerId, groups } = tenants.a
  fleet = await addDevices(rooms.context.sql, customerId, groups.root, `OLD-${++tries}-`, 6)
  sim = await startFleet()
  await sim.whenOnline(60_000)
  const token = await rooms.login(username)
  const made = await addPackage(rooms.context, {
    customerId: null,
    model: 'R200',
    version: `7.0.${tries}`,
    content: await makeArchive(2_000_000),
  })
  const create = (devices: readonly TestDevice[], more: object = {}) =>
    rooms.call<{ taskId: number }>(
      'levelUp/addLevelUp',
      { name: 'Old', spId: made.id, dids: devices.map(({ id }) => id), ...more },
      token,
    )
  const before = await rooms.call<{ total: number }>('task/getTaskList', {}, token)
  const running = await create(fleet.slice(0, 4))
  const waiting = await create(fleet.slice(4), { startAt: new Date(Date.now() + 8_000).toISOString() })
  await until('they are downloading', async () =>
    (await itemsOf(rooms.context, running.taskId)).some(({ step }) => step === 'downloading'),
  )
  await sim.close()
  await rooms.restart()
  const [session] = await rooms.context.sql`select count(*)::int as n from device_states where online`
  expect(session).toEqual({ n: 0 })
  sim = await startFleet()
  for (const { taskId } of [running, waiting]) {
    const items = await completed(rooms.context, taskId)
    for (const item of items) {
      expect(item).toMatchObject({ outcome: 'done', failure: null, step: 'done' })
      expect(sim.device(item.sn).installs(item.id)).toBe(1)
    }
  }
  // The login from before the restart is still valid.
  const list = await rooms.call<{ total: number }>('task/getTaskList', {}, token)
  expect(list.total).toBe(before.total + 2)
}, 120_000)
