/** A rollout in waves over real processes: the workers are killed in the middle of each wave, no device flashes twice. */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { addDevices, addPackage, seedTenants, type TestDevice } from '#test/tenants'
import { makeArchive } from './make-archive.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed } from './watch-task.ts'

const DEVICES = 8
let rooms: Rooms
let sim: Sim
let fleet: TestDevice[]
let token: string

beforeAll(async () => {
  rooms = await startRooms({ TASK_DEADLINE_SCALE: '0.25' })
  const { a } = await seedTenants(rooms.context)
  fleet = await addDevices(rooms.context.sql, a.customerId, a.groups.root, 'ROLL-', DEVICES)
  sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: rooms.mqttUrl,
    dataDir: join(rooms.dir, 'sim'),
    fleet: fleet.map(({ sn }) => ({ sn, model: 'R200' })),
    secrets: Object.fromEntries(fleet.map(({ sn, secret }) => [sn, secret])),
    faults: {},
    speed: 30,
    downloadDelayMs: 1500,
    log: rooms.context.log,
  })
  token = await rooms.login(a.admin.username)
  await sim.whenOnline(60_000)
}, 120_000)
afterAll(async () => {
  await sim?.close()
  await rooms?.close()
}, 60_000)

type Task = { waves: { state: string; total: number; done: number }[]; wave: number }
const installsOf = async (taskId: number, { id, sn }: TestDevice) => {
  const items = await rooms.context.sql<{ id: string }[]>`
    select id from task_items where task_id = ${taskId} and device_id = ${id}`
  return items.reduce((sum, item) => sum + sim.device(sn).installs(item.id), 0)
}

it('survives kills of the workers in the middle of both waves', async () => {
  const made = await addPackage(rooms.context, {
    customerId: null,
    model: 'R200',
    version: '8.0.0',
    content: await makeArchive(200_000),
  })
  const { taskId } = await rooms.call<{ taskId: number }>(
    'levelUp/addLevelUp',
    {
      name: 'In waves',
      spId: made.id,
      dids: fleet.map(({ id }) => id),
      waves: [{ by: 'percent', value: 25 }],
      waveSuccessPercent: 100,
      soakMinutes: 1,
      maxInFlight: 3,
    },
    token,
  )
  const midWave = (wave: number) =>
    until(`wave ${wave + 1} downloads`, async () => {
      const [row] = await rooms.context.sql<{ n: number }[]>`
        select count(*)::int as n from task_items where task_id = ${taskId} and wave = ${wave} and step = 'downloading'`
      return (row?.n ?? 0) > 0
    })
  await midWave(0)
  await rooms.kill('workers')
  await midWave(1)
  const during = await rooms.call<Task>('task/getTask', { taskId }, token)
  expect(during).toMatchObject({
    wave: 1,
    waves: [
      { state: 'reached', total: 2, done: 2 },
      { state: 'running', total: 6 },
    ],
  })
  await rooms.kill('workers')
  const items = await completed(rooms.context, taskId, 120_000)
  expect(items.map(({ outcome }) => outcome)).toEqual(fleet.map(() => 'done'))
  for (const device of fleet) expect(await installsOf(taskId, device)).toBe(1)
  // Each was observed before it counted.
  expect(items.every(({ events }) => events.includes('soaking'))).toBe(true)
  const decided = await rooms.context.sql<{ what: string }[]>`
    select what from task_decisions where task_id = ${taskId} order by id`
  expect(decided.map(({ what }) => what)).toEqual([
    'created',
    'started',
    'waveReached',
    'waveStarted',
    'completed',
  ])
}, 180_000)
