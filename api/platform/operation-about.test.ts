/** The operation log names what was changed, and what was there before. */
import { expect, it, vi } from 'vitest'
import { apiTest } from '#test/api-client'
import { addPackage } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { a, systemAdmin } = tenants
const does = async <T>(name: string, body: object, who: { username: string } = a.admin) => {
  const answer = await call<T>(name, body, who)
  expect(answer.code, `${name}: ${answer.message}`).toBe(0)
  return answer.data as T
}
const last = async (name: string) =>
  (
    await context.sql<{ object: string | null; before: object | null; after: object | null }[]>`
      select object, before, after from operations where call = ${name} order by id desc limit 1`
  )[0]

it('an import logs which devices were added to which groups, a dry run is not logged', async () => {
  const csv = 'sn,name\nLOG-1,One\nLOG-2,Two\nbad sn,Three\n'
  await does('device/importDevices', { csv, dryRun: true, groupId: a.groups.root })
  expect(await last('device/importDevices')).toBeUndefined()
  await does('device/importDevices', { csv, dryRun: false, groupId: a.groups.root })
  expect(await last('device/importDevices')).toMatchObject({
    object: 'LOG-1, LOG-2',
    after: { created: 2, refused: 1, groups: [{ devices: 2 }] },
  })
})

it('a move logs where each device was, but not for a new owner', async () => {
  const [one, two] = a.devices
  const dids = [one?.id, two?.id]
  await does('device/moveDevices', { dids, groupId: a.groups.other })
  const row = await last('device/moveDevices')
  expect(row?.before).toHaveLength(2)
  expect(JSON.stringify(row?.before)).toContain(one?.sn)
  await does('device/moveDevices', { dids, groupId: tenants.b.groups.root }, systemAdmin)
  expect((await last('device/moveDevices'))?.before).toBeNull()
})

it('many devices are named as far as they fit, and the rest is counted', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `LONG-SERIAL-NUMBER-${i}`)
  await does('device/importDevices', {
    csv: ['sn', ...lines].join('\n'),
    dryRun: false,
    groupId: a.groups.root,
  })
  expect((await last('device/importDevices'))?.object).toMatch(/^LONG-SERIAL-NUMBER-0, .* \+\d\d$/)
})

it('an enrolment key is named when it is made and when it ends', async () => {
  const { id } = await does<{ id: number }>('device/createEnrolmentKey', {
    groupId: a.groups.root,
    label: 'depot',
  })
  expect(await last('device/createEnrolmentKey')).toMatchObject({ object: 'depot', after: { maxCount: 100 } })
  await does('device/revokeEnrolmentKey', { id })
  expect((await last('device/revokeEnrolmentKey'))?.object).toBe('depot')
})

it('an upgrade and its package are named to the end, also when they are deleted', async () => {
  const device = a.devices[2]
  await context.sql`update devices set model = 'R200', firmware = '1.0.0', secret_hash = 'x' where id = ${device?.id ?? 0}`
  const { id: spId } = await addPackage(context, { customerId: a.customerId, model: 'R200', version: '9.1' })
  const { taskId } = await does<{ taskId: number }>('levelUp/addLevelUp', {
    name: 'Night',
    spId,
    dids: [device?.id],
  })
  expect(await last('levelUp/addLevelUp')).toMatchObject({ object: 'Night', after: { taskId, devices: 1 } })
  await does('task/cancelTask', { taskId })
  expect(await last('task/cancelTask')).toMatchObject({ object: 'Night', after: { cancelled: 1 } })
  await context.sql`update tasks set status = 'completed' where id = ${taskId}`
  await does('task/deleteTask', { taskId })
  expect(await last('task/deleteTask')).toMatchObject({ object: 'Night', before: { taskId } })
  await does('package/deletePackage', { spId })
  expect(await last('package/deletePackage')).toMatchObject({
    object: 'R200 firmware 9.1',
    before: { model: 'R200' },
  })
})

