import { describe, expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { unusualRefusals } from '#schema/device/unusual-refusals'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandRefusals } from '#schema/task/command-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
const { sql } = context
const id = (i: number) => a.devices[i]?.id ?? 0
const sn = (i: number) => a.devices[i]?.sn ?? ''
type Page = { list: Record<string, unknown>[]; total: number }
const unusual = async (body: object = {}, who = a.admin) =>
  (await call<Page>('device/getUnusualList', body, who)).data ?? { list: [], total: -1 }

describe('a deleted device', () => {
  it('needs a reason', async () => {
    const answer = await call('device/deleteDevices', { dids: [id(0)], reason: '  ' }, a.admin)
    expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field: 'reason' })
  })

  it('no device selected is reported [§8]', async () => {
    for (const body of [{}, { dids: [] }, { filter: { search: 'nothing like it' } }])
      expect((await call('device/deleteDevices', { ...body, reason: 'x' }, a.admin)).message).toBe(
        'No device selected',
      )
  })

  it('moves to the abnormal list with reason, who and when, and leaves every other list', async () => {
    const answer = await call('device/deleteDevices', { dids: [id(0)], reason: 'hit by lightning' }, a.admin)
    expect(answer).toMatchObject({ code: 0, data: { dids: [id(0)] } })
    expect(await unusual()).toMatchObject({
      total: 1,
      list: [
        { deviceSn: sn(0), deletedBy: 'acme-admin', deletedReason: 'hit by lightning', replacedBy: null },
      ],
    })
    const list = await call<Page>('device/getDeviceList', { search: sn(0) }, a.admin)
    expect(list.data?.total).toBe(0)
    const detail = await call('device/getDeviceDetail', { deviceId: id(0) }, a.admin)
    expect(detail.data).toMatchObject({ deletedReason: 'hit by lightning' })
    expect((await call('device/getDeviceTimeline', { deviceId: id(0) }, a.admin)).code).toBe(0)
    expect(
      (await call('device/modifyDevice', { deviceId: id(0), deviceName: 'x', address: 'y' }, a.admin)).code,
    ).toBe(5)
  })

  it('keeps its serial number: adding it again points its owner, and no one else, to the abnormal list', async () => {
    const body = { deviceSn: sn(0), deviceName: 'Again', address: 'Street 1', groupId: a.groups.root }
    expect(await call('device/createDevice', body, a.admin)).toMatchObject({
      code: unusualRefusals.snDeleted.code,
      field: 'deviceSn',
    })
    expect(await call('device/createDevice', { ...body, groupId: b.groups.root }, b.admin)).toMatchObject({
      code: deviceRefusals.snTaken.code,
    })
  })

  it('is restored unchanged by users who see it', async () => {
    expect((await call('device/restoreDevices', { dids: [id(0)] }, b.admin)).code).toBe(5)
    expect((await call('device/restoreDevices', { dids: [id(0)] }, a.viewer)).code).toBe(5)
    const answer = await call('device/restoreDevices', { dids: [id(0)] }, a.admin)
    expect(answer.data).toEqual({ restored: 1 })
    expect(await unusual()).toMatchObject({ total: 0 })
    const list = await call<Page>('device/getDeviceList', { search: sn(0) }, a.admin)
    expect(list.data?.list[0]).toMatchObject({ deviceSn: sn(0), groupId: a.groups.root })
  })

  it('does not name platform users to a customer', async () => {
    await call('device/deleteDevices', { dids: [id(0)], reason: 'unpaid' }, systemAdmin)
    expect((await unusual()).list[0]).toMatchObject({ deletedBy: PLATFORM_NAME })
    expect((await unusual({}, systemAdmin)).list[0]).toMatchObject({ deletedBy: 'sys' })
    await call('device/restoreDevices', { dids: [id(0)] }, systemAdmin)
  })

  it('may be selected by a filter, and restored by a filter', async () => {
    const gone = await call<{ dids: number[] }>(
      'device/deleteDevices',
      { filter: { groupId: a.groups.branch }, reason: 'closed' },
      a.admin,
    )
    expect(gone.data?.dids).toEqual([id(1), id(2)])
    expect((await unusual({ search: 'CLOSED', groupId: a.groups.root })).total).toBe(2)
    expect((await unusual({ groupId: a.groups.other })).total).toBe(0)
    const back = await call('device/restoreDevices', { filter: { search: 'closed' } }, a.admin)
    expect(back.data).toEqual({ restored: 2 })
  })

  it('more devices than were confirmed are refused, and nothing is changed', async () => {
    const before = (await unusual()).total
    const filter = { search: sn(1).slice(0, -1) }
    const matching = (await call<Page>('device/getDeviceList', filter, a.admin)).data?.total ?? 0
    expect(matching).toBeGreaterThan(1)
    const grown = { code: commandRefusals.taskGrew.code, field: 'atMost' }
    const remove = (atMost: number) =>
      call<{ dids: number[] }>('device/deleteDevices', { filter, atMost, reason: 'x' }, a.admin)
    expect(await remove(matching - 1)).toMatchObject(grown)
    expect(
      await call('device/moveDevices', { filter, atMost: matching - 1, groupId: a.groups.other }, a.admin),
    ).toMatchObject(grown)
    expect((await unusual()).total).toBe(before)
    const dids = (await remove(matching)).data?.dids ?? []
    expect(dids).toHaveLength(matching)
    for (const path of ['device/purgeDevices', 'device/restoreDevices'])
      expect(await call(path, { filter: {}, atMost: before + matching - 1 }, a.admin)).toMatchObject(grown)
    expect((await unusual()).total).toBe(before + matching)
    expect((await call('device/restoreDevices', { dids, atMost: matching }, a.admin)).code).toBe(0)
  })

  it('one foreign id among own ones changes nothing', async () => {
    const dids = [id(0), b.devices[0]?.id]
    expect((await call('device/deleteDevices', { dids, reason: 'x' }, a.admin)).code).toBe(5)
    expect((await unusual()).total).toBe(0)
  })
})

