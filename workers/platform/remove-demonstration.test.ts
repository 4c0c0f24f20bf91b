import { expect, it } from 'vitest'
import { openBench } from '#test/worker-bench'
import { histories } from '../device/purge-devices.ts'
import { ownTables } from './remove-demonstration.ts'

const { ctx } = await openBench()

/** Deleted before: devices by removePurged, the rest by the call that deletes the demonstration. */
const before = ['devices', 'users', 'enrolment_keys']

/** Tables with rows that would keep the row that they refer to. */
const keeping = async (table: 'customers' | 'devices') =>
  (
    await ctx.sql<{ name: string }[]>`
      select conrelid::regclass::text as name from pg_constraint
      where contype = 'f' and confrelid = ${table}::text::regclass and confdeltype in ('a', 'r') and conparentid = 0`
  ).map(({ name }) => name)

it('removes the rows of every table that would keep its customer', async () => {
  const removed: readonly string[] = [...before, ...ownTables]
  expect((await keeping('customers')).filter((name) => !removed.includes(name))).toEqual([])
})

it('removes what has no key to its customer and goes with none of its devices, such as mail that was not sent', () => {
  expect(ownTables).toEqual(expect.arrayContaining(['alarm_notices', 'alarm_incidents', 'mails']))
})

it('removes the rows of every table that would keep its devices', async () => {
  // `removeFiled` deletes those with files, and the files; `replaces_id` is cleared.
  const removed: readonly string[] = [...histories, 'device_backups', 'terminal_recordings', 'devices']
  expect((await keeping('devices')).filter((name) => !removed.includes(name))).toEqual([])
})
