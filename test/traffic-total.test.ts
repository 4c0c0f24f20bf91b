/** Retention deletes days; the total traffic of a device stays. */
import { expect, it } from 'vitest'
import { trimHistoryJob } from '#workers/platform/trim-history'
import { apiTest } from './api-client.ts'

const { call, tenants, context } = await apiTest()
const { a, systemAdmin } = tenants
const { sql } = context
const [device, moved] = a.devices

const trim = () =>
  trimHistoryJob.run(
    {
      ...context,
      line: { connected: () => false, publish: async () => undefined, close: async () => undefined },
    },
    {},
  )
const total = async (deviceId: number, who: { username: string }) =>
  (await call<{ traffic: { totalBytes: number | null } }>('device/getDeviceDetail', { deviceId }, who)).data
    ?.traffic.totalBytes
const count = (deviceId: number, daysAgo: number, bytes: number) => sql`
  insert into traffic_days (device_id, day, rx_bytes, tx_bytes)
  values (${deviceId}, (now() at time zone 'UTC')::date - ${daysAgo}::int, ${bytes}, 1)`
const daysKept = async () => (await sql`select 1 from traffic_days`).length

it('the total traffic of a device is the same after its old days are deleted, however often', async () => {
  const id = device?.id ?? 0
  for (const [days, bytes] of [
    [0, 10],
    [729, 20],
    [731, 40],
    [2000, 80],
  ] as const)
    await count(id, days, bytes)
  expect(await total(id, a.admin)).toBe(154)
  await trim()
  expect(await daysKept()).toBe(2)
  expect(await total(id, a.admin)).toBe(154)
  await trim()
  // A day that is counted late is handled in the same way.
  await count(id, 900, 160)
  await trim()
  expect(await daysKept()).toBe(2)
  expect(await total(id, a.admin)).toBe(315)
  await sql`delete from traffic_days`
})

it('deleted traffic stays with its former owner', async () => {
  const id = moved?.id ?? 0
  await sql`update devices set owned_since = now() - interval '800 days' where id = ${id}`
  await count(id, 900, 10)
  await count(id, 800, 20)
  await count(id, 790, 40)
  await trim()
  expect(await daysKept()).toBe(0)
  expect(await total(id, a.admin)).toBe(41)
  expect(await total(id, systemAdmin)).toBe(73)
  await sql`update devices set owned_since = now() - interval '1 day' where id = ${id}`
  expect(await total(id, a.admin)).toBeNull()
  expect(await total(id, systemAdmin)).toBe(73)
})
