import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { sayIn } from '#infra/say'
import { hashSecret } from '#infra/secrets'
import type { deviceRow } from '#schema/device/device'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context
type Page = { list: z.output<typeof deviceRow>[]; total: number }

const list = async (body: object, who = a.admin) => {
  const answer = await call<Page>('device/getDeviceList', body, who)
  expect(answer.message).toBe('')
  return { sns: answer.data?.list.map((row) => row.deviceSn) ?? [], ...(answer.data as Page) }
}
const sn = (i: number) => a.devices[i]?.sn ?? ''
const id = (i: number) => a.devices[i]?.id ?? 0

await sql`update devices set name = '100%_Kiosk', imei = '861234567890123', iccid = '89860000001234567890', mac = 'AA:BB:CC:00:11:22' where id = ${id(0)}`
await sql`update device_states set ip = '10.64.3.17', online = true, signal_dbm = -71, last_seen_at = now() where device_id = ${id(0)}`
await sql`update device_states set signal_dbm = -50 where device_id = ${id(1)}`

describe('the device list', () => {
  it('counts pages from 1 and returns the whole total [§2]', async () => {
    const first = await list({ offset: 1, limit: 3 })
    const second = await list({ offset: 2, limit: 3 })
    expect(first.total).toBe(4)
    expect([...first.sns, ...second.sns]).toEqual(a.devices.map((device) => device.sn).sort())
  })

  it.each(['', null])('takes %j as no search and no sort', async (blank) => {
    expect(await list({ search: blank, sort: blank, order: blank })).toEqual(await list({}))
  })

  it.each([
    ['serial number', 'cme-r-0'],
    ['name', 'KIOSK'],
    ['IMEI', '456789012'],
    ['ICCID', '0001234567'],
    ['MAC', 'bb:cc:00'],
    ['address', '10.64.3'],
    ['short text', '%_'],
  ])('finds a part of the %s', async (_what, search) => {
    expect((await list({ search })).sns).toEqual([sn(0)])
  })

  it('names the search that is too long by its label', async () => {
    const chinese = { 'accept-language': 'zh-CN' }
    const answer = await call('device/getDeviceList', { search: 'x'.repeat(101) }, a.admin, chinese)
    expect(answer).toMatchObject({ field: 'search', message: '搜索：最多 100 个字符' })
  })

  it('exact matches come first, then those that end with the text, then those that contain it', async () => {
    await sql`insert into devices (customer_id, group_id, sn, name) values
      (${a.customerId}, ${a.groups.root}, 'NEAR-0000770', 'x'), (${a.customerId}, ${a.groups.root}, 'NEAR-1000077', 'y'),
      (${a.customerId}, ${a.groups.root}, 'NEAR-2', '000077'), (${a.customerId}, ${a.groups.root}, 'NEAR-3', '77')`
    await sql`insert into device_states (device_id, ip) select id, '10.9.0.' || case name when '77' then '8' else '88' end
      from devices where sn like 'NEAR%' on conflict (device_id) do update set ip = excluded.ip`
    expect((await list({ search: '000077', nearest: true })).sns).toEqual([
      'NEAR-2',
      'NEAR-1000077',
      'NEAR-0000770',
    ])
    expect((await list({ search: '10.9.0.8', nearest: true })).sns[0]).toBe('NEAR-3')
    expect((await list({ search: '000077', nearest: true, sort: 'deviceSn' })).sns[0]).toBe('NEAR-0000770')
    await sql`delete from devices where sn like 'NEAR%'`
  })

  it('sorts on the server, unknown values last in both directions', async () => {
    expect((await list({ sort: 'signalDbm', order: 'asc' })).sns.slice(0, 2)).toEqual([sn(0), sn(1)])
    expect((await list({ sort: 'signalDbm', order: 'desc' })).sns.slice(0, 2)).toEqual([sn(1), sn(0)])
    expect((await list({ sort: 'groupName', order: 'asc' })).sns[0]).toBe(sn(1))
  })

  it('returns the state of the SIM and filters by it [§3 Device]', async () => {
    await sql`update devices set sim_state = 'blocked' where id = ${id(1)}`
    const { list: rows, sns } = await list({ sim: 'blocked' })
    expect(sns).toEqual([sn(1)])
    expect(rows[0]?.simState).toBe('blocked')
  })

  it('can be filtered by customer for users who see several; it never shows more', async () => {
    const { sns } = await list({ customerId: b.customerId, limit: 100 }, tenants.superAdmin)
    expect(sns).toEqual(b.devices.map((device) => device.sn).toSorted())
    expect((await list({ customerId: b.customerId })).total).toBe(0)
  })

  it('includes the groups below a group', async () => {
    expect((await list({ groupId: a.groups.root })).total).toBe(3)
    expect((await list({ groupId: a.groups.branch })).total).toBe(2)
  })

  it('filters by state, model and firmware', async () => {
    expect((await list({ online: 'online' })).sns).toEqual([sn(0)])
    expect((await list({ online: 'offline' })).total).toBe(3)
    expect((await list({ model: 'R200', firmware: '1.0.0' })).total).toBe(4)
    expect((await list({ model: 'G300' })).total).toBe(0)
  })

  it('shows a normal user their groups only, a platform user every customer', async () => {
    expect((await list({}, a.viewer)).sns).toEqual([sn(1), sn(2)])
    expect((await list({ search: 'bolt' })).total).toBe(0)
    expect((await list({ limit: 100 }, tenants.systemAdmin)).total).toBe(a.devices.length + b.devices.length)
  })

  it('treats a foreign group like a missing one', async () => {
    const foreign = await call('device/getDeviceList', { groupId: b.groups.root }, a.admin)
    expect(foreign).toEqual(await call('device/getDeviceList', { groupId: 999_999 }, a.admin))
    expect(foreign.code).toBe(sessionRefusals.noPermission.code)
  })

  it('counts today’s traffic, which is unknown for devices that reported none', async () => {
    await sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values
      (${id(0)}, (now() at time zone 'UTC')::date, 1000, 200), (${id(0)}, (now() at time zone 'UTC')::date - 1, 7, 0)`
    await sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values
      (${id(0)}, date_trunc('hour', now(), 'UTC'), 1000, 200), (${id(0)}, date_trunc('day', now(), 'UTC') - interval '1 hour', 7, 0)`
    const { list: rows } = await list({ search: sn(0) })
    expect(rows[0]?.trafficTodayBytes).toBe(1200)
    expect((await list({ search: sn(1) })).list[0]?.trafficTodayBytes).toBeNull()
    const detail = await call<{ traffic: { todayBytes: number; totalBytes: number; days: unknown[] } }>(
      'device/getDeviceDetail',
      { deviceId: id(0) },
      a.admin,
    )
    expect(detail.data?.traffic).toMatchObject({ todayBytes: 1200, totalBytes: 1207 })
    expect(detail.data?.traffic.days.at(-2)).toMatchObject({ rxBytes: 7, txBytes: 0 })
    expect(detail.data?.traffic.days.at(-4)).toMatchObject({ rxBytes: null, txBytes: null })
  })

  it('offers facets of the own devices', async () => {
    expect((await call('device/getDeviceFacets', {}, a.admin)).data).toEqual({
      online: 1,
      offline: 3,
      models: [{ value: 'R200', count: 4 }],
      firmwares: [{ value: '1.0.0', count: 4 }],
    })
  })
})

