import { expect, it } from 'vitest'
import { openBench } from '#test/worker-bench'
import { ownTables } from './remove-demonstration.ts'

const { ctx } = await openBench()

/** Deleted before: devices by removePurged, the rest by the call that deletes the demonstration. */
const before = ['devices', 'users', 'enrolment_keys']

it('removes the rows of every table that would keep its customer', async () => {
  const rows = await ctx.sql<{ name: string }[]>`
    select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'customers'::regclass and confdeltype in ('a', 'r') and conparentid = 0`
  const missing = rows.map(({ name }) => name).filter((name) => ![...before, ...ownTables].includes(name))
  expect(missing).toEqual([])
})
