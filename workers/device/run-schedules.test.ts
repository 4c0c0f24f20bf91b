import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { RUN_GRACE_MS } from '#schema/device/schedule'
import { addDevices } from '#test/tenants'
import { openBench } from '#test/worker-bench'
import { runSchedulesJob } from './run-schedules.ts'

const bench = await openBench()
const { sql } = bench.ctx

it('a run is missed only when its device had time to return to a broker', async () => {
  const [device] = bench.tenants.a.devices
  if (!device) throw new Error('a device')
  await sql`
    insert into schedule_runs (device_id, due_at, state) values (${device.id}, ${bench.ctx.now()}, 'waiting')`
  const state = async (ms: number) => {
    bench.pass(ms)
    await runSchedulesJob.run(bench.ctx, {})
    return (await sql<{ state: string }[]>`select state from schedule_runs`)[0]?.state
  }
  await sql`delete from brokers`
  expect(await state(2 * RUN_GRACE_MS)).toBe('waiting')
  await sql`insert into brokers (id, started_at, beat_at) values ('bench', ${bench.ctx.now()}, 'infinity')`
  expect(await state(RUN_GRACE_MS - 1000)).toBe('waiting')
  expect(await state(2000)).toBe('missed')
})

it('a device that is given away at this moment is not rebooted for its former owner', async () => {
  const [, device] = bench.tenants.a.devices
  if (!device) throw new Error('two devices')
  await sql`
    insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone, next_run_at)
    values (${device.id}, ${device.customerId}, true, 'daily', '03:00', '{}', 'UTC', ${bench.ctx.now()})`
  await sql`update device_states set online = true, last_login_at = '2020-01-01' where device_id = ${device.id}`
  const sent = () => sql`select name from commands where device_id = ${device.id}`
  const { run } = await sql.begin(async (tx) => {
    await tx`select from devices where id = ${device.id} for update`
    const running = runSchedulesJob.run(bench.ctx, {})
    await Promise.race([running, setTimeout(500)])
    return { run: running }
  })
  await run
  expect(await sent()).toHaveLength(0)
  await runSchedulesJob.run(bench.ctx, {})
  expect((await sent()).length).toBeGreaterThan(0)
})

it('the schedules of a large fleet that are due at one time begin in one run', async () => {
  const { a } = bench.tenants
  const fleet = await addDevices(sql, a.customerId, a.groups.root, `FLEET${Date.now()}-`, 1_200)
  const ids = fleet.map(({ id }) => id)
  await sql`
    insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone, next_run_at)
    select id, ${a.customerId}, true, 'daily', '03:00', '{}', 'UTC', ${bench.ctx.now()} from unnest(${ids}::int[]) as id`
  await runSchedulesJob.run(bench.ctx, {})
  expect(await sql`select 1 from schedule_runs where device_id = any(${ids})`).toHaveLength(1_200)
})

it('of a run whose command could not be sent in time, the device is not said to have been silent', async () => {
  const [gone, there] = bench.tenants.a.devices
  if (!gone || !there) throw new Error('two devices')
  await sql`delete from schedule_runs`
  for (const { id, customerId } of [gone, there]) {
    const commandId = randomUUID()
    await sql`insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at, ended_at)
      values (${commandId}, ${id}, ${customerId}, 'scheduledReboot', '{}', 'expired', now(), now(), now())`
    await sql`insert into schedule_runs (device_id, due_at, state, command_id) values (${id}, ${bench.ctx.now()}, 'sent', ${commandId})`
    await sql`update device_states set online = ${id === there.id} where device_id = ${id}`
  }
  await runSchedulesJob.run(bench.ctx, {})
  const runs = await sql`select device_id = ${there.id} as there, state, reason from schedule_runs order by 1`
  expect([...runs]).toEqual([
    { there: false, state: 'waiting', reason: 'offline' },
    { there: true, state: 'waiting', reason: 'platformDown' },
  ])
})

it('schedules continue after the clock was set back, and their devices get the times anew; those of one date stay', async () => {
  const [daily, weekly, once] = bench.tenants.a.devices
  if (!daily || !weekly || !once) throw new Error('three devices')
  await sql`delete from schedules`
  const inDays = (days: number) => new Date(bench.ctx.now().getTime() + days * 86_400_000)
  for (const [device, kind] of [
    [daily, 'daily'],
    [weekly, 'weekly'],
    [once, 'once'],
  ] as const)
    await sql`
      insert into schedules (device_id, customer_id, enabled, kind, date, time, weekdays, time_zone, revision, confirmed_revision, next_run_at, plan_tried_at)
      values (${device.id}, ${device.customerId}, true, ${kind}, ${kind === 'once' ? '2099-01-01' : null}, '03:00', ${kind === 'weekly' ? [3] : []},
        'UTC', 1, 1, ${inDays(400)}, ${inDays(399)})`
  await runSchedulesJob.run(bench.ctx, {})
  const rows = await sql<{ kind: string; next: Date; revision: number; tried: Date | null }[]>`
    select kind, next_run_at as next, revision, plan_tried_at as tried from schedules order by kind`
  const far = (at: Date | undefined | null) => ((at?.getTime() ?? 0) - bench.ctx.now().getTime()) / 86_400_000
  const [nextDaily, nextOnce, nextWeekly] = rows
  expect(far(nextDaily?.next)).toBeLessThan(1)
  expect(far(nextWeekly?.next)).toBeLessThan(7)
  expect(rows.map(({ revision }) => revision)).toEqual([2, 1, 2])
  expect(nextDaily?.tried ?? bench.ctx.now()).toEqual(bench.ctx.now())
  expect(nextOnce?.next).toEqual(inDays(400))
})

it('a deleted device misses no scheduled reboot, and none is made up for when it is restored', async () => {
  const [device] = bench.tenants.a.devices
  if (!device) throw new Error('a device')
  await sql`delete from schedules`
  await sql`delete from schedule_runs`
  await sql`
    insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone, next_run_at)
    values (${device.id}, ${device.customerId}, true, 'daily', '03:00', '{}', 'UTC', ${bench.ctx.now()})`
  await sql`update devices set deleted_at = now() where id = ${device.id}`
  await runSchedulesJob.run(bench.ctx, {})
  await sql`update devices set deleted_at = null where id = ${device.id}`
  await runSchedulesJob.run(bench.ctx, {})
  expect(await sql`select state, reason from schedule_runs where device_id = ${device.id}`).toHaveLength(0)
  const [next] = await sql<
    { at: Date }[]
  >`select next_run_at as at from schedules where device_id = ${device.id}`
  expect(next?.at.getTime()).toBeGreaterThan(bench.ctx.now().getTime())
})
