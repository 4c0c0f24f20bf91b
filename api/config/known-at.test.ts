import { beforeEach, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'

const { context, call, tenants } = await apiTest()
const { sql } = context
const { a } = tenants
const deviceId = a.devices[0]?.id ?? 0

/** Of the page of the device, and of the list. */
async function readAt(): Promise<(string | null | undefined)[]> {
  type Row = { deviceId: number; readAt: string | null }
  const one = await call<Row>('config/getDeviceConfig', { deviceId }, a.admin)
  const all = await call<{ list: Row[] }>('config/getConfigList', { sort: 'readAt' }, a.admin)
  return [one.data?.readAt, all.data?.list.find((row) => row.deviceId === deviceId)?.readAt]
}
const twice = (at: string | null) => [at, at]
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const [read, hello, status] = [hoursAgo(72), hoursAgo(48), hoursAgo(1)]

beforeEach(async () => {
  await configure(context, deviceId)
  await sql`update device_configs set document_at = ${read} where device_id = ${deviceId}`
  await sql`update devices set hello_at = ${hello} where id = ${deviceId}`
  await sql`update device_states set status_at = null where device_id = ${deviceId}`
})

it('what runs is known as of the last message with its hash, not of the last reading', async () => {
  expect(await readAt()).toEqual(twice(hello))
  await sql`update device_states set status_at = ${status} where device_id = ${deviceId}`
  expect(await readAt()).toEqual(twice(status))
})

it('but not while the device runs something else, or was never read', async () => {
  await sql`update device_states set status_at = ${status} where device_id = ${deviceId}`
  await sql`update device_configs set running_hash = ${'0'.repeat(64)} where device_id = ${deviceId}`
  expect(await readAt()).toEqual(twice(read))
  await sql`update device_configs set document_at = null, document = null, document_hash = null where device_id = ${deviceId}`
  expect(await readAt()).toEqual(twice(null))
})

it('a clock that is ahead does not make it the future', async () => {
  await sql`update device_states set status_at = ${hoursAgo(-1)} where device_id = ${deviceId}`
  for (const at of await readAt()) expect(Date.parse(at ?? '')).toBeLessThanOrEqual(Date.now())
})
