/**
 * Rollouts over real processes: workers and PostgreSQL are killed in the middle of waves, no device flashes twice; a bad
 * upgrade is rolled back; devices on mobile data wait for wire or Wi-Fi.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { addDevices, addPackage, seedTenants, simulated, type TestDevice } from '#test/tenants'
import { makeArchive } from './make-archive.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed } from './watch-task.ts'

const DEVICES = 8
let rooms: Rooms
let sim: Sim
let fleet: TestDevice[]
let wired: TestDevice
let token: string
let tries = 0

beforeAll(async () => {
  rooms = await startRooms({ TASK_DEADLINE_SCALE: '0.25' })
  const { a } = await seedTenants(rooms.context)
  fleet = await addDevices(rooms.context.sql, a.customerId, a.groups.root, 'ROLL-', DEVICES)
  const [printServer] = await addDevices(rooms.context.sql, a.customerId, a.groups.root, 'WIRE-', 1)
  if (!printServer) throw new Error('no device')
  wired = printServer
  const all = [...fleet, wired]
  sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: rooms.mqttUrl,
    dataDir: join(rooms.dir, 'sim'),
    ...simulated(all, ({ sn }) => (sn === wired.sn ? 'P10' : 'R200')),
    faults: {},
    speed: 30,
    downloadDelayMs: 1500,
    log: rooms.context.log,
  })
  token = await rooms.login(a.admin.username)
  await sim.whenOnline(60_000)
}, 180_000)
afterAll(async () => {
  await sim?.close()
  await rooms?.close()
})

type Task = { waves: { state: string; total: number; done: number }[]; wave: number }
const installsOf = async (taskId: number, { id, sn }: TestDevice) => {
  const items = await rooms.context.sql<{ id: string }[]>`
    select id from task_items where task_id = ${taskId} and device_id = ${id}`
  return items.reduce((sum, item) => sum + sim.device(sn).installs(item.id), 0)
}

it('survives kills of the workers and of PostgreSQL in the middle of waves, and is rolled back', async () => {
  const former = new Map(fleet.map(({ sn }) => [sn, sim.device(sn).firmware]))
  const made = await addPackage(rooms.context, {
    customerId: null,
    model: 'R200',
    version: `8.0.${++tries}`,
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
  // A retry finds devices that are free.
  onTestFailed(async () => {
    await rooms.call('task/cancelTask', { taskId }, token).catch(() => undefined)
  })
  // On a busy machine a whole download may lie between two looks, and the observation of the first wave lasts its time.
  const midWave = (wave: number) =>
    until(
      `wave ${wave + 1} is under way`,
      async () => {
        const [row] = await rooms.context.sql<{ n: number }[]>`
          select count(*)::int as n from task_items where task_id = ${taskId} and wave = ${wave} and outcome is null
            and step in ('downloading', 'downloaded', 'upgrading')`
        return (row?.n ?? 0) > 0
      },
      90_000,
    )
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
  await rooms.kill('postgres')
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

  for (const version of new Set(former.values())) {
    const [known] = await rooms.context.sql`select 1 from packages where version = ${version}`
    if (known) continue
    await addPackage(rooms.context, {
      customerId: null,
      model: 'R200',
      version,
      content: await makeArchive(100_000),
    })
  }
  const back = await rooms.call<{ tasks: { taskId: number }[] }>(
    'task/rollBackTask',
    { taskId, name: 'Back' },
    token,
  )
  for (const one of back.tasks) {
    const returned = await completed(rooms.context, one.taskId, 120_000)
    expect(returned.every(({ outcome }) => outcome === 'done')).toBe(true)
  }
  for (const { sn } of fleet) expect(sim.device(sn).firmware).toBe(former.get(sn))
}, 300_000)

it('with wire or Wi-Fi only, a device on mobile data is sent nothing, whatever the others do', async () => {
  const [mobile] = fleet
  if (!mobile) throw new Error('no device')
  await until('both have said how they are connected', async () => {
    const rows = await rooms.context.sql<{ mode: string | null }[]>`
      select network_mode as mode from device_states where device_id in (${mobile.id}, ${wired.id})`
    return rows.every(({ mode }) => mode !== null)
  })
  const body = { kind: 'reboot', name: 'Wired', dids: [mobile.id, wired.id], unmetered: true }
  const { taskId } = await rooms.call<{ taskId: number }>(
    'task/addTask',
    { ...body, waitOfflineMinutes: 60, groupSharePercent: 100 },
    token,
  )
  const states = () => rooms.context.sql<{ id: number; offers: number; outcome: string | null }[]>`
    select device_id as id, offers, outcome from task_items where task_id = ${taskId}`
  await until('the wired one is done', async () =>
    (await states()).some(({ id, outcome }) => id === wired.id && outcome === 'done'),
  )
  expect((await states()).find(({ id }) => id === mobile.id)).toMatchObject({ offers: 0, outcome: null })
  await rooms.call('task/cancelTask', { taskId }, token)
  expect((await states()).find(({ id }) => id === mobile.id)).toMatchObject({
    offers: 0,
    outcome: 'cancelled',
  })
}, 120_000)
