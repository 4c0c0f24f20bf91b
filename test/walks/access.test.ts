/** A device's secret: revoked within a second; and obtained by the device itself with an enrolment key. */

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDeviceSim } from '#device-sim/start'
import { addDevices, seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { stopwatch } from '../patience.ts'
import { rawDevice } from './raw-device.ts'
import { until } from './until.ts'

let booted: Booted
let tenants: Tenants
let token: string
// A retry needs a device whose secret is still valid, and a key that is not used up.
let tries = 0

beforeAll(async () => {
  const context = await testContext()
  tenants = await seedTenants(context)
  booted = await bootAll({ context })
  token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
})
afterAll(() => booted?.close())

const call = async <T>(name: string, body: object): Promise<T> => {
  const answer = await booted.call(name, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.message}`)
  return answer.data as T
}
const detail = (deviceId: number) =>
  call<{ online: boolean; offlineReason: string | null; credential: string }>('device/getDeviceDetail', {
    deviceId,
  })

it('a revoked or rotated secret disconnects the device within a second and is refused afterwards', async () => {
  const { customerId, groups } = tenants.a
  const [device] = await addDevices(booted.context.sql, customerId, groups.branch, `REVOKED-${++tries}-`, 1)
  if (!device) throw new Error('no device')
  const { sn, secret, id } = device
  const first = await rawDevice(booted.mqttUrl, sn, secret)
  await until('it is online', async () => (await detail(id)).online)
  const untilCut = stopwatch()
  const rotated = await call<{ secret: string }>('device/rotateDeviceSecret', { deviceId: id })
  await until('it is cut', () => first.closedAt(), 30_000, 5)
  expect(untilCut()).toBeLessThan(1000)
  await expect(rawDevice(booted.mqttUrl, sn, secret)).rejects.toThrow()
  const second = await rawDevice(booted.mqttUrl, sn, rotated.secret)
  await until('it is online again', async () => (await detail(id)).online)
  await call('device/revokeDeviceSecret', { deviceId: id })
  await until('it is cut again', () => second.closedAt())
  await expect(rawDevice(booted.mqttUrl, sn, rotated.secret)).rejects.toThrow()
  const after = await until('it is offline', async () => {
    const row = await detail(id)
    return row.online ? null : row
  })
  expect(after).toMatchObject({ offlineReason: 'revoked', credential: 'revoked' })
})

it('devices enrol themselves with a key up to its limit, and keep their secrets when it ends', async () => {
  const { groups } = tenants.a
  const key = await call<{ id: number; key: string }>('device/createEnrolmentKey', {
    groupId: groups.branch,
    label: 'Walk',
    maxCount: 3,
  })
  const options = {
    seed: 7 + ++tries,
    mqttUrl: booted.mqttUrl,
    dataDir: join(booted.context.env.DATA_DIR, `enrol-${tries}`),
    faults: {},
    speed: 50,
    log: booted.context.log,
    models: ['R200'],
  }
  const sim = await startDeviceSim({ ...options, count: 4, enrolmentKey: key.key })
  await until('three are in', () => sim.onlineCount() === 3)
  await sleep(1000)
  expect(sim.onlineCount()).toBe(3)
  const list = await call<{ list: { deviceSn: string; groupId: number; online: boolean; model: string }[] }>(
    'device/getDeviceList',
    { search: sim.devices[0]?.sn.slice(0, 6), limit: 10 },
  )
  const own = list.list.filter(({ deviceSn }) => sim.devices.some(({ sn }) => sn === deviceSn))
  expect(own.filter(({ online }) => online)).toHaveLength(3)
  for (const row of own) expect(row).toMatchObject({ groupId: groups.branch, model: 'R200' })
  await call('device/revokeEnrolmentKey', { id: key.id })
  const enrolled = sim.devices.filter((device) => device.online).map(({ sn }) => sn)
  await sim.close()
  // Started again without any key, using their own secrets.
  const again = await startDeviceSim({
    ...options,
    count: 0,
    fleet: enrolled.map((sn) => ({ sn, model: 'R200' })),
  })
  await again.whenOnline(60_000)
  await again.close()
})
