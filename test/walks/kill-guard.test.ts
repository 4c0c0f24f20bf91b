/**
 * kill -9 at the very failure that pauses a task: neither the failure nor the pause is lost, no device flashes twice.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Sim, startDeviceSim } from '#device-sim/start'
import { addDevices, addPackage, seedTenants, simulated, type TestDevice } from '#test/tenants'
import { makeArchive } from './make-archive.ts'
import { type RoomName, type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'
import { completed } from './watch-task.ts'

const victims: readonly RoomName[] = ['workers', 'postgres', 'broker', 'api']
const EACH = 8
const LIMIT = 3
let rooms: Rooms
let sim: Sim
let fleet: TestDevice[]
let token: string

let tries = 0
beforeAll(async () => {
  rooms = await startRooms({ TASK_DEADLINE_SCALE: '0.25' })
  const { a } = await seedTenants(rooms.context)
  fleet = await addDevices(rooms.context.sql, a.customerId, a.groups.root, 'KG-', victims.length * EACH)
  sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: rooms.mqttUrl,
    dataDir: join(rooms.dir, 'sim'),
    ...simulated(fleet),
    faults: {},
    speed: 30,
    downloadDelayMs: 500,
    log: rooms.context.log,
  })
  token = await rooms.login(a.admin.username)
  await sim.whenOnline(60_000)
}, 180_000)
afterAll(async () => {
  await sim?.close()
  await rooms?.close()
})

it.each(victims)(
  'stops although %s is killed',
  async (victim) => {
    const mine = fleet.slice(victims.indexOf(victim) * EACH).slice(0, EACH)
    await until('the devices are back', () => mine.every(({ sn }) => sim.device(sn).online))
    const { sql } = rooms.context
    let failures = 0
    const third = new Promise((done) => {
      for (const { sn } of mine) {
        sim.device(sn).failNext('md5Failed')
        sim.device(sn).events.on('step', ({ step }: { step: string }) => {
          if (step === 'failed' && ++failures === LIMIT) done(null)
        })
      }
    })
    // A retry must not count the mail of the first try.
    const name = `guard.${victim}.${++tries}`
    const made = await addPackage(rooms.context, {
      customerId: null,
      model: 'R200',
      version: name,
      content: await makeArchive(60_000),
    })
    const { taskId } = await until('the task is created', () =>
      rooms.call<{ taskId: number }>(
        'levelUp/addLevelUp',
        { name, spId: made.id, dids: mine.map(({ id }) => id), maxFailures: LIMIT, maxInFlight: 2 },
        token,
      ),
    )
    await third
    await rooms.kill(victim)
    const standing = async () => {
      const [row] = await sql<{ paused: boolean; flying: number; failed: number }[]>`
        select (select paused_at is not null from tasks where id = ${taskId}) as paused,
          count(*) filter (where outcome is null and sending <> 'none')::int as flying,
          count(*) filter (where outcome = 'failed')::int as failed
        from task_items where task_id = ${taskId} and not superseded`
      return row
    }
    const stopped = await until(
      'it has stopped, and nobody is under way',
      async () => {
        // Postgres may be the killed process.
        const row = await standing().catch(() => null)
        return row?.paused && row.flying === 0 ? row : null
      },
      60_000,
    )
    expect(stopped.failed).toBeGreaterThanOrEqual(LIMIT)
    const [{ told } = { told: 0 }] = await sql<{ told: number }[]>`
      select count(distinct device_id)::int as told from task_items where task_id = ${taskId} and offers > 0`
    expect(told).toBeLessThanOrEqual(LIMIT + 2)
    expect(await sql`select 1 from mails where subject like ${`%${name}%`}`).toHaveLength(1)
    for (const { sn } of mine) sim.device(sn).failNoMore()
    await until('it is resumed', () => rooms.call('task/resumeTask', { taskId }, token))
    const items = await completed(rooms.context, taskId, 60_000)
    expect(items).toHaveLength(EACH)
    expect(items.filter(({ outcome }) => outcome === 'done')).toHaveLength(EACH - stopped.failed)
    const all = await sql<{ id: string; sn: string; done: boolean }[]>`
      select i.id, d.sn, i.outcome = 'done' as done from task_items i join devices d on d.id = i.device_id
      where i.task_id = ${taskId}`
    for (const { sn } of mine) {
      const installs = all
        .filter((row) => row.sn === sn)
        .reduce((sum, { id }) => sum + sim.device(sn).installs(id), 0)
      expect(installs).toBe(all.some((row) => row.sn === sn && row.done) ? 1 : 0)
    }
  },
  120_000,
)