describe('a purged device', () => {
  it('frees its serial number immediately for another device', async () => {
    expect((await call('device/purgeDevices', { dids: [id(3)] }, a.admin)).code).toBe(5)
    await call('device/deleteDevices', { dids: [id(3)], reason: 'scrapped' }, a.admin)
    expect((await call('device/purgeDevices', { dids: [id(3)] }, a.admin)).data).toEqual({ purged: 1 })
    expect((await unusual()).total).toBe(0)
    expect((await call('device/getDeviceDetail', { deviceId: id(3) }, a.admin)).code).toBe(5)
    expect((await call('device/restoreDevices', { dids: [id(3)] }, a.admin)).code).toBe(5)
    const again = await call(
      'device/createDevice',
      { deviceSn: sn(3), deviceName: 'Again', address: 'Street 3', groupId: a.groups.other },
      a.admin,
    )
    expect(again.code).toBe(0)
    const [operation] =
      await sql`select object, after from operations where call = 'device/purgeDevices' and code = 0`
    expect(operation).toMatchObject({ object: sn(3), after: { purged: true, devices: 1 } })
  })
})

describe('work of a deleted device', () => {
  it('ends with a named state, and what was not sent yet expires', async () => {
    const { id: packageId } = (
      await sql<{ id: number }[]>`
      insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, visibility, synced_at)
      values ('f', '2', 'R200', 'upgrade', 1, 'x', 'x', 'x', 'all', now()) returning id`
    )[0] ?? { id: 0 }
    const [task] = await sql<{ id: number }[]>`
      insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes)
      values ('upgrade', ${a.customerId}, 't', ${packageId}, 'f', 'upgrade', 'R200', '2', 1, 'x', 'x', true, now(), 60) returning id`
    await sql`insert into task_items (id, task_id, device_id, customer_id, step, sending, deadline_at)
      values (gen_random_uuid(), ${task?.id ?? 0}, ${id(1)}, ${a.customerId}, 'upgrading', 'sent', now() + interval '1 hour')`
    await sql`insert into commands (id, device_id, customer_id, name, args, deadline_at)
      values (gen_random_uuid(), ${id(1)}, ${a.customerId}, 'reboot', '{}', now() + interval '1 hour')`
    await call('device/deleteDevices', { dids: [id(1)], reason: 'stolen' }, a.admin)
    const rows = await call<Page>('task/getTaskItems', { taskId: task?.id }, a.admin)
    expect(rows.data?.list[0]).toMatchObject({ outcome: 'cancelled', failureDetail: 'deviceDeleted' })
    const [command] =
      await sql`select state, error, ended_at is not null as ended from commands where device_id = ${id(1)}`
    expect(command).toEqual({ state: 'expired', error: 'deviceDeleted', ended: true })
  })
})
