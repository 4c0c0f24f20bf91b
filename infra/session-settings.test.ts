/** A PostgreSQL whose database is set to other customs than ours, as its machine may make it (docs/decisions/202). */
import pg from 'pg'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { openCopyIn } from './copy-in.ts'
import { ensurePartitions } from './partitions.ts'
import { openClient, openDatabase } from './postgres.ts'
import { queueDatabase } from './queue/backend.ts'

const { databaseUrl } = await testContext()
const plain = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
beforeAll(async () => {
  const name = new URL(databaseUrl).pathname.slice(1)
  for (const set of [
    "TimeZone = 'Asia/Shanghai'",
    "DateStyle = 'SQL, DMY'",
    "IntervalStyle = 'sql_standard'",
  ])
    await plain.unsafe(`alter database ${name} set ${set}`)
})
afterAll(() => plain.end())

const QUESTION = `select current_setting('TimeZone') as zone, current_setting('DateStyle') as date, current_setting('IntervalStyle') as interval,
  current_setting('jit') as jit`
const OURS = { zone: 'UTC', date: 'ISO, YMD', interval: 'postgres', jit: 'off' }

it('is asked in UTC and ISO by each of our clients', async () => {
  const pool = openDatabase(databaseUrl, { max: 1 })
  const client = openClient(databaseUrl, { max: 1 })
  const queue = new pg.Client(queueDatabase(databaseUrl))
  await queue.connect()
  try {
    expect([...(await pool.sql.unsafe(QUESTION))]).toEqual([OURS])
    expect([...(await client.unsafe(QUESTION))]).toEqual([OURS])
    expect((await queue.query(QUESTION)).rows).toEqual([OURS])
  } finally {
    await Promise.all([pool.close(), client.end(), queue.end()])
  }
})

it('stores a time without a zone of a COPY as UTC', async () => {
  await plain`create table copied (at timestamptz)`
  const copies = openCopyIn(databaseUrl, { max: 1, applicationName: 'copies', answerMs: 5_000 })
  await copies.copy('copy copied from stdin', Buffer.from('2026-03-01 12:00:00\n'))
  await copies.close()
  const [row] = await plain<{ ms: number }[]>`select extract(epoch from at) * 1000 as ms from copied`
  expect(Number(row?.ms)).toBe(Date.UTC(2026, 2, 1, 12))
})

it('has partitions of days of UTC', async () => {
  const client = openClient(databaseUrl, { max: 1 })
  await ensurePartitions(client as never, new Date('2031-05-05T12:00:00Z'), { daysBack: 0, daysAhead: 0 })
  const [row] = await client<{ bounds: string }[]>`
    select pg_get_expr(relpartbound, oid) as bounds from pg_class where relname = 'status_samples_20310505'`
  await client.end()
  expect(row?.bounds).toBe(`FOR VALUES FROM ('2031-05-05 00:00:00+00') TO ('2031-05-06 00:00:00+00')`)
})
