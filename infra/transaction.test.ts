/** The process survives when PostgreSQL ends a connection in the middle of a transaction. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql as text } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import type { Sql } from './postgres.ts'

const context = await testContext()
const { db, sql } = context
type Tx = Parameters<Parameters<Sql['begin']>[1]>[0]

/** As an administrator or a server shutdown would, from another connection. */
const kill = async (pid: number) => {
  await sql`select pg_terminate_backend(${pid})`
}
const pidOf = async (tx: Tx) => (await tx<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid ?? 0
const broken = /CONNECTION_|terminat|ECONNRESET|EPIPE/

const breaks: [string, (tx: Tx) => Promise<unknown>][] = [
  [
    'while a statement runs',
    async (tx) => {
      const pid = await pidOf(tx)
      setTimeout(() => void kill(pid), 50)
      return tx`select pg_sleep(5)`
    },
  ],
  [
    'while several do',
    async (tx) => {
      const pid = await pidOf(tx)
      setTimeout(() => void kill(pid), 50)
      return Promise.all([tx`select pg_sleep(5)`, tx`select 1`, tx`select 2`])
    },
  ],
  [
    'between two statements',
    async (tx) => {
      await kill(await pidOf(tx))
      await sleep(100)
      return tx`select 1`
    },
  ],
  [
    'before the commit',
    async (tx) => {
      await kill(await pidOf(tx))
      await sleep(100)
      return 'done'
    },
  ],
  [
    'before a refusal of our own',
    async (tx) => {
      await kill(await pidOf(tx))
      await sleep(100)
      throw new Error('refused')
    },
  ],
  [
    'in a savepoint whose failure is caught',
    async (tx) => {
      const pid = await pidOf(tx)
      setTimeout(() => void kill(pid), 50)
      await tx.savepoint((inner) => inner`select pg_sleep(5)`).catch(() => undefined)
      return tx`select 1`
    },
  ],
]

it.each(breaks)(
  'a transaction that loses its connection %s is rejected, and nothing else ends',
  async (_, work) => {
    const outcome = await sql.begin(work).then(
      () => 'committed',
      (error: Error & { code?: string }) => `${error.code} ${error.message}`,
    )
    expect(outcome).toMatch(broken)
    // Anything thrown from a timer is thrown by now; vitest would fail on it.
    await sleep(50)
    expect((await sql`select 1 as one`)[0]).toEqual({ one: 1 })
  },
)

it('of Drizzle too, nested or not', async () => {
  for (const nested of [false, true]) {
    const outcome = db.transaction(async (tx) => {
      const [row] = await tx.execute<{ pid: number }>(text`select pg_backend_pid() as pid`)
      setTimeout(() => void kill(row?.pid ?? 0), 50)
      if (nested) await tx.transaction((inner) => inner.execute(text`select pg_sleep(5)`))
      else await tx.execute(text`select pg_sleep(5)`)
    })
    await expect(outcome).rejects.toThrow(broken)
    await sleep(50)
    expect((await db.execute(text`select 1 as one`))[0]).toEqual({ one: 1 })
  }
})

it('an error that only looks like a broken connection is rolled back, and its connection is reused', async () => {
  await sql`create table kept (n int)`
  const failure = Object.assign(new Error('somebody else hung up'), { code: 'ECONNRESET' })
  const outcome = sql.begin(async (tx) => {
    await tx`insert into kept values (1)`
    throw failure
  })
  await expect(outcome).rejects.toBe(failure)
  expect((await sql`select count(*)::int as n from kept`)[0]).toEqual({ n: 0 })
  const open =
    await sql`select 1 from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()`
  expect(open.length).toBe(0)
})

it('commits, rolls back, nests and returns as usual', async () => {
  await sql`create table numbers (n int)`
  const answer = await sql.begin(async (tx) => {
    await tx`insert into numbers values (1)`
    await tx
      .savepoint(async (inner) => {
        await inner`insert into numbers values (2)`
        throw new Error('undone')
      })
      .catch(() => undefined)
    await tx.savepoint('named', (inner) => inner`insert into numbers values (3)`)
    return tx<{ n: number }[]>`select n from numbers order by n`
  })
  expect([...answer]).toEqual([{ n: 1 }, { n: 3 }])
  await expect(sql.begin('read only', (tx) => tx`insert into numbers values (4)`)).rejects.toThrow(
    'read-only',
  )
  expect((await sql`select count(*)::int as n from numbers`)[0]).toEqual({ n: 2 })
})
