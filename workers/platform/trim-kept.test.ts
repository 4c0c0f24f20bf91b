/** What is open or referred to is never too old. */
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { retention } from '#schema/tables/retention'
import { type Bench, openBench } from '#test/worker-bench'
import { rollUpFleetJob } from '../report/roll-up-fleet.ts'
import { rollUpSignalJob } from '../report/roll-up-signal.ts'
import { trimHistoryJob } from './trim-history.ts'

let bench: Bench
let device: Bench['tenants']['a']['devices'][number]
/** Older than any retention period. */
const old = new Date(Date.now() - 4000 * 86_400_000)

beforeEach(async () => {
  bench = await openBench()
  const [first] = bench.tenants.a.devices
  if (!first) throw new Error('no device')
  device = first
})
const trim = () => trimHistoryJob.run(bench.ctx, {})
const ids = async (table: string) =>
  (await bench.ctx.sql<{ id: unknown }[]>`select id from ${bench.ctx.sql(table)} order by id`).map(
    ({ id }) => id,
  )

async function alarm(of: { ended?: boolean; notified?: string; incidentId?: number }): Promise<number> {
  const { a } = bench.tenants
  const [rule] = await bench.ctx.sql<{ id: number }[]>`
    insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
    values (${a.customerId}, ${randomUUID()}, 'offline', 'major', 'customer', 'UTC', 'en-US', 'x', 'x') returning id`
  const [row] = await bench.ctx.sql<{ id: number }[]>`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at,
      last_at, ended_at, notified, incident_id)
    values (${a.customerId}, ${rule?.id ?? 0}, 'x', 'offline', 'major', ${device.id}, 'x', 'x', ${device.groupId}, 'x', ${old}, ${old},
      ${of.ended === false ? null : old}, ${of.notified ?? 'all'}, ${of.incidentId ?? null}) returning id`
  return Number(row?.id)
}

describe('alarms', () => {
  it('are deleted when they have cleared and were notified; an active one or one not notified yet stays, with its outage', async () => {
    const incident = async () => {
      const [row] = await bench.ctx.sql<{ id: number }[]>`
        insert into alarm_incidents (customer_id, ground, key, name, started_at, notified)
        values (${bench.tenants.a.customerId}, 'group', '1', 'x', ${old}, 'all') returning id`
      return row?.id ?? 0
    }
    const [over, open] = [await incident(), await incident()]
    await alarm({ incidentId: over })
    const active = await alarm({ ended: false, incidentId: open })
    const unnotified = await alarm({ notified: 'alert' })
    // Alarms of a deleted rule will never be notified.
    const ruleless = await alarm({ notified: 'alert' })
    await bench.ctx.sql`update alarms set rule_id = null where id = ${ruleless}`
    await trim()
    expect((await ids('alarms')).map(Number)).toEqual([active, unnotified])
    expect(await ids('alarm_incidents')).toEqual([open])
  })
})

