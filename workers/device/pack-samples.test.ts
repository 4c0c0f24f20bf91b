import { beforeEach, expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { addDevices } from '#test/tenants'
import { until } from '#test/walks/until'
import { type Bench, openBench } from '#test/worker-bench'
import { daysToPack, packSamplesJob } from './pack-samples.ts'

const DAY_MS = 86_400_000
const bench: Bench = await openBench()
const { sql, now } = bench.ctx
const [one, two] = bench.tenants.a.devices.map(({ id }) => id) as [number, number]
/** Long enough ago to be packed. */
const day = new Date((Math.floor(now().getTime() / DAY_MS) - 3) * DAY_MS)
await ensurePartitions(sql, now(), { daysBack: 5 })

beforeEach(async () => {
  await sql`truncate status_samples, status_packs`
  await sql`insert into rollup_cursors (name, at) values ('signal', now()) on conflict (name) do update set at = now()`
  await sql`insert into traffic_cursors (device_id, at) values (0, now()) on conflict (device_id) do update set at = now()`
})

/** Each 30 s with jitter, as routers report: noisy figures, counters that grow by what was transferred, a restart at noon. */
const addDay = (id: number, samples = 2880) => sql`
  insert into status_samples (device_id, at, stored_at, uptime_s, network_mode, rx_bytes, tx_bytes, cpu_percent, load1, memory_used_percent,
    signal_dbm, temperature_celsius)
  select ${id}, ${day}::timestamptz + i * interval '30 seconds' + floor(random() * 40) * interval '1 millisecond', now() - interval '1 day',
    case when i < 1440 then 1000 + i * 30 else (i - 1440) * 30 end, 'LTE',
    case when i < 1440 then 5e9 else 0 end + (sum(floor(random() * 200000)) over (order by i))::bigint,
    case when i < 1440 then 1e9 else 0 end + (sum(floor(random() * 30000)) over (order by i))::bigint,
    round((5 + random() * 20)::numeric, 1)::real, round((random() * 0.6)::numeric, 2)::real, (41 + random())::real,
    round(-71 + random() * 4), round((47 + random() * 2)::numeric, 1)::real
  from generate_series(0, ${samples - 1}) i`

const history = () => sql`
  select device_id, (extract(epoch from at) * 1000)::text as ms, uptime_s, network_mode, rx_bytes, tx_bytes, cpu_percent, load1,
    memory_used_percent, signal_dbm, temperature_celsius from status_history order by device_id, at`
const left = async () => (await sql`select 1 from status_samples`).length
const pack = () => packSamplesJob.run(bench.ctx, {})

const bytes = async (table: string) => {
  const [row] = await sql<{ bytes: number }[]>`
    select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits where inhparent = ${table}::regclass`
  return row?.bytes ?? 0
}

it('takes less than 20 bytes a sample where a row takes at least seven times as many, and reads back the same', async () => {
  const devices = await addDevices(sql, bench.tenants.a.customerId, bench.tenants.a.groups.root, 'PACK-', 12)
  const empty = [await bytes('status_samples'), await bytes('status_packs')] as const
  for (const { id } of devices) await addDay(id)
  const before = await history()
  const plain = (await bytes('status_samples')) - empty[0]
  expect(await pack()).toEqual({ packs: 12 })
  expect(await history()).toEqual(before)
  const packed = (await bytes('status_packs')) - empty[1]
  const each = [plain, packed].map((all) => all / before.length)
  expect({
    asRow: each[0],
    packed: each[1],
    small: (each[1] ?? 99) < 20,
    ratio: plain / packed > 7,
  }).toMatchObject({
    small: true,
    ratio: true,
  })
  // What it took is given back.
  expect([await left(), await bytes('status_samples')]).toEqual([0, empty[0]])
})

it('reads a day, and a point in time, without unpacking others', async () => {
  await addDay(one)
  await pack()
  const plan = async (where: string) =>
    JSON.stringify(
      await sql.unsafe(
        `explain (analyze, format json) select * from status_history where device_id = ${one} and ${where}`,
      ),
    )
  expect(await plan(`day = '${day.toISOString()}'::timestamptz`)).toContain('"Actual Rows":2880')
  const other = await plan(`day = '${new Date(day.getTime() + DAY_MS).toISOString()}'::timestamptz`)
  expect(/"Function Scan".*?"Actual Loops":(\d+)/.exec(other)?.[1] ?? '0').toBe('0')
})

it('adds late samples to what is packed, once each; unsummed ones and those of the last day wait', async () => {
  await addDay(one, 100)
  await pack()
  const [first] = await sql<{ at: Date }[]>`select at from status_history order by at limit 1`
  await sql`insert into status_samples (device_id, at, stored_at, rx_bytes, tx_bytes, load1, cpu_percent) values
    (${one}, ${first?.at ?? day}, now() - interval '1 minute', 1, 1, 9, null),
    (${one}, ${day}::timestamptz + interval '20 hours', now() - interval '1 minute', null, 7, 400, 1e-7),
    (${two}, ${day}::timestamptz + interval '1 hour', now() - interval '1 minute', null, null, null, null),
    (${one}, ${day}::timestamptz + interval '21 hours', now() + interval '1 minute', 1, 1, 1, 1),
    (${one}, now() - interval '23 hours', now() - interval '1 minute', 1, 1, 1, 1)`
  const before = await history()
  expect(before).toHaveLength(105)
  expect(await pack()).toEqual({ packs: 2 })
  expect([await left(), (await sql`select 1 from status_packs`).length]).toEqual([2, 2])
  // The one that was sent again counts as it was stored first.
  const after = await history()
  const again = before.findIndex(({ load1 }) => load1 === 9)
  expect(after).toEqual(before.toSpliced(again, 1))
  expect(await pack()).toEqual({ packs: 0 })
})

it('loses and doubles nothing when it is killed in the middle, or runs twice at once', async () => {
  for (const { id } of bench.tenants.a.devices) await addDay(id, 2000)
  const before = await history()
  let release: () => void = () => undefined
  const held = sql.begin(async (tx) => {
    await tx`lock table status_packs in share mode`
    await new Promise<void>((done) => {
      release = done
    })
  })
  const running = pack().catch((error: unknown) => error)
  // Its rows are deleted, and wait to be inserted.
  const killed = await until('it is at it', async () => {
    const [found] = await sql`
      select pg_terminate_backend(pid) as done from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%with moved as%'`
    return found
  })
  expect(killed).toEqual({ done: true })
  release()
  await held
  await running
  expect(await history()).toEqual(before)
  await Promise.all([pack(), pack()])
  expect(await history()).toEqual(before)
  expect(await left()).toBe(0)
})

it('finds the days to pack by one sample of each, however many there are, days without a partition included', async () => {
  const stray = new Date(day.getTime() - 20 * DAY_MS)
  await addDay(one)
  await sql`insert into status_samples (device_id, at, stored_at) values (${one}, ${stray}, ${stray}), (${one}, now(), now())`
  await sql`analyze status_samples`
  const until = new Date(now().getTime() + 60_000).toISOString()
  const found = await daysToPack(sql, now(), until)
  expect(found.map((row) => new Date(row.day))).toEqual([stray, day])
  const [plan] = await sql`explain (analyze, format json) ${daysToPack(sql, now(), until)}`
  const rows = [
    ...JSON.stringify(plan).matchAll(/"Relation Name":"status_samples_2\d+".*?"Actual Rows":([\d.]+)/g),
  ]
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.map(([, read]) => Number(read)).filter((read) => read > 1)).toEqual([])
})