describe('a device', () => {
  it('that changed owners: an edit of its former owner has neither name nor time', async () => {
    const moved = b.devices[0]?.id ?? 0
    const edit = (who: { username: string }, more: object = {}) =>
      call('device/modifyDevice', { deviceId: moved, deviceName: 'Kiosk', address: 'Street 1', ...more }, who)
    expect((await edit(b.admin)).code).toBe(0)
    await sql`update devices set customer_id = ${a.customerId}, group_id = ${a.groups.root}, owned_since = now() where id = ${moved}`
    expect(await edit(a.admin, { edition: 'long ago' })).toMatchObject({
      code: editionRefusals.changedMeanwhile.code,
      message: sayIn('en-US')(editionRefusals.changedMeanwhile.text, { changedBy: '' }),
      data: { by: null, platform: false, at: null },
    })
    await sql`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root}, owned_since = null where id = ${moved}`
  })

  it('shows everything known of it, positions with their source', async () => {
    const body = { deviceId: id(1) }
    await sql`update device_states set gps_longitude = 113.9, gps_latitude = 22.5 where device_id = ${id(1)}`
    const position = { longitude: 121.5, latitude: 31.2 }
    expect((await call('device/placeDevice', { ...body, position }, a.viewer)).code).toBe(5)
    expect((await call('device/placeDevice', { ...body, position }, a.operator)).code).toBe(0)
    const manual = await call('device/getDeviceDetail', body, a.viewer)
    expect(manual.data).toMatchObject({ positionSource: 'manual', longitude: 121.5, credential: 'pending' })
    await sql`update devices set secret_used_at = now() where id = ${id(1)}`
    expect((await call('device/placeDevice', { ...body, position: null }, a.operator)).code).toBe(0)
    const gps = await call('device/getDeviceDetail', { deviceId: id(1) }, a.viewer)
    expect(gps.data).toMatchObject({
      positionSource: 'gps',
      longitude: 113.9,
      latitude: 22.5,
      credential: 'active',
    })
  })

  it.each([
    { longitude: '', latitude: '' },
    { longitude: null, latitude: 31.2 },
    { longitude: 121.5 },
    { longitude: 180.01, latitude: 0 },
  ])('is not pinned at %j: what is not filled in is not 0°', async (position) => {
    const placed = await call('device/placeDevice', { deviceId: id(1), position }, a.operator)
    expect(placed.code).toBe(sessionRefusals.invalid.code)
  })

  it.each([
    'device/getDeviceDetail',
    'device/rotateDeviceSecret',
    'device/revokeDeviceSecret',
    'device/getPresenceList',
    'device/getDeviceLogList',
    'device/getDeviceTimeline',
    'device/getStatusHistory',
    'device/getStatusChart',
  ])('of another customer is treated like a missing one by %s [threats 21]', async (name) => {
    const foreign = await call(name, { deviceId: b.devices[0]?.id }, a.admin)
    expect(foreign).toEqual(await call(name, { deviceId: 999_999 }, a.admin))
    expect(foreign).toMatchObject({ code: sessionRefusals.noPermission.code, data: null, status: 200 })
  })

  it('is created once of 40 equal requests [threats 29], and only the hash of its secret is stored', async () => {
    const body = { deviceSn: 'NEW-1', deviceName: 'Till 9', address: 'Street 9', groupId: a.groups.branch }
    const answers = await Promise.all(
      Array.from({ length: 40 }, () =>
        call<{ deviceId: number; secret: string }>('device/createDevice', body, a.admin),
      ),
    )
    const made = answers.filter((answer) => answer.code === 0)
    expect(made).toHaveLength(1)
    expect(
      answers.filter((answer) => answer.code === deviceRefusals.snTaken.code && answer.field === 'deviceSn'),
    ).toHaveLength(39)
    const [row] =
      await sql`select secret_hash as hash, customer_id as customer, name from devices where sn = 'NEW-1'`
    expect(row).toEqual({
      hash: hashSecret(made[0]?.data?.secret ?? ''),
      customer: a.customerId,
      name: 'Till 9',
    })
  })

  it('is not created in a foreign group, nor with a serial number that is no topic segment', async () => {
    const named = { deviceName: 'Till', address: 'Street' }
    const create = (body: object) => call('device/createDevice', { ...named, ...body }, a.admin)
    const foreign = await create({ deviceSn: 'NEW-2', groupId: b.groups.root })
    expect(foreign.code).toBe(sessionRefusals.noPermission.code)
    for (const deviceSn of ['a/b', '#', '+', '../x', 'é', ''])
      expect(await create({ deviceSn, groupId: a.groups.root })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'deviceSn',
      })
  })

  it('needs a name and a location [§5 Device]', async () => {
    const modify = (body: object) => call('device/modifyDevice', { deviceId: id(3), ...body }, a.admin)
    expect(await modify({ deviceName: ' ', address: 'x' })).toMatchObject({ field: 'deviceName' })
    expect(await modify({ deviceName: 'x', address: '' })).toMatchObject({ field: 'address' })
    expect(await modify({ deviceName: 'Till 3', address: 'Main Street' })).toMatchObject({ code: 0 })
    const foreign = { deviceId: b.devices[0]?.id, deviceName: 'mine now', address: 'x' }
    expect((await modify(foreign)).code).toBe(sessionRefusals.noPermission.code)
    const [row] = await sql`select name, address from devices where id = ${id(3)}`
    expect(row).toEqual({ name: 'Till 3', address: 'Main Street' })
    const [other] = await sql`select name from devices where id = ${b.devices[0]?.id ?? 0}`
    expect(other?.['name']).not.toBe('mine now')
  })

  it.each([
    ['no name', { address: 'x' }, 'deviceName'],
    ['an empty name', { deviceName: '', address: 'x' }, 'deviceName'],
    ['a name of spaces', { deviceName: ' \u3000\t', address: 'x' }, 'deviceName'],
    ['no location', { deviceName: 'x' }, 'address'],
    ['a location of spaces', { deviceName: 'x', address: '  ' }, 'address'],
  ])('is not added with %s [§5 Device]', async (_what, body, field) => {
    const answer = await call(
      'device/createDevice',
      { deviceSn: 'BLANK-1', groupId: a.groups.root, ...body },
      a.admin,
    )
    expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field })
    expect(answer.message).toMatch(/is required$/)
  })

  it('is disconnected by a new secret: brokers are notified in the same transaction', async () => {
    const told: string[] = []
    await sql.listen('device_credentials', (payload) => told.push(payload))
    await sql`update devices set secret_used_at = now() where id = ${id(2)}`
    const answer = await call<{ secret: string }>('device/rotateDeviceSecret', { deviceId: id(2) }, a.admin)
    const [rotated] =
      await sql`select secret_hash as hash, secret_used_at as used from devices where id = ${id(2)}`
    expect(rotated).toEqual({ hash: hashSecret(answer.data?.secret ?? ''), used: null })
    await call('device/revokeDeviceSecret', { deviceId: id(2) }, a.admin)
    await expect.poll(() => told).toEqual([String(id(2)), String(id(2))])
    const detail = await call('device/getDeviceDetail', { deviceId: id(2) }, a.admin)
    expect(detail.data).toMatchObject({ credential: 'revoked' })
  })
})
