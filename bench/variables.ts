/**
 * Durable samples of variables: reports of ten values from 1,000 gateways, each acknowledged when it and the newest values
 * are in PostgreSQL (fsync on); the baseline is bare `unnest` into the same table, without broker and newest values.
 * Alternating rounds.
 */
import { parseArgs } from 'node:util'
import type { Sql } from '#infra/postgres'
import { addTemplate, addTerminals, plainScale } from '#test/collecting'
import { benchDatabase, benchDevices, processorSeconds, startChild } from './bench-fleet.ts'
import { type Credential, dialAll, pump } from './mqtt-load.ts'

type Options = { connections: number; window: number; seconds: number; rounds: number }

export const VALUES = 10
const TARGETS = { samplesPerSecond: 150_000, bytesPerSample: 25 }
export const PLAN = 1
const ROWS_AT_ONCE = 2_500

/** A terminal with ten variables at each device. Returns their ids in the order of the devices. */
export async function seedReadings(sql: Sql, all: readonly Credential[]): Promise<number[]> {
  const known = await sql<{ id: number; sn: string; customerId: number }[]>`
    select id, sn, customer_id as "customerId" from devices`
  const bySn = new Map(known.map(({ sn, id }) => [sn, id]))
  const terminals = await addTerminals(
    sql,
    all.map(({ sn }) => bySn.get(sn) ?? 0),
    await addTemplate(sql, known[0]?.customerId ?? 0),
  )
  const scales = Array.from({ length: VALUES }, (_, slot) => plainScale(slot, { factor: 0.1 }))
  await sql`
    insert into poll_plans (device_id, revision, hash, document, scales, created_at)
    select device_id, ${PLAN}, '', '{}', jsonb_build_object(id, ${sql.json(scales)}::jsonb), clock_timestamp() from terminals`
  return terminals
}

export const slots = Array.from({ length: VALUES }, (_, slot) => slot)
const values = slots.map((slot) => 2_305 + slot * 17)

/** What PostgreSQL does alone: groups of rows, prepared as text in advance. Samples a second. */
async function bare(sql: Sql, terminals: readonly number[], seconds: number): Promise<number> {
  const each = (cell: (n: number) => number | string) =>
    `{${Array.from({ length: ROWS_AT_ONCE }, (_, n) => cell(n)).join(',')}}`
  const stored = `"{${values.map((value) => value / 10).join(',')}}"`
  let at = Date.now() - 3_600_000
  const store = () => {
    at += 3
    return sql.unsafe(
      `insert into variable_reports (at, terminal_id, plan, slots, vals)
       select to_timestamp(at::float8 / 1000), terminal_id, plan, slots::smallint[], vals::float8[]
       from unnest($1::text::bigint[], $2::text::int[], $3::text::int[], $4::text::text[], $5::text::text[])
         as x(at, terminal_id, plan, slots, vals) on conflict do nothing`,
      [
        each((n) => at + Math.floor(n / terminals.length)),
        each((n) => terminals[n % terminals.length] ?? 0),
        each(() => PLAN),
        each(() => `"{${slots.join(',')}}"`),
        each(() => stored),
      ],
      { prepare: true },
    )
  }
  for (let n = 0; n < 5; n++) await store()
  const began = performance.now()
  let groups = 0
  for (; performance.now() - began < seconds * 1000; groups++) await store()
  return (groups * ROWS_AT_ONCE * VALUES * 1000) / (performance.now() - began)
}

const sizes = (sql: Sql) => sql<{ heap: number; index: number; rows: number }[]>`
  select sum(pg_relation_size(c.oid))::float8 as heap, sum(pg_indexes_size(c.oid))::float8 as index,
    (select count(*) from variable_reports)::float8 as rows
  from pg_class c join pg_inherits i on i.inhrelid = c.oid where i.inhparent = 'variable_reports'::regclass`

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0

export async function run(
  over: Partial<Options> = {},
): Promise<{ name: string; figures: Record<string, number | string> }> {
  const options: Options = { connections: 1000, window: 5, seconds: 4, rounds: 3, ...over }
  const database = await benchDatabase()
  const measured: Awaited<ReturnType<typeof pump>>[] = []
  const alone: number[] = []
  let bytes = { heap: 0, index: 0, rows: 1 }
  try {
    const all = await benchDevices(database.sql, options.connections)
    const terminals = await seedReadings(database.sql, all)
    for (let round = 0; round < options.rounds; round++) {
      alone.push(await bare(database.sql, terminals, options.seconds))
      await database.sql`truncate variable_reports`
      const broker = await startChild('broker/main.ts', {
        DATABASE_URL: database.url,
        DATA_DIR: database.dir,
      })
      const sockets = await dialAll(broker.port, all)
      measured.push(
        await pump(sockets, all, {
          window: options.window,
          warmMs: 1500,
          ms: options.seconds * 1000,
          watch: () => [processorSeconds(broker.child.pid ?? 0), processorSeconds(database.pid, true)],
          says: (index, at) => ({
            name: 'variables',
            payload: { plan: PLAN, t: terminals[index], at, i: slots, v: values },
          }),
        }),
      )
      for (const socket of sockets) socket.destroy()
      await broker.stop('SIGKILL')
      bytes = (await sizes(database.sql))[0] ?? bytes
      await database.sql`truncate variable_reports`
      await database.sql`update terminal_latest set version = version + 1, at = '{}', vals = '{}'`
    }
  } finally {
    await database.close()
  }
  const samples = median(measured.map(({ perSecond }) => perSecond)) * VALUES
  const cost = (which: number) => median(measured.map(({ microsPerMessage }) => microsPerMessage[which] ?? 0))
  return {
    name: 'variables',
    figures: {
      connections: options.connections,
      inFlightPerConnection: options.window,
      valuesPerReport: VALUES,
      durableSamplesPerSecond: Math.round(samples),
      bareUnnestSamplesPerSecond: Math.round(median(alone)),
      ratio: Number((samples / median(alone)).toFixed(2)),
      brokerMicrosecondsPerReport: Number(cost(0).toFixed(1)),
      postgresMicrosecondsPerReport: Number(cost(1).toFixed(1)),
      heapBytesPerSample: Number((bytes.heap / bytes.rows / VALUES).toFixed(1)),
      indexBytesPerSample: Number((bytes.index / bytes.rows / VALUES).toFixed(1)),
      bytesPerSample: Number(((bytes.heap + bytes.index) / bytes.rows / VALUES).toFixed(1)),
      targetSamplesPerSecond: TARGETS.samplesPerSecond,
      targetBytesPerSample: TARGETS.bytesPerSample,
    },
  }
}

if (import.meta.main) {
  const { values: given } = parseArgs({
    options: {
      connections: { type: 'string' },
      window: { type: 'string' },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
    },
  })
  const over = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]))
  process.stdout.write(`${JSON.stringify(await run(over), null, 2)}\n`)
}
