import { describe, expect, it } from 'vitest'
import type {
  getDeviceAddressList,
  getDeviceInformation,
  getDeviceMap,
  getMapDevice,
} from '#schema/device/device-map'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'

const { call, app, token, tenants, context } = await apiTest({
  MAP_TILE_URL: 'https://t{s}.tiles.example/{z}/{x}/{y}.png?l={lang}',
})
const { a, b } = tenants
const { sql } = context
const id = (i: number) => a.devices[i]?.id ?? 0

await sql`update devices set longitude = 105, latitude = 35 where id in ${sql([id(0), id(2)])}`
await sql`update device_states set gps_longitude = 121.5, gps_latitude = 31.2, online = true where device_id in ${sql([id(0), id(1)])}`
await sql`update device_states set gps_longitude = 121.5 where device_id = ${id(3)}`
await sql`update devices set longitude = 1, latitude = 1 where id = ${b.devices[0]?.id ?? 0}`

const get = async (name: string, who = a.admin, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url: `/api/device/${name}`, headers: { token: await token(who), ...headers } })

describe('the device address list [§7]', () => {
  const places = async (body: object) => {
    const { data } = await call<ReplyOf<typeof getDeviceAddressList>>(
      'device/getDeviceAddressList',
      body,
      a.admin,
    )
    return data ?? { list: [], total: -1 }
  }

  it('contains the devices with a position, a pin before the GPS, never half a pair', async () => {
    const all = await places({})
    expect(
      all.list.map((row) => [row.deviceId, row.deviceLongitude, row.deviceLatitude, row.online]),
    ).toEqual([
      [id(0), 105, 35, true],
      [id(1), 121.5, 31.2, true],
      [id(2), 105, 35, false],
    ])
    expect(all.total).toBe(3)
  })

  it('means by allDevice: 0 offline, 1 online, 2 all, which is the default', async () => {
    expect((await places({ allDevice: 1 })).list.map((row) => row.deviceId)).toEqual([id(0), id(1)])
    expect((await places({ allDevice: '0' })).list.map((row) => row.deviceId)).toEqual([id(2)])
    expect((await places({ allDevice: 2 })).total).toBe(3)
  })

  it('counts pages from 1, up to 100,000 at once [§9]', async () => {
    expect(await places({ offset: 2, limit: 2 })).toMatchObject({ total: 3, list: [{ deviceId: id(2) }] })
    expect((await call('device/getDeviceAddressList', { limit: 100_001 }, a.admin)).code).not.toBe(0)
  })
})

it('user texts are unchanged, although the database writes the JSON', async () => {
  const name = 'a "b" \\ c\n</script> 网关 \u2028'
  await sql`update devices set name = ${name}, address = ${name} where id = ${id(1)}`
  const { data } = await call<{ list: object[] }>('device/getDeviceInfo', { deviceId: id(1) }, a.admin)
  expect(data?.list).toMatchObject([{ deviceName: name, deviceAddress: name }])
})

it('getDeviceInformation returns all of it with GET, and how many have no position', async () => {
  const { data } = (await get('getDeviceInformation')).json<{ data: ReplyOf<typeof getDeviceInformation> }>()
  expect(data).toMatchObject({ total: 3, online: 2, offline: 2, unplaced: 1 })
  expect(data.list[0]).toMatchObject({ deviceSn: a.devices[0]?.sn, deviceLongitude: 105 })
})

it('getDeviceInfo returns devices by id or serial number, but none of others', async () => {
  const body = { deviceIds: [id(3), b.devices[0]?.id], deviceSn: a.devices[0]?.sn }
  const { data } = await call<{ list: object[] }>('device/getDeviceInfo', body, a.admin)
  expect(data?.list).toMatchObject([
    { deviceId: id(0) },
    { deviceId: id(3), deviceLongitude: null, deviceLatitude: null },
  ])
})

