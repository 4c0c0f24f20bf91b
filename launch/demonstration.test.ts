/** The demonstration is deleted in one click with everything that belongs to it, and nothing else is deleted. */
import { expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { removeDemonstrationJob } from '#workers/platform/remove-demonstration'
import { rollUpFleetJob } from '#workers/report/roll-up-fleet'
import { rollUpTrafficJob } from '#workers/report/roll-up-traffic'
import { seedDemoAlarms } from './seed-alarms.ts'
import { seedDemo } from './seed-demo.ts'
import { seedPast } from './seed-past.ts'

const { context, call, tenants } = await apiTest()
const { sql } = context
const DEVICES = 10
const start = () => sql.begin((tx) => seedDemo(tx))
const demo = await sql.begin(async (tx) => {
  const made = await seedDemo(tx)
  if (!made) throw new Error('no demonstration')
  await seedDemoAlarms(tx, made.customerId)
  await seedPast({ sql: tx, files: context.files }, made, DEVICES, 1)
  return made
})
const worker = {
  ...context,
  line: { connected: () => true, publish: async () => undefined, close: async () => undefined },
}
await sql`insert into alarm_note_templates (customer_id, text) values (${demo.customerId}, 'Added by a visitor')`
await rollUpTrafficJob.run(worker, {})
await rollUpFleetJob.run(worker, {})

/** Tables with rows of the customer, except the two logs, which are kept. */
async function tablesWithRows(): Promise<string[]> {
  const tables = await sql<{ table: string }[]>`
    select table_name as "table" from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'customer_id' and table_type = 'BASE TABLE' and table_name not in ('operations', 'logins')`
  const found: string[] = []
  for (const { table } of tables) {
    const [row] = await sql`select 1 from ${sql(table)} where customer_id = ${demo.customerId} limit 1`
    if (row) found.push(table)
  }
  return found
}
const remove = (who: { username: string }) => call('customer/deleteDemonstration', {}, who)
const count = async (table: string) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)[0]?.n ?? 0

it('is marked in the list of customers, and deleted by the super administrator alone', async () => {
  const answer = await call<{ list: { name: string; demonstration: boolean }[] }>(
    'customer/getCustomerList',
    {},
    tenants.superAdmin,
  )
  expect(answer.data?.list.filter((row) => row.demonstration)).toMatchObject([{ name: '演示客户' }])
  expect((await remove(tenants.systemAdmin)).code).toBe(sessionRefusals.noPermission.code)
  expect(await tablesWithRows()).toContain('fleet_hours')
})

it('ends its logins immediately and leaves no row of it in any table', async () => {
  const others = await count('devices')
  expect((await remove(tenants.superAdmin)).code).toBe(0)
  expect(await sql`select 1 from users where username like 'demo_%'`).toEqual([])
  // A start before the job has come: no device may enrol with it again.
  expect(await start()).toBe(null)
  await removeDemonstrationJob.run(worker, {})
  expect(await tablesWithRows()).toEqual([])
  expect(await count('devices')).toBe(others - DEVICES)
  for (const table of [
    'status_samples',
    'presence_records',
    'device_hours',
    'traffic_days',
    'alarms',
    'task_events',
    'packages',
  ])
    expect([table, await count(table)]).toEqual([table, 0])
})

it('removes it from the sums over all customers', async () => {
  await rollUpFleetJob.run(worker, {})
  expect(await sql`select 1 from fleet_days where online_s > 0`).toEqual([])
})

it('is not created again by the next start, and cannot be deleted twice', async () => {
  expect(await start()).toBe(null)
  expect((await remove(tenants.superAdmin)).code).toBe(deviceRefusals.notFound.code)
})
