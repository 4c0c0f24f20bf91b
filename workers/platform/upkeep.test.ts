import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { stopwatch } from '#test/patience'
import { type Bench, openBench } from '#test/worker-bench'
import { maintainPartitionsJob } from './maintain-partitions.ts'
import { sweepBrokersJob } from './sweep-brokers.ts'

const DAY_MS = 86_400_000
let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})

const partitions = async (table: string) =>
  (
    await bench.ctx.sql<{ name: string }[]>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relname = ${table} order by 1`
  ).map(({ name }) => name)

it('partitions are created a week ahead, and dropped with their rows once past retention', async () => {
  const { sql, now } = bench.ctx
  const device = bench.tenants.a.devices[0]?.id ?? 0
  const sample = (at: Date) => sql`insert into status_samples (device_id, at) values (${device}, ${at})`
  await sample(now())
  const today = `status_samples_${now().toISOString().slice(0, 10).replaceAll('-', '')}`
  bench.pass(20 * DAY_MS)
  await maintainPartitionsJob.run(bench.ctx, {})
  expect(await partitions('status_samples')).toContain(today)
  const ahead = new Date(now().getTime() + 7 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
  expect(await partitions('status_samples')).toContain(`status_samples_${ahead}`)
  expect(await partitions('device_logs')).toContain(`device_logs_${ahead}`)
  bench.pass(12 * DAY_MS)
  await sql`update rollup_cursors set at = ${now()} where name = 'age maintainPartitions'`
  await maintainPartitionsJob.run(bench.ctx, {})
  expect(await partitions('status_samples')).not.toContain(today)
  expect(await sql`select 1 from status_samples`).toHaveLength(0)
})

it('the same partitions are created by several at once', async () => {
  const past = new Date('2001-02-03T00:00:00Z')
  const created = Array.from({ length: 4 }, () =>
    ensurePartitions(bench.ctx.sql, past, { daysBack: 3, daysAhead: 0, tables: ['variable_reports'] }),
  )
  await Promise.all(created)
  const days = ['20010131', '20010201', '20010202', '20010203']
  expect(await partitions('variable_reports')).toEqual(
    expect.arrayContaining(days.map((day) => `variable_reports_${day}`)),
  )
})

it('while a backup reads the tables, what arrives is stored without a wait for partitions, which are made and dropped later', async () => {
  const { sql, now } = bench.ctx
  const device = bench.tenants.a.devices[0]?.id ?? 0
  bench.pass(40 * DAY_MS)
  await sql`update rollup_cursors set at = ${now()} where name = 'age maintainPartitions'`
  const before = await partitions('status_samples')
  const done = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  const backup = sql.begin(async (tx) => {
    await tx`lock table status_samples in access share mode`
    reading.resolve()
    await done.promise
  })
  await reading.promise
  // It gives up each table that is being read, and ends while the backup goes on.
  let hasEnded = false
  const upkeep = maintainPartitionsJob.run(bench.ctx, {}).finally(() => {
    hasEnded = true
  })
  const waits: number[] = []
  for (let n = 0; !hasEnded && waits.every((ms) => ms < 2_000); n++) {
    const taken = stopwatch()
    await Promise.race([
      sql`insert into status_samples (device_id, at) values (${device}, ${new Date(now().getTime() + n)})`,
      sleep(3_000),
    ])
    waits.push(taken())
    await sleep(100)
  }
  done.resolve()
  await Promise.all([backup, upkeep])
  expect(Math.max(...waits)).toBeLessThan(2_000)
  expect(await partitions('status_samples')).toEqual(before)
  await sql`delete from status_samples`
  await maintainPartitionsJob.run(bench.ctx, {})
  const ahead = new Date(now().getTime() + 7 * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')
  expect(await partitions('status_samples')).toContain(`status_samples_${ahead}`)
  expect(await partitions('status_samples')).not.toContain(before.find((name) => /_\d{8}$/.test(name)))
})

it('devices of a broker that fell silent are offline as of its last heartbeat, those of a live one stay online', async () => {
  const { sql } = bench.ctx
  const [lost, kept] = bench.tenants.a.devices
  const connection = randomUUID()
  await sql`insert into brokers (id, started_at, beat_at) values
    ('dead', now() - interval '1 hour', now() - interval '10 seconds'), ('alive', now() - interval '1 hour', now())`
  await sql`update device_states set online = true, broker_id = 'dead', connection_id = ${connection}, last_login_at = now() - interval '1 minute'
    where device_id = ${lost?.id ?? 0}`
  await sql`update device_states set online = true, broker_id = 'alive' where device_id = ${kept?.id ?? 0}`
  await sql`insert into presence_records (connection_id, device_id, broker_id, online_at) values (${connection}, ${lost?.id ?? 0}, 'dead', now() - interval '1 minute')`
  await sweepBrokersJob.run(bench.ctx, {})
  const states = await sql`
    select online, offline_reason as reason, round(extract(epoch from now() - last_logout_at))::int as ago
    from device_states where device_id in (${lost?.id ?? 0}, ${kept?.id ?? 0}) order by device_id`
  expect(states).toEqual([
    { online: false, reason: 'brokerLost', ago: 10 },
    { online: true, reason: null, ago: null },
  ])
  const [record] =
    await sql`select reason, offline_at is not null as ended from presence_records where connection_id = ${connection}`
  expect(record).toEqual({ reason: 'brokerLost', ended: true })
})
