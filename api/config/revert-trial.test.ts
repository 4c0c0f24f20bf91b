/** A change on trial that its user abandons at the moment at which it is over. */
import { expect, it } from 'vitest'
import { configRefusals } from '#schema/config/config-refusals'
import { apiTest } from '#test/api-client'
import { configure } from '#test/configured'
import { meanwhile } from '#test/meanwhile'

const { context, call, tenants } = await apiTest()
const { sql } = context
const deviceId = tenants.a.devices[1]?.id ?? 0
const put = (revision: number | null, hash: string) =>
  `pending_revision = ${revision ?? 'null'}, next_hash = '${hash}'`
const stored = () => sql`
  select pending_revision as trial, next_hash as hash from device_configs where device_id = ${deviceId}`

it('abandons the trial that was open, and not the change that was sent after it', async () => {
  await configure(context, deviceId)
  await sql.unsafe(`update device_configs set ${put(5, 'aa')} where device_id = ${deviceId}`)
  const reverted = await meanwhile(
    sql,
    () => call('config/revertTrial', { deviceId }, tenants.a.admin),
    (tx) => tx.unsafe(`update device_configs set ${put(null, 'bb')} where device_id = ${deviceId}`),
  )
  expect(reverted.code).toBe(configRefusals.noTrial.code)
  expect(await stored()).toMatchObject([{ trial: null, hash: 'bb' }])
  await sql.unsafe(`update device_configs set ${put(6, 'bb')} where device_id = ${deviceId}`)
  expect((await call('config/revertTrial', { deviceId }, tenants.a.admin)).code).toBe(0)
  expect(await stored()).toMatchObject([{ trial: 6, hash: null }])
})
