/**
 * A device is deleted, disconnected, refused, restored and back; another takes its place; a third is purged with its
 * history.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDevices, seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { stopwatch } from '../patience.ts'
import { rawDevice } from './raw-device.ts'
import { until } from './until.ts'

let booted: Booted
let tenants: Tenants
let token: string
let platform: string

beforeAll(async () => {
  const context = await testContext()
  tenants = await seedTenants(context)
  booted = await bootAll({ context })
  token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
  platform = await booted.login(tenants.systemAdmin.username, TEST_PASSWORD)
})
afterAll(() => booted?.close())

const call = async <T>(name: string, body: object, who = token): Promise<T> => {
  const answer = await booted.call(name, body, who)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.message}`)
  return answer.data as T
}
let tries = 0
/** Of its own for each try of a test: a retry does not find what the first has deleted. */
const devices = (count: number, name: string) => {
  const { customerId, groups } = tenants.a
  return addDevices(booted.context.sql, customerId, groups.branch, `${name}-${++tries}-`, count)
}
const device = async () => {
  const [found] = await devices(1, 'LIFE')
  if (!found) throw new Error('no device')
  return found
}
const online = (deviceId: number, who = token) =>
  until(
    'it is online',
    async () => (await call<{ online: boolean }>('device/getDeviceDetail', { deviceId }, who)).online,
  )

it('a deleted device is disconnected within a second and refused; restored, it returns with its secret', async () => {
  const { sn, secret, id } = await device()
  const line = await rawDevice(booted.mqttUrl, sn, secret)
  await online(id)
  const untilCut = stopwatch()
  await call('device/deleteDevices', { dids: [id], reason: 'stolen' })
  await until('it is cut', () => line.closedAt(), 30_000, 5)
  expect(untilCut()).toBeLessThan(1000)
  await expect(rawDevice(booted.mqttUrl, sn, secret)).rejects.toThrow()
  await call('device/restoreDevices', { dids: [id] })
  const back = await rawDevice(booted.mqttUrl, sn, secret)
  await online(id)
  back.close()
})

it('many deleted at once are all disconnected by one notification', async () => {
  const two = await devices(2, 'CLOSED')
  const lines = await Promise.all(two.map(({ sn, secret }) => rawDevice(booted.mqttUrl, sn, secret)))
  const untilCut = stopwatch()
  await call('device/deleteDevices', { filter: { search: 'CLOSED-' }, reason: 'branch closed' })
  for (const line of lines) await until('it is cut', () => line.closedAt(), 30_000, 5)
  expect(untilCut()).toBeLessThan(1000)
  await call('device/restoreDevices', { filter: { search: 'branch closed' } })
})

it('a swapped-in machine logs in with the secret shown once, the old one no longer', async () => {
  const { sn, secret, id } = await device()
  const line = await rawDevice(booted.mqttUrl, sn, secret)
  const swapped = await call<{ deviceId: number; secret: string }>('device/swapDevice', {
    deviceId: id,
    deviceSn: `SPARE-${tries}`,
    reason: 'water damage',
  })
  await until('the old one is cut', () => line.closedAt())
  await expect(rawDevice(booted.mqttUrl, sn, secret)).rejects.toThrow()
  const spare = await rawDevice(booted.mqttUrl, `SPARE-${tries}`, swapped.secret)
  await online(swapped.deviceId)
  spare.close()
})

it('a device moved to another customer reconnects with its old secret, and has no history there', async () => {
  const { sn, secret, id } = await device()
  const line = await rawDevice(booted.mqttUrl, sn, secret)
  await online(id)
  await call('device/moveDevices', { dids: [id], groupId: tenants.b.groups.root }, platform)
  await until('it is cut', () => line.closedAt())
  const owner = await booted.login(tenants.b.admin.username, TEST_PASSWORD)
  const again = await rawDevice(booted.mqttUrl, sn, secret)
  await online(id, owner)
  const stays = await call<{ total: number }>('device/getPresenceList', { deviceId: id }, owner)
  expect(stays.total).toBe(1)
  again.close()
})

it('a purged device leaves nothing behind but the operation log', async () => {
  const { sql, files } = booted.context
  const { sn, id } = await device()
  const backup = files.create()
  await new Promise<void>((done) => backup.stream.end('kept', () => done()))
  await backup.keep()
  await sql`insert into device_backups (id, device_id, command_id, link_expires_at, file_key)
    values (gen_random_uuid(), ${id}, gen_random_uuid(), now(), ${backup.key})`
  await sql`insert into status_samples (device_id, at) select ${id}, now() - n * interval '1 second' from generate_series(1, 12000) n`
  await sql`insert into commands (id, device_id, customer_id, name, args, deadline_at)
    values (gen_random_uuid(), ${id}, ${tenants.a.customerId}, 'reboot', '{}', now())`
  await call('device/deleteDevices', { dids: [id], reason: 'scrapped' })
  await call('device/purgeDevices', { dids: [id] })
  const created = await call<{ deviceId: number }>('device/createDevice', {
    deviceSn: sn,
    deviceName: 'Again',
    address: 'Street 1',
    groupId: tenants.a.groups.root,
  })
  expect(created.deviceId).not.toBe(id)
  await until('its rows are gone', async () => {
    const [left] = await sql<{ n: number }[]>`
      select (select count(*) from devices where id = ${id}) + (select count(*) from status_samples where device_id = ${id})
        + (select count(*) from commands where device_id = ${id}) + (select count(*) from presence_records where device_id = ${id}) as n`
    return Number(left?.n) === 0
  })
  expect(await files.size(backup.key)).toBeNull()
})