it('a command and an edit name their device by kind and id, and the device’s log has them', async () => {
  const device = a.devices[3]
  const deviceId = device?.id ?? 0
  await context.sql`update device_states set online = true where device_id = ${deviceId}`
  await does('command/sendCommand', { deviceId, name: 'reboot' })
  await does('device/modifyDevice', { deviceId, deviceName: 'Renamed', address: 'here' })
  const { list } = await does<{ list: { id: number; call: string; object: string }[] }>(
    'log/getOperationList',
    { deviceId, limit: 2 },
  )
  expect(list.map(({ call: name, object }) => [name, object])).toEqual([
    ['device/modifyDevice', device?.sn],
    ['command/sendCommand', device?.sn],
  ])
  expect(await does('log/getOperation', { id: list[0]?.id })).toMatchObject({
    objectKind: 'device',
    objectIds: [String(deviceId)],
    before: { deviceName: `Device ${device?.sn}`, address: null },
    after: { deviceName: 'Renamed', address: 'here' },
  })
})

it('an edit that changes nothing, and an unchanged field, are not logged as a change', async () => {
  const deviceId = a.devices[3]?.id
  await does('device/modifyDevice', { deviceId, deviceName: 'Same', address: 'one' })
  await does('device/modifyDevice', { deviceId, deviceName: 'Same', address: 'two' })
  expect(await last('device/modifyDevice')).toMatchObject({
    before: { address: 'one' },
    after: { address: 'two' },
  })
  expect(Object.keys((await last('device/modifyDevice'))?.after ?? {})).toEqual(['address'])
  await does('device/modifyDevice', { deviceId, deviceName: 'Same', address: 'two' })
  expect(await last('device/modifyDevice')).toMatchObject({ before: null, after: null })
})

it('a changed password is logged, but not its value', async () => {
  const gid = a.groups.branch
  await does('device/modifyGroupName', { gid, name: 'remote-a', password: 'first-pass-1' })
  await does('device/modifyGroupName', { gid, name: 'remote-a', password: 'other-pass-2' })
  const row = await last('device/modifyGroupName')
  expect(row).toMatchObject({ before: { password: '***' }, after: { password: '***' } })
  expect(JSON.stringify(row)).not.toContain('pass-')
})

it('of many edits at once each row contains its own change, not that of another', async () => {
  const deviceId = a.devices[3]?.id
  const names = Array.from({ length: 12 }, (_, i) => `At once ${i}`)
  const address = 'there'
  await Promise.all(names.map((deviceName) => does('device/modifyDevice', { deviceId, deviceName, address })))
  const rows = await context.sql<{ was: string; is: string; asked: string }[]>`
    select before ->> 'deviceName' as was, after ->> 'deviceName' as is, body ->> 'deviceName' as asked from operations
    where call = 'device/modifyDevice' and body ->> 'deviceName' like 'At once %'`
  expect(rows).toHaveLength(names.length)
  expect(rows.filter((row) => row.is !== row.asked)).toEqual([])
  // Each begins where another ended.
  expect(new Set(rows.map(({ was }) => was)).size).toBe(names.length)
})

it('what could not be logged is told by ids in the log of the process: who, from where, and what was changed', async () => {
  const told = vi.spyOn(context.log, 'error')
  // As on a full disk: the change itself still fits.
  await context.sql`alter table operations add constraint full_disk check (call <> 'device/addGroup') not valid`
  try {
    const made = await does<{ gid: number }>('device/addGroup', { groupName: 'Unlogged', cid: a.customerId })
    expect(await last('device/addGroup')).toBeUndefined()
    expect(told).toHaveBeenCalledWith(
      expect.objectContaining({
        call: 'device/addGroup',
        userId: a.admin.id,
        code: 0,
        ip: '127.0.0.1',
        objects: [{ id: String(made.gid) }],
      }),
      'operation not logged',
    )
  } finally {
    await context.sql`alter table operations drop constraint full_disk`
    told.mockRestore()
  }
})
