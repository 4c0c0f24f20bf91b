import { expect, it } from 'vitest'
import { status as uplink } from '#schema/device/status'
import { testContext } from '#test/harness'
import { seedTenants } from '#test/tenants'
import { status } from './status.ts'

const context = await testContext()
const tenants = await seedTenants(context)
const { sql } = context
const deviceId = tenants.a.devices[0]?.id ?? 0
const { latest } = status
const SECOND = 1_000
const now = Date.now()

/** Written behind: it arrived at a time, and the database gets it later. */
async function writes(configHash: string, arrivedAt: number, at = arrivedAt) {
  const values = latest?.values({ ...uplink.example, configHash } as never)
  await sql.unsafe(latest?.update ?? '', [JSON.stringify([{ ...values, deviceId, at, arrivedAt }])])
}
const known = async () =>
  (await sql`select running_hash as hash from device_configs where device_id = ${deviceId}`)[0]?.['hash']
const knows = (hash: string, readMsAgo: number, helloMsAgo: number) => sql`
  with greeted as (update devices set hello_at = ${new Date(now - helloMsAgo)} where id = ${deviceId})
  insert into device_configs (device_id, level, abilities, running_hash, document_at)
  values (${deviceId}, 1, '[]', ${hash}, ${new Date(now - readMsAgo)})
  on conflict (device_id) do update set running_hash = excluded.running_hash, document_at = excluded.document_at`

it('a configuration that was changed on the device is known from its status', async () => {
  await knows('aa', 60 * SECOND, 90 * SECOND)
  await writes('bb', now - 30 * SECOND)
  expect(await known()).toBe('bb')
})

it('a status from before the last hello or reading does not bring back a former configuration', async () => {
  await knows('cc', 20 * SECOND, 4 * SECOND)
  await writes('bb', now - 5 * SECOND)
  expect(await known()).toBe('cc')
  await knows('dd', 2 * SECOND, 60 * SECOND)
  await writes('cc', now - 3 * SECOND)
  expect(await known()).toBe('dd')
  await writes('ee', now - SECOND)
  expect(await known()).toBe('ee')
})

it('nor does one that the device kept while it was offline', async () => {
  await writes('ff', now, now - 10 * SECOND)
  expect(await known()).toBe('ee')
})

it('a device whose configuration was never read, and which never said hello, is none the less known by it', async () => {
  await sql`update devices set hello_at = null where id = ${deviceId}`
  await sql`update device_configs set document_at = null where device_id = ${deviceId}`
  await writes('aa', now + SECOND)
  expect(await known()).toBe('aa')
})