describe('a region of the map', () => {
  const inside = async (region: string, who = a.admin) => {
    const { data, code } = await call<{ list: { deviceId: number }[]; total: number }>(
      'device/getDeviceList',
      { region, limit: 50 },
      who,
    )
    return code === 0 ? (data?.list ?? []).map(({ deviceId }) => deviceId).sort((x, y) => x - y) : code
  }
  const square = '104,34 106,34 106,36 104,36'

  it('selects the devices inside, by the pin before the GPS, and none without a position', async () => {
    expect(await inside(square)).toEqual([id(0), id(2)])
    expect(await inside('121,31 122,31 121.5,32')).toEqual([id(1)])
    expect(await inside('0,0 1,0 0,1')).toEqual([])
  })

  it('never selects devices of others', async () => {
    expect(await inside('-180,-90 180,-90 180,90 -180,90', b.admin)).toEqual([b.devices[0]?.id])
    expect(await inside('-180,-90 180,-90 180,90 -180,90')).toEqual([id(0), id(1), id(2)])
  })

  it('refuses what is no region', async () => {
    for (const region of ['1,2 3,4', "1,2 3,4 5,6'", '1,2 3,4 500,6'])
      expect(await inside(region)).not.toEqual([])
  })

  it('selects devices for an action, like every filter', async () => {
    const { data } = await call<{ eligible: number }>(
      'task/previewTask',
      { kind: 'reboot', filter: { region: square } },
      a.admin,
    )
    expect(data).toBeDefined()
  })
})

describe('what the map says about one device', () => {
  const told = async (deviceId: number, who = a.admin) =>
    (await call<ReplyOf<typeof getMapDevice>>('device/getMapDevice', { deviceId }, who)).data

  it('contains its state, alarms, signal and position', async () => {
    await sql`update device_states set signal_dbm = -101 where device_id = ${id(0)}`
    expect(await told(id(0))).toMatchObject({
      deviceSn: a.devices[0]?.sn,
      state: 'online',
      alarmSeverity: null,
      alarmCount: 0,
      signalDbm: -101,
      longitude: 105,
      latitude: 35,
    })
  })

  it('is nothing for a device of others, or one that is not there', async () => {
    expect(await told(b.devices[0]?.id ?? 0)).toBeNull()
    expect(await told(2_000_000_000)).toBeNull()
  })

  it('the layer of weak signal contains the poor ones of own devices, and no others', async () => {
    await sql`update device_states set signal_dbm = -60 where device_id = ${id(1)}`
    await sql`update device_states set signal_dbm = -105 where device_id = ${b.devices[0]?.id ?? 0}`
    const { data } = (await get('getWeakSignals')).json()
    expect(data).toEqual({ longitudes: [10_500_000], latitudes: [3_500_000], dbm: [-101] })
  })
})

describe('the map in columns', () => {
  it('contains the same in arrays', async () => {
    const { data } = (await get('getDeviceMap')).json<{ data: ReplyOf<typeof getDeviceMap> }>()
    expect(data).toMatchObject({
      deviceIds: [id(0), id(1), id(2)],
      longitudes: [10_500_000, 12_150_000, 10_500_000],
      latitudes: [3_500_000, 3_120_000, 3_500_000],
      online: '110',
      unplaced: 1,
    })
  })

  it('returns 304 without a body while nothing changed, and a new response when something did', async () => {
    const first = await get('getDeviceMap')
    const etag = String(first.headers['etag'])
    expect(first.headers).toMatchObject({
      vary: expect.stringContaining('token'),
      'cache-control': 'private, no-cache',
    })
    const second = await get('getDeviceMap', a.admin, { 'if-none-match': etag })
    expect([second.statusCode, second.body]).toEqual([304, ''])
    expect((await get('getDeviceMap', b.admin, { 'if-none-match': etag })).statusCode).toBe(200)
    await sql`update device_states set online = true where device_id = ${id(2)}`
    const third = await get('getDeviceMap', a.admin, { 'if-none-match': etag })
    expect([third.statusCode, third.json().data.online]).toEqual([200, '111'])
  })

  it('lets the console load tiles from the set server and nowhere else', async () => {
    const page = await app.inject({ method: 'GET', url: '/healthz' })
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toContain("img-src 'self' data: blob: https://*.tiles.example;")
    const { data } = await call('device/getMapSettings', {}, a.viewer)
    expect(data).toMatchObject({ tileUrl: expect.stringContaining('{lang}'), datum: 'wgs84', borders: false })
  })
})
