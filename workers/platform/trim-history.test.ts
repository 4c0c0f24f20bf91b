import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Bench, openBench } from '#test/worker-bench'
import { trimHistoryJob } from './trim-history.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})

const count = async (table: string) => {
  const [row] = await bench.ctx.sql<{ n: number }[]>`select count(*)::int as n from ${bench.ctx.sql(table)}`
  return row?.n
}
const set = async (key: string, value: number) => {
  await bench.ctx.sql`insert into parameter_values (key, value) values (${key}, ${value})`
  bench.ctx.parameters.forget()
}

describe('retention', () => {
  it('removes what is older than the parameter says and keeps the rest', async () => {
    const { sql } = bench.ctx
    const device = bench.tenants.a.devices[0]
    const id = device?.id ?? 0
    const { taskId, itemOf } = await bench.task(device ? [device] : [])
    expect(taskId).toBeGreaterThan(0)
    for (const days of [10, 40]) {
      await sql`insert into device_warnings (device_id, at, what) values (${id}, now() - ${days} * interval '1 day', 'x')`
      await sql`insert into task_events (item_id, device_id, at, what) values (${device ? itemOf(device) : ''}, ${id}, now() - ${days} * interval '1 day', 'x')`
      await sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at)
        values (${randomUUID()}, ${id}, 'b', now() - ${days + 1} * interval '1 day', now() - ${days} * interval '1 day')`
      await sql`insert into mails (purpose, recipient, subject, text, state, created_at) values ('report', 'a@b.test', 'x', 'x', 'sent', now() - ${days} * interval '1 day')`
    }
    // An open connection, and a mail that is not sent yet, are never too old.
    await sql`insert into presence_records (connection_id, device_id, broker_id, online_at) values (${randomUUID()}, ${id}, 'b', now() - 400 * interval '1 day')`
    await sql`insert into mails (purpose, recipient, subject, text, created_at) values ('report', 'a@b.test', 'x', 'x', now() - 400 * interval '1 day')`
    for (const key of ['warningDays', 'taskEventDays', 'presenceDays', 'mailDays']) await set(key, 30)
    await trimHistoryJob.run(bench.ctx, {})
    expect(await count('device_warnings')).toBe(1)
    expect(await count('task_events')).toBe(1)
    expect(await count('presence_records')).toBe(2)
    expect(await count('mails')).toBe(2)
  })

  it('removes the sums that a roll-up has stored after their device was purged, and no others', async () => {
    const { sql } = bench.ctx
    const id = bench.tenants.a.devices[0]?.id ?? 0
    const gone = 2_000_000_000
    const today = new Date().toISOString().slice(0, 10)
    await sql`insert into traffic_cursors (device_id, at) select unnest(${[0, id, gone]}::int[]), now() on conflict do nothing`
    await sql`insert into traffic_totals select unnest(${[id, gone]}::int[]), 'epoch', 0, 0`
    await sql`insert into traffic_days select unnest(${[id, gone]}::int[]), ${today}::date, 0, 0`
    await sql`
      insert into device_days (day, device_id, owned_since, known_s, online_s, signal_sum, signal_count, rx_bytes, tx_bytes)
      select ${today}::date - n, unnest(${[id, gone]}::int[]), 'epoch', 0, 0, 0, 0, 0, 0 from generate_series(0, 2) n`
    await trimHistoryJob.run(bench.ctx, {})
    expect(await sql`select device_id as id from traffic_cursors order by 1`).toEqual([{ id: 0 }, { id }])
    expect(await sql`select device_id as id from traffic_totals`).toEqual([{ id }])
    expect(await sql`select device_id as id from traffic_days`).toEqual([{ id }])
    expect(await sql`select device_id as id, count(*)::int as days from device_days group by 1`).toEqual([
      { id, days: 3 },
    ])
  })

  it('keeps the operation log and login history for half a year, whatever the parameter', async () => {
    const { sql } = bench.ctx
    for (const days of [170, 190]) {
      await sql`insert into operations (call, code, at) values ('x', 0, now() - ${days} * interval '1 day')`
      await sql`insert into logins (username, way, code, at) values ('x', 'username', 0, now() - ${days} * interval '1 day')`
    }
    await set('operationDays', 1)
    await set('loginDays', 1)
    await trimHistoryJob.run(bench.ctx, {})
    expect(await count('operations')).toBe(1)
    expect(await count('logins')).toBe(1)
  })

  it('deletes failed logins and links of yesterday', async () => {
    const { sql } = bench.ctx
    await sql`insert into login_attempts (key, failures, first_at) values ('old', 1, now() - interval '2 days'), ('new', 1, now())`
    await sql`insert into login_attempts (key, failures, first_at, blocked_until) values ('paused', 99, now() - interval '2 days', now() + interval '1 minute')`
    await sql`insert into email_bindings (user_id, email, hash, expires_at) values (${bench.tenants.a.admin.id}, 'a@b.test', 'h', now() - interval '2 days')`
    await trimHistoryJob.run(bench.ctx, {})
    expect(await count('login_attempts')).toBe(2)
    expect(await count('email_bindings')).toBe(0)
  })
})
