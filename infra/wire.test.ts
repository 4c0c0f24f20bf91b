/**
 * No query waits forever, and no connection of a pool is lost, whatever happens to the network (docs/decisions/063).
 */
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql as text } from 'drizzle-orm'
import { afterEach, expect, it, vi } from 'vitest'
import { testContext } from '#test/harness'
import { stopwatch } from '#test/patience'
import { openSilentLine } from '#test/silent-line'
import { openDatabase } from './postgres.ts'
import { fromStartup, openWire } from './wire.ts'

const context = await testContext()
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const word = (error: unknown) => {
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  return code ?? cause?.code
}

async function silentPool(max: number) {
  const line = await openSilentLine(context.databaseUrl)
  const pool = openDatabase(line.url, { max, answerMs: 500, silentAfterMs: 300, applicationName: 'silent' })
  ends.push(pool.close, line.close)
  return { ...pool, line }
}

it.each(['both', 'answers'] as const)(
  'what waits on a connection that went silent (%s) is told so, and all places of the pool answer again',
  async (what) => {
    const { db, sql, line } = await silentPool(2)
    await Promise.all([1, 2].map(() => sql`select pg_sleep(0.05)`))
    const inside = Promise.withResolvers<void>()
    const open = Promise.withResolvers<void>()
    const transaction = sql.begin(async (tx) => {
      await tx`create temporary table held (n int)`
      inside.resolve()
      await open.promise
      return tx`insert into held values (1)`
    })
    await inside.promise
    await db.execute(text`select 1`)
    line.silence(what)
    open.resolve()
    const taken = stopwatch()
    const lost = [transaction, sql`select 1`, sql`select ${2}::int`, db.execute(text`select 3`)]
    const fates = await Promise.all(lost.map((one) => one.then(() => 'answered', word)))
    expect(fates).toEqual([
      'CONNECTION_CLOSED',
      'CONNECTION_SILENT',
      'CONNECTION_SILENT',
      'CONNECTION_SILENT',
    ])
    expect(taken()).toBeLessThan(2_500)
    await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.05)`))
    await Promise.all([1, 2].map(() => db.execute(text`select pg_sleep(0.05)`)))
    const held = () =>
      context.sql`select 1 from pg_stat_activity where application_name = 'silent' and state like 'idle in%'`
    await expect.poll(async () => (await held()).length).toBe(0)
  },
)

it('an idle connection is closed before the silence timeout, and the next query opens another', async () => {
  const { sql } = await silentPool(1)
  const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
  const before = await pid()
  const gone = () => context.sql`select 1 from pg_stat_activity where pid = ${before ?? 0}`
  await expect.poll(async () => (await gone()).length).toBe(0)
  expect(await pid()).not.toBe(before)
})

it('a connection that closed while a query was about to be sent works again the next time', async () => {
  const dial = vi.spyOn(Socket.prototype, 'connect')
  ends.push(() => dial.mockRestore())
  const { sql, close } = openDatabase(context.databaseUrl, { max: 1 })
  ends.push(close)
  await sql`select 1`
  const socket = dial.mock.contexts.at(-1) as Socket
  const unsent = sql`select 2`.then(() => 'answered', word)
  // Its bytes are buffered now, and are sent at the end of this turn of the event loop.
  for (let turn = 0; turn < 5; turn++) await null
  socket.destroy()
  expect(await unsent).toBe('CONNECTION_CLOSED')
  const began = performance.now()
  expect([...(await sql`select 3 as three`)]).toEqual([{ three: 3 }])
  // Far less than the pool waits for an answer.
  expect(performance.now() - began).toBeLessThan(10_000)
})

it('a query that is sent after its connection has failed and before that is closed fails, too', async () => {
  const dial = vi.spyOn(Socket.prototype, 'connect')
  ends.push(() => dial.mockRestore())
  const { sql, close } = openDatabase(context.databaseUrl, { max: 1 })
  ends.push(close)
  await sql`select 1`
  const socket = dial.mock.contexts.at(-1) as Socket
  const first = sql`select pg_sleep(5)`.then(() => 'answered', word)
  await sleep(50)
  socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  expect(await first).toBe('ECONNRESET')
  // As a caller does who retries at once.
  const retried = [sql`select 2`, sql`select ${3}::int`].map((one) => one.then(() => 'answered', word))
  expect(await Promise.all(retried)).toEqual(['CONNECTION_CLOSED', 'CONNECTION_CLOSED'])
  expect([...(await sql`select 4 as four`)]).toEqual([{ four: 4 }])
})

it('removes bytes before a StartupMessage, and only if one follows', () => {
  const body = Buffer.from('\0\x03\0\0user\0iot\0\0', 'latin1')
  const startup = Buffer.concat([Buffer.from([0, 0, 0, body.length + 4]), body])
  expect(fromStartup(Buffer.concat([Buffer.from('what was left'), startup]))).toEqual(startup)
  expect(fromStartup(startup)).toEqual(startup)
  const cancel = Buffer.from('0000001004d2162e0000000100000002', 'hex')
  expect(fromStartup(cancel)).toEqual(cancel)
})

it('a connection that only listens may be silent indefinitely; one that sent a query may not', async () => {
  const line = await openSilentLine(context.databaseUrl)
  ends.push(line.close)
  const wire = openWire({ ms: 100, ends: 'unanswered' })
  const fate = new Promise<unknown>((done) => wire.once('error', (error) => done(word(error))))
  wire.connect(Number(new URL(line.url).port), '127.0.0.1')
  await sleep(300)
  expect(wire.destroyed).toBe(false)
  line.silence()
  wire.write('a question')
  expect(await fate).toBe('CONNECTION_SILENT')
})

it('a subscription ends without an error while its connection is silent, and is not renewed for its owner', async () => {
  const { sql, line } = await silentPool(1)
  const heard: string[] = []
  let renewals = 0
  const { unlisten } = await sql.listen(
    'of_the_test',
    (payload) => heard.push(payload),
    () => renewals++,
  )
  await context.sql`select pg_notify('of_the_test', 'first')`
  await expect.poll(() => heard).toEqual(['first'])
  // Renewed after the silence that is always there.
  await expect.poll(() => renewals).toBeGreaterThan(1)
  line.silence()
  const before = renewals
  await unlisten()
  await sleep(1_500)
  expect(renewals).toBe(before)
})

it('a subscription whose connection breaks while it ends is ended', async () => {
  const { sql, line } = await silentPool(1)
  const { unlisten } = await sql.listen('of_the_test', () => undefined)
  line.silence()
  await unlisten()
})
