import { expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

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

it.each([
  ['readRegisters', { table: 'holding', address: 0, count: 126 }, 'args.count', '125'],
  ['scanSlaves', { table: 'holding', address: 0, from: 1, to: 33 }, 'args.to', '32'],
  ['scanSlaves', { table: 'holding', address: 0, from: 5, to: 4 }, 'args.to', '5'],
  ['probeRegisters', { table: 'input', unit: 1, from: 100, to: 350 }, 'args.to', '349'],
])('%s is refused when it asks for more than a device has room for: %j', async (name, args, field, bound) => {
  const answer = await send(admin, {
    name,
    args: { kind: 'tcp', host: '192.0.2.9', port: 502, unit: 1, ...args },
  })
  expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field })
  expect(answer.message).toContain(bound)
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

it('number and text of a short message are listed only for users who may send them', async () => {
  await sql`update devices set group_id = ${tenants.a.groups.branch} where id = ${device?.id ?? 0}`
  await sql`
    insert into commands (id, device_id, customer_id, name, args, state, deadline_at, result)
    values (gen_random_uuid(), ${device?.id ?? 0}, ${tenants.a.customerId}, 'sendSms', '{"number":"+8613800138000","text":"secret words"}', 'done', now(), '{"parts":1}')`
  const seen = async (who: { username: string }) =>
    JSON.stringify(
      (await call('command/getCommandList', { deviceId: device?.id, search: 'sendSms' }, who)).data,
    )
  expect(await seen(admin)).toContain('secret words')
  const others = await seen(tenants.a.viewer)
  expect(others).toContain('"name":"sendSms"')
  expect(others).not.toMatch(/secret words|138000/)
})

it('of a former owner is not sent to a device that has another one by now', async () => {
  const id = device?.id ?? 0
  await sql`delete from commands`
  // As the call that moves it, between the last look at the open commands and the end.
  const sent = await meanwhile(sql, send, async (tx) => {
    await tx`select 1 from devices where id = ${id} for update`
    await tx`update devices set customer_id = ${tenants.b.customerId}, group_id = ${tenants.b.groups.root} where id = ${id}`
  })
  expect(sent.code).toBe(sessionRefusals.noPermission.code)
  expect(await sql`select from commands`).toHaveLength(0)
})

it('of a user who sees only one group is not sent to a device that was moved out of it by now', async () => {
  const id = device?.id ?? 0
  await sql`
    update devices set customer_id = ${tenants.a.customerId}, group_id = ${tenants.a.groups.branch} where id = ${id}`
  const sent = await meanwhile(
    sql,
    () => send(tenants.a.operator),
    async (tx) => {
      await tx`select 1 from devices where id = ${id} for update`
      await tx`update devices set group_id = ${tenants.a.groups.root} where id = ${id}`
    },
  )
  expect(sent.code).toBe(sessionRefusals.noPermission.code)
  expect(await sql`select from commands`).toHaveLength(0)
})
