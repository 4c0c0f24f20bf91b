import { expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { admin } = tenants.a
const device = tenants.a.devices[0]
const send = (user = admin, more: object = {}) =>
  call('command/sendCommand', { deviceId: device?.id, name: 'reboot', ...more }, user)

it('[§8] is refused with device not online, and with device does not support this feature, and accepts valid arguments only', async () => {
  expect((await send()).code).toBe(deviceRefusals.deviceOffline.code)
  await sql`update device_states set online = true where device_id = ${device?.id ?? 0}`
  expect((await send(admin, { name: 'melt' })).code).toBe(sessionRefusals.invalid.code)
  expect(await send(admin, { args: { delayS: -1 } })).toMatchObject({
    code: sessionRefusals.invalid.code,
    field: 'args.delayS',
  })
  expect((await send(tenants.b.admin)).code).toBe(sessionRefusals.noPermission.code)
  expect((await send(tenants.a.viewer)).code).toBe(sessionRefusals.noPermission.code)
  await sql`update devices set features = '["other"]' where id = ${device?.id ?? 0}`
  expect((await send()).code).toBe(deviceRefusals.deviceUnsupported.code)
  await sql`update devices set features = null where id = ${device?.id ?? 0}`
  expect(await sql`select 1 from commands`).toHaveLength(0)
})

it('of equal commands at the same time one is accepted', async () => {
  const codes = (await Promise.all(Array.from({ length: 8 }, () => send()))).map(({ code }) => code)
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === deviceRefusals.commandBusy.code)).toHaveLength(7)
  const list = await call('command/getCommandList', { deviceId: device?.id }, admin)
  expect(list.data).toMatchObject({
    total: 1,
    list: [{ name: 'reboot', state: 'queued', args: { delayS: 0 }, createdBy: admin.username }],
  })
})
