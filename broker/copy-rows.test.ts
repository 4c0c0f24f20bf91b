import { expect, it } from 'vitest'
import { openCopyIn } from '#infra/copy-in'
import { testContext } from '#test/harness'
import { copyRows } from './copy-rows.ts'
import type { Cell } from './uplink.ts'

const { sql, databaseUrl } = await testContext()
const columns = {
  id: 'integer',
  at: 'instant',
  bytes: 'bigint',
  figure: 'real',
  words: 'text',
} as const
await sql`create table copied (id integer primary key, at timestamp(3) with time zone, bytes bigint, figure real, words text)`
const copied = copyRows({ table: 'copied', columns })
const copies = openCopyIn(databaseUrl, { max: 1, applicationName: 'test', answerMs: 5_000 })

const at = Date.UTC(2026, 10, 22, 1, 2, 3, 45)
const rows: Cell[][] = [
  [1, at, 0, -71.5, 'LTE'],
  [2, 0, Number.MAX_SAFE_INTEGER, 1e-37, '频段 "7" \\ \n 🛰'],
  [-3, Date.UTC(1999, 11, 31, 23, 59, 59, 999), -1, null, ''],
  [2 ** 31 - 1, at, -(2 ** 40) - 1, 0.25, null],
]

it('stores what the cells say, and reads them back from the bytes', async () => {
  const made = rows.map(copied.row)
  expect(made.map(copied.cells)).toEqual(
    rows.map((row) => row.with(3, row[3] === 1e-37 ? 0 : (row[3] ?? null))),
  )
  await copies.copy(copied.statement, copied.data(made))
  const stored = await sql<Record<string, Cell>[]>`
    select id, (extract(epoch from at) * 1000)::float8 as at, bytes, figure, words from copied order by array_position(${rows.map(([id]) => Number(id))}::int[], id)`
  expect(stored.map((row) => Object.values(row))).toEqual(made.map(copied.cells))
  await sql`delete from copied`
})

it('keeps rows apart that are chosen from several blocks, in their order', async () => {
  const made = Array.from({ length: 3_000 }, (_, i) => copied.row([i, at, i, 1, 'x'.repeat(i % 100)]))
  expect(new Set(made.map(({ block }) => block)).size).toBeGreaterThan(3)
  const odd = made.filter((_, i) => i % 2 === 1 || i % 5 === 0)
  await copies.copy(copied.statement, copied.data(odd))
  const stored = await sql<
    { id: number; long: number }[]
  >`select id, length(words) as long from copied order by id`
  expect(stored.map(({ id, long }) => [id, long])).toEqual(
    odd.map((row) => copied.cells(row)).map(([id]) => [id, Number(id) % 100]),
  )
  await sql`delete from copied`
})

it('stores nothing of a copy with a row that is there already, says so, and can copy again', async () => {
  const data = (ids: number[]) => copied.data(ids.map((id) => copied.row([id, at, 0, 0, null])))
  const ids = async () => (await sql<{ id: number }[]>`select id from copied order by id`).map(({ id }) => id)
  await copies.copy(copied.statement, data([1]))
  await expect(copies.copy(copied.statement, data([2, 1]))).rejects.toMatchObject({ code: '23505' })
  expect(await ids()).toEqual([1])
  await copies.copy(copied.statement, data([2, 3]))
  expect(await ids()).toEqual([1, 2, 3])
})

it('rejects when the connection ends, and uses another one', async () => {
  const slow = copies.copy(`copy copied (id) from program 'sleep 5'`, Buffer.alloc(0))
  const failed = expect(slow).rejects.toThrow()
  await expect
    .poll(
      () =>
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test' and state = 'active'`,
    )
    .toHaveLength(1)
  await failed
  await copies.copy(copied.statement, copied.data([copied.row([9, at, 0, 0, null])]))
  expect(await sql`select 1 from copied where id = 9`).toHaveLength(1)
  await copies.close()
})
