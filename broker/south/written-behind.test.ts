/** The row of an account, written by several brokers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { seedTenants } from '#test/tenants'
import { openWrittenBehind } from './written-behind.ts'

const context = await testContext()
const { sql } = context
const { a } = await seedTenants(context)
const [project] = await sql<{ id: number }[]>`
  insert into projects (customer_id, name, type, group_id) values (${a.customerId}, 'P', 'other', ${a.groups.root}) returning id`
const [account] = await sql<{ id: number }[]>`
  insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
  values (${a.customerId}, ${project?.id ?? 0}, 'S', 'neuron', 'two-brokers', '', '{}') returning id`
const id = account?.id ?? 0
const brokers = [openWrittenBehind(context), openWrittenBehind(context)] as const
afterAll(() => Promise.all(brokers.map((one) => one.close())))

const known = async () => {
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from south_states, jsonb_object_keys(brokers) where account_id = ${id}`
  return row?.n
}
const becomes = (n: number) => expect.poll(known).toBe(n)

it('a source that leaves one broker is still connected to the other', async () => {
  const [one, other] = brokers
  one.connected(id, true)
  other.connected(id, true)
  await becomes(2)
  one.connected(id, false)
  await becomes(1)
  // A broker that is not connected to it writes, too: what it hears after a will, for example.
  one.message(id, Date.now())
  await sleep(1_200)
  expect(await known()).toBe(1)
  other.connected(id, false)
  await becomes(0)
})

it('a broker that crashed is forgotten with the next that writes', async () => {
  await sql`update south_states set brokers = '{"gone": {"at": 1000, "perSecond": 3}}' where account_id = ${id}`
  brokers[0].connected(id, true)
  await expect
    .poll(async () => (await sql`select brokers ? 'gone' as gone from south_states`)[0]?.['gone'])
    .toBe(false)
  await becomes(1)
})

it('names are listed though the source leaves right after it has sent them', async () => {
  const [one] = brokers
  const names = async () =>
    (await sql`select name from south_names where account_id = ${id} order by name`).map((row) => row['name'])
  const sample = { source: 's', value: 1, at: 0 }
  one.connected(id, true)
  one.unmapped(id, { ...sample, name: 'first' }, Date.now())
  await expect.poll(names).toEqual(['first'])
  one.unmapped(id, { ...sample, name: 'second' }, Date.now())
  one.connected(id, false)
  await expect.poll(names).toEqual(['first', 'second'])
})

it('counts also what came while the database was away, and while the state of a source that left was written', async () => {
  await sql`delete from south_states where account_id = ${id}`
  let away = true
  let slow: Promise<unknown> | null = null
  let asked = 0
  const unsteady = Object.assign(
    async (...given: Parameters<typeof sql>) => {
      asked++
      if (away) throw new Error('away')
      const rows = await sql(...given)
      await slow
      return rows
    },
    { json: sql.json },
  ) as unknown as typeof sql
  const one = openWrittenBehind({ ...context, log: { warn: () => undefined } as never, sql: unsteady })
  one.message(id, Date.now())
  one.stored(id, 3)
  one.fault(id, 'unreadable', 'a topic')
  await expect.poll(() => asked).toBeGreaterThan(0)
  away = false
  const { promise, resolve } = Promise.withResolvers<void>()
  slow = promise
  const row = async () =>
    (await sql`select messages, stored, faults, fault from south_states where account_id = ${id}`)[0]
  await expect.poll(row).toEqual({ messages: 1, stored: 3, faults: 1, fault: 'unreadable' })
  one.message(id, Date.now())
  resolve()
  await expect.poll(async () => (await row())?.['messages']).toBe(2)
  await one.close()
})