describe('notices', () => {
  const notice = async () => {
    const id = randomUUID()
    await bench.ctx.sql`insert into alarm_notices (id, customer_id, kind, subject, payload, created_at)
      values (${id}, ${bench.tenants.a.customerId}, 'alert', 'x', '{}', ${old})`
    return id
  }
  const delivery = (noticeId: string, of: { state?: string; mailId?: number; channelId?: number }) => bench
    .ctx.sql`
    insert into alarm_deliveries (notice_id, customer_id, mail_id, channel_id, recipient, state, created_at)
    values (${noticeId}, ${bench.tenants.a.customerId}, ${of.mailId ?? null}, ${of.channelId ?? null}, 'x', ${of.state ?? 'draft'}, ${old})`
  const mail = async (state: string) => {
    const [row] = await bench.ctx.sql<{ id: number }[]>`
      insert into mails (purpose, recipient, subject, text, state, created_at) values ('report', 'a@b.test', 'x', 'x', ${state}, ${old}) returning id`
    return Number(row?.id)
  }

  it('are deleted with their deliveries; one that is not sent yet, by mail or otherwise, stays complete', async () => {
    const [channel] = await bench.ctx.sql<{ id: number }[]>`
      insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown)
      values (${bench.tenants.a.customerId}, 'x', 'webhook', 'x', 'x') returning id`
    const channelId = channel?.id ?? 0
    const [gone, unsent, unmailed, orphan] = [await notice(), await notice(), await notice(), await notice()]
    await delivery(gone, { mailId: await mail('sent') })
    await delivery(gone, { state: 'failed', channelId })
    await delivery(unsent, { state: 'sending', channelId })
    await delivery(unsent, { state: 'sent', channelId })
    const waiting = await mail('draft')
    await delivery(unmailed, { mailId: waiting })
    // Its channel was deleted before it could be sent, so it never will be.
    await delivery(orphan, {})
    await trim()
    expect(await ids('alarm_notices')).toEqual([unsent, unmailed].toSorted())
    expect((await ids('mails')).map(Number)).toEqual([waiting])
    expect(await ids('alarm_deliveries')).toHaveLength(2)
  })

  it('keep their mail for as long as they are kept', async () => {
    const id = await notice()
    await bench.ctx.sql`update alarm_notices set created_at = now() where id = ${id}`
    const mailId = await mail('sent')
    await delivery(id, { mailId })
    await bench.ctx.sql`update alarm_deliveries set created_at = now()`
    await mail('sent')
    // Mail that is only kept in the outbox will not be sent.
    await bench.ctx.sql`update mails set kept = true where id = ${await mail('draft')}`
    await trim()
    expect((await ids('mails')).map(Number)).toEqual([mailId])
  })
})

it('tasks are deleted with their devices’ results; not while one runs, or a device has yet to be informed', async () => {
  const finish = async (outcome: string | null, sending = 'none') => {
    const { taskId, itemOf } = await bench.task([device])
    await bench.ctx
      .sql`update tasks set status = ${outcome ? 'completed' : 'ongoing'}, completed_at = ${outcome ? old : null} where id = ${taskId}`
    await bench.force({ outcome, sending }, [itemOf(device)])
    return taskId
  }
  await finish('done')
  const unnotified = await finish('failed', 'sent')
  const ongoing = await finish(null)
  await trim()
  expect(await ids('tasks')).toEqual([unnotified, ongoing])
  expect(await ids('task_items')).toHaveLength(2)
})

it('commands are deleted when they have ended; not one that a run, a plan or a backup still waits for', async () => {
  const command = async (ended = true) => {
    const id = randomUUID()
    await bench.ctx
      .sql`insert into commands (id, device_id, customer_id, name, args, state, deadline_at, ended_at)
      values (${id}, ${device.id}, ${device.customerId}, 'restart', '{}', 'done', ${old}, ${ended ? old : null})`
    return id
  }
  await command()
  const open = await command(false)
  const awaited = await command()
  await bench.ctx
    .sql`insert into schedule_runs (device_id, due_at, state, command_id) values (${device.id}, ${old}, 'sent', ${awaited})`
  const planned = await command()
  await bench.ctx
    .sql`insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone, plan_command_id)
    values (${device.id}, ${device.customerId}, false, 'daily', '03:00', '{}', 'UTC', ${planned})`
  // Its link is still valid: the file may still arrive.
  const uploading = await command()
  await bench.ctx
    .sql`insert into device_backups (id, device_id, customer_id, command_id, created_at, link_expires_at)
    values (${randomUUID()}, ${device.id}, ${device.customerId}, ${uploading}, ${old}, now() + interval '1 hour')`
  await trim()
  expect(await ids('commands')).toEqual([open, awaited, planned, uploading].toSorted())
  expect(await ids('device_backups')).toHaveLength(1)
})

it('a printer is deleted when it has been unplugged, not when it is unchanged for long', async () => {
  for (const [name, present] of [
    ['there', true],
    ['away', false],
  ] as const)
    await bench.ctx
      .sql`insert into printers (device_id, local_id, status, status_at, present, method, port, success_count, fail_count)
      values (${device.id}, ${name}, 'ready', ${old}, ${present}, 'usb', '/dev/usb/lp0', 0, 0)`
  await trim()
  expect(await bench.ctx.sql`select local_id from printers`).toEqual([{ local_id: 'there' }])
})

