/** Tasks that follow their filter: which devices join, and when the task ends. */
import { beforeEach, expect, it } from 'vitest'
import { meanwhile } from '#test/meanwhile'
import { addDevices, type TestDevice } from '#test/tenants'
import { openBench } from '#test/worker-bench'
import { completeTasks } from './complete-tasks.ts'
import { joinDevicesJob } from './join-devices.ts'

const DAY = 86_400_000
const bench = await openBench()
const { sql } = bench.ctx
const { a, b, superAdmin } = bench.tenants
let fleet: TestDevice[] = []
let nth = 0
beforeEach(async () => {
  await sql`delete from tasks`
  nth++
  fleet = await addDevices(sql, a.customerId, a.groups.branch, `JOIN${nth}-`, 3)
  await sql`update devices set model = ${`M${nth}`}, firmware = '1.0.0' where id = any(${fleet.map(({ id }) => id)})`
})
const [first, ...later] = [0, 1, 2]
const at = (i = 0): TestDevice => fleet[i] ?? fail()
const fail = (): never => {
  throw new Error('no such device')
}
/** An upgrade of the first device that follows the model for a week. */
async function follows(columns: Record<string, unknown> = {}) {
  const made = await bench.task([at(first)])
  await sql`
    update tasks set ${sql({ joins: sql.json({ model: `M${nth}` }) as never, join_until: new Date(bench.ctx.now().getTime() + 7 * DAY), model: `M${nth}`, matching: 1, responsible_id: a.admin.id, ...columns })}
    where id = ${made.taskId}`
  return made.taskId
}
const run = () => joinDevicesJob.run(bench.ctx, {})
const inside = async (taskId: number) =>
  (
    await sql<{ sn: string }[]>`
      select d.sn from task_items i join devices d on d.id = i.device_id where i.task_id = ${taskId} order by d.sn`
  ).map(({ sn }) => sn)
const names = (...nths: number[]) => nths.map((i) => at(i).sn)
const complete = async () => {
  await sql.begin((tx) => completeTasks(tx, null, bench.ctx.now()))
  return (await sql<{ status: string }[]>`select status from tasks`)[0]?.status
}
const set = (i: number, columns: Record<string, unknown>) =>
  sql`update devices set ${sql(columns)} where id = ${at(i).id}`

it('devices that match later join once, in the last wave, and it is in the timeline', async () => {
  const taskId = await follows({ last_wave: 2 })
  await set(2, { model: 'another' })
  await run()
  await run()
  expect(await inside(taskId)).toEqual(names(0, 1))
  await set(2, { model: `M${nth}` })
  await run()
  expect(await inside(taskId)).toEqual(names(0, 1, 2))
  expect(await sql`select wave from task_items where task_id = ${taskId} order by wave`).toEqual([
    { wave: 0 },
    { wave: 2 },
    { wave: 2 },
  ])
  expect(await sql`select what, facts from task_decisions where task_id = ${taskId} order by id`).toEqual([
    { what: 'joined', facts: { devices: 1 } },
    { what: 'joined', facts: { devices: 1 } },
  ])
  expect((await sql`select matching from tasks`)[0]).toEqual({ matching: 3 })
})

it.each<[string, Record<string, unknown>]>([
  ['has the version already', { firmware: '2.0.0' }],
  ['is deleted', { deleted_at: new Date() }],
  ['has its secret revoked', { secret_hash: null }],
  ['belongs to another customer', { customer_id: b.customerId, group_id: b.groups.root }],
])('a device that %s does not join', async (_, columns) => {
  const taskId = await follows()
  for (const i of later) await set(i, columns)
  await run()
  expect(await inside(taskId)).toEqual(names(0))
})

it.each([
  ['was rolled back by a later task', '1.0.0', 'done'],
  ['has a newer version from a later task', '3.0.0', 'done'],
  ['waits for a later task', '1.0.0', null],
])('a device that %s does not join', async (_, version, outcome) => {
  const taskId = await follows()
  bench.pass(1000)
  const other = await bench.task([at(1)], { version })
  await sql`update tasks set created_at = now() + interval '1 minute', status = 'completed' where id = ${other.taskId}`
  await set(1, { firmware: version })
  if (outcome) await bench.force({ outcome, step: 'done' }, [other.itemOf(at(1))])
  await run()
  expect(await inside(taskId)).toEqual(names(0, 2))
  // What did not succeed decides nothing.
  await bench.force({ outcome: 'failed', step: 'sent' }, [other.itemOf(at(1))])
  await run()
  expect(await inside(taskId)).toEqual(names(0, 1, 2))
})

it('only devices that the responsible user sees join, and those of the chosen group', async () => {
  const confined = await follows({ responsible_id: a.operator.id })
  await set(1, { group_id: a.groups.root })
  await run()
  expect(await inside(confined)).toEqual(names(0, 2))
  const grouped = await follows({
    responsible_id: superAdmin.id,
    joins: sql.json({ groupId: a.groups.branch }) as never,
  })
  await run()
  expect(await inside(grouped)).toEqual(names(0, 2))
})

it.each<[string, Record<string, unknown>]>([
  ['is paused', { paused_at: new Date() }],
  ['has not begun', { start_at: new Date(Date.now() + DAY) }],
  ['follows no longer', { join_until: new Date(0) }],
  ['has no responsible user any more', { responsible_id: null }],
])('nobody joins a task that %s', async (_, columns) => {
  const taskId = await follows(columns)
  await run()
  expect(await inside(taskId)).toEqual(names(0))
})

it('it ends only after it has followed its filter for the set time', async () => {
  const taskId = await follows()
  const ids = await sql<{ id: string }[]>`select id from task_items where task_id = ${taskId}`
  await bench.force(
    { outcome: 'done', step: 'done' },
    ids.map(({ id }) => id),
  )
  expect(await complete()).toBe('ongoing')
  bench.pass(8 * DAY)
  expect(await complete()).toBe('completed')
})

it('a device that is given to another customer at the same moment does not join', async () => {
  const taskId = await follows()
  await set(2, { model: 'another' })
  await meanwhile(
    sql,
    run,
    (tx) =>
      tx`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = (select id from devices where id = ${at(1).id} for update)`,
  )
  await run()
  expect(await inside(taskId)).toEqual(names(0))
})
