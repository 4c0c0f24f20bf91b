/** What starts leave of the demonstration: the first one all or nothing, later ones what users made of it. */
import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { seedRoles } from './seed.ts'
import { seedDemonstration } from './seed-demonstration.ts'

const { sql, files } = await testContext()
await seedRoles(sql)
const env = { SIM_DEVICES: 6, SIM_SEED: 1, SIM_MODBUS_PORT: 0 }
const start = (seen = files) => seedDemonstration({ sql, files: seen }, env, () => undefined)
const count = async (table: string) =>
  (await sql<{ n: number }[]>`select count(*)::int as n from ${sql(table)}`)[0]?.n

it('a first start that is cut off leaves nothing of it, and the next one makes it with its users and its past', async () => {
  const full = () => {
    throw new Error('ENOSPC')
  }
  await expect(start({ ...files, create: full })).rejects.toThrow('ENOSPC')
  for (const table of ['customers', 'groups', 'users', 'contacts', 'devices', 'alarm_rules'])
    expect([table, await count(table)]).toEqual([table, 0])
  const demo = await start()
  expect(demo?.users.map(({ username }) => username)).toEqual(['demo_system', 'demo_admin', 'demo_user'])
  expect(await count('tasks')).toBeGreaterThan(0)
  expect(await count('projects')).toBe(1)
}, 120_000)

it('groups that were renamed or deleted are not made again by the next start', async () => {
  await sql`update groups set name = 'Headquarters' where is_default`
  await sql`update devices set group_id = (select id from groups where is_default)`
  await sql`delete from groups where level = 3`
  const demo = await start()
  const groups = await sql<{ id: number; isDefault: boolean }[]>`
    select id, is_default as "isDefault" from groups order by id`
  expect(groups).toHaveLength(3)
  expect(groups.filter(({ isDefault }) => isDefault)).toHaveLength(1)
  expect(demo).toMatchObject({ groupIds: groups.map(({ id }) => id), users: [], isNew: false })
})
