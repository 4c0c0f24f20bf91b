import { expect, it } from 'vitest'
import { hashSecret } from '#infra/secrets'
import { testContext } from '#test/harness'
import { meanwhile } from '#test/meanwhile'
import { addDevices, seedTenants } from '#test/tenants'
import { openCredentials } from './credentials.ts'

it('devices that log in for the first time do not deadlock with others who lock many devices', async () => {
  const context = await testContext()
  const { sql } = context
  const { a } = await seedTenants(context)
  const [low, high] = (await addDevices(sql, a.customerId, a.groups.root, 'FIRST-', 2)).toSorted(
    (one, other) => one.id - other.id,
  )
  if (!low || !high) throw new Error('two devices')
  const hash = hashSecret('secret')
  // By any index that is not that of the ids, the one of the higher id comes first.
  for (const [at, { id }] of [high, low].entries())
    await sql`update devices set secret_hash = ${hash}, secret_used_at = null, firmware = ${`1.0.${at}`} where id = ${id}`
  const { markUsed } = openCredentials(context)
  const rows = await meanwhile(
    sql,
    () => Promise.all([high, low].map(({ sn }) => markUsed(`${sn} ${hash}`))),
    (tx) => tx`select 1 from devices where id = ${low.id} for update`,
    (tx) => tx`select 1 from devices where id = ${high.id} for update`,
  )
  expect(rows).toMatchObject([{ sn: high.sn }, { sn: low.sn }])
})