it('the last connection of a device stays: without it the device would count as never seen', async () => {
  for (const days of [3900, 3800])
    await bench.ctx
      .sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at)
      values (${randomUUID()}, ${device.id}, 'b', now() - ${days} * interval '1 day', now() - ${days} * interval '1 day' + interval '1 hour')`
  await trim()
  const [left] = await bench.ctx
    .sql`select round(extract(epoch from now() - online_at) / 86400)::int as days from presence_records`
  expect(left).toEqual({ days: 3800 })
})

it('the newest backups stay up to the limit, and only their files; one that is being restored stays as well', async () => {
  const { sql, files } = bench.ctx
  const keys: string[] = []
  for (let i = 0; i < 5; i++) {
    const file = files.create()
    await new Promise<void>((done, fail) =>
      file.stream.end('x', (error?: Error | null) => (error ? fail(error) : done())),
    )
    await file.keep()
    keys.push(file.key)
    const id = randomUUID()
    await sql`insert into device_backups (id, device_id, command_id, created_at, link_expires_at, file_key)
      values (${id}, ${device.id}, ${randomUUID()}, now() + ${i} * interval '1 second', now(), ${file.key})`
    if (i < 2)
      await sql`insert into tasks (kind, name, start_at, wait_offline_minutes, backup_id, status)
        values ('configFile', 'x', now(), 5, ${id}, ${i === 0 ? 'ongoing' : 'completed'})`
  }
  await sql`insert into device_backups (id, device_id, command_id, created_at, link_expires_at)
    values (${randomUUID()}, ${device.id}, ${randomUUID()}, ${old}, ${old})`
  await sql`insert into parameter_values (key, value) values ('backupsKept', 2)`
  bench.ctx.parameters.forget()
  await trim()
  const left = await sql<{ key: string }[]>`select file_key as key from device_backups order by created_at`
  expect(left.map(({ key }) => key)).toEqual([keys[0], ...keys.slice(3)])
  expect(await Promise.all(keys.map(async (key) => (await files.size(key)) !== null))).toEqual([
    true,
    false,
    false,
    true,
    true,
  ])
})

it('sums of deleted hours are not recomputed from late samples', async () => {
  const { sql } = bench.ctx
  const hour = new Date(Math.floor(Date.now() / 86_400_000 - 100) * 86_400_000)
  const day = hour.toISOString().slice(0, 10)
  await sql`insert into device_hours (device_id, hour, customer_id, group_id) values (${device.id}, ${hour}, ${device.customerId}, ${device.groupId})`
  await sql`insert into fleet_days (day, customer_id, group_id, model, devices, known_s, online_s, signal_sum, signal_devices, excellent, good, fair, poor)
    values (${day}, ${device.customerId}, 0, '*', 1, 86400, 86400, -70, 1, 0, 1, 0, 0)`
  await trim()
  expect(await sql`select 1 from device_hours where hour = ${hour}`).toHaveLength(0)
  await sql`insert into status_samples (device_id, at, stored_at, signal_dbm) values (${device.id}, ${hour}, now() - interval '1 minute', -50)`
  await sql`insert into stale_hours (hour) values (${hour})`
  await rollUpSignalJob.run(bench.ctx, {})
  await rollUpFleetJob.run(bench.ctx, {})
  expect(await sql`select 1 from device_hours where hour = ${hour}`).toHaveLength(0)
  expect(await sql`select known_s::int as known from fleet_days where day = ${day}`).toEqual([
    { known: 86_400 },
  ])
})

it('a table that cannot be trimmed does not prevent the others', async () => {
  const { sql } = bench.ctx
  await sql`insert into device_warnings (device_id, at, what) values (${device.id}, ${old}, 'x')`
  await sql`alter table sim_switches rename column at to moment`
  await expect(trim()).rejects.toThrow('sim_switches was not trimmed')
  expect(Object.keys(retention).indexOf('sim_switches')).toBeLessThan(
    Object.keys(retention).indexOf('device_warnings'),
  )
  expect(await sql`select 1 from device_warnings`).toHaveLength(0)
})
