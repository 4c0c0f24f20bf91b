/** Configuration files on live devices: sent to many, verified, restored, taken back when they cut a device off. */
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TaskFailure, taskFailures } from '#schema/kit/task-kind'
import { addConfigFile, configArchive } from '#test/config-archive'
import {
  addDevices,
  seedTenants,
  simulated,
  TEST_PASSWORD,
  type Tenants,
  type TestDevice,
} from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { until } from './until.ts'
import { completed, itemsOf, stepsIn } from './watch-task.ts'

let booted: Booted
let tenants: Tenants
let fleet: TestDevice[]
let token: string

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.1' })
  tenants = await seedTenants(context)
  const { customerId, groups } = tenants.a
  fleet = await addDevices(context.sql, customerId, groups.root, 'CONF-', 18)
  booted = await bootAll({
    context,
    sim: {
      ...simulated(fleet),
      speed: 20,
    },
  })
  token = await booted.login(tenants.a.admin.username, TEST_PASSWORD)
  await booted.sim?.whenOnline(60_000)
})
afterAll(() => booted?.close())

const device = ({ sn }: TestDevice) => {
  if (!booted.sim) throw new Error('no simulator')
  return booted.sim.device(sn)
}
const call = async <T>(name: string, body: object): Promise<T> => {
  const answer = await booted.call(name, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.message}`)
  return answer.data as T
}
const hostname = (name: string) => `config system\n\toption hostname '${name}'\n`
let made = 0
async function newFile(files: Record<string, string>): Promise<number> {
  const content = await configArchive(files)
  const of = { customerId: tenants.a.customerId, name: `Walk ${++made}`, content }
  return (await addConfigFile(booted.context, of)).id
}
async function send(devices: readonly TestDevice[], spId: number): Promise<number> {
  const dids = devices.map(({ id }) => id)
  const created = await call<{ taskId: number; devices: number }>('configTask/addConfig', {
    name: `Walk ${spId}`,
    spId,
    dids,
  })
  expect(created.devices).toBe(devices.length)
  return created.taskId
}
/** The files that the device uploads as its backup. */
async function backupOf({ id }: TestDevice): Promise<{ backupId: string; files: Map<string, string> }> {
  // A device that has restarted for its new configuration proves it by its hello, a moment before it counts as online.
  await until('the device is online', async () => {
    const [row] = await booted.context.sql<
      { online: boolean }[]
    >`select online from device_states where device_id = ${id}`
    return row?.online === true
  })
  const { backupId } = await call<{ backupId: string }>('backup/createBackup', { deviceId: id })
  await until('the backup is kept', async () => {
    const { list } = await call<{ list: { backupId: string; state: string }[] }>('backup/getBackupList', {
      deviceId: id,
    })
    return list.find((row) => row.backupId === backupId)?.state === 'kept'
  })
  const { files } = await call<{ files: { path: string; text: string | null }[] }>('backup/getBackupFiles', {
    backupId,
  })
  return { backupId, files: new Map(files.map(({ path, text }) => [path, text ?? ''])) }
}
const configHash = async ({ id }: TestDevice) => {
  const [row] = await booted.context.sql<
    { hash: string }[]
  >`select config_hash as hash from devices where id = ${id}`
  return row?.hash
}

it('is uploaded, sent to five devices through the seven steps, and runs on each of them', async () => {
  const archive = await configArchive({ 'etc/config/system': hostname('kiosk'), 'etc/banner': 'hello\n' })
  const query = new URLSearchParams({ fileName: 'kiosk.tar.gz', name: 'Kiosk' })
  const uploaded = await fetch(`${booted.url}/api/configFile/uploadConfigFile?${query}`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/gzip' },
    body: new Uint8Array(archive),
  })
  const { data } = (await uploaded.json()) as { data: { spId: number } }
  const five = fleet.slice(0, 5)
  const before = await Promise.all(five.map(configHash))
  const items = await completed(booted.context, await send(five, data.spId))
  for (const item of items) {
    expect(stepsIn(item)).toEqual([
      'created',
      'sent',
      'connected',
      'downloading',
      'downloaded',
      'upgrading',
      'done',
    ])
    expect(item.outcome).toBe('done')
  }
  const [first] = five
  if (!first) throw new Error('no device')
  const { files } = await backupOf(first)
  expect(files.get('etc/config/system')).toBe(hostname('kiosk'))
  expect(files.get('etc/banner')).toBe('hello\n')
  // What the file does not hold stays.
  expect(files.get('etc/config/network')).toContain("config interface 'lan'")
  expect(await Promise.all(five.map(configHash))).not.toEqual(before)
}, 120_000)

it('sent again, restarts the devices and is proved again, by its own item', async () => {
  const spId = await newFile({ 'etc/config/system': hostname('again') })
  const pair = fleet.slice(0, 2)
  await completed(booted.context, await send(pair, spId))
  const boots = pair.map((one) => device(one).bootId)
  const items = await completed(booted.context, await send(pair, spId))
  expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  for (const [i, one] of pair.entries()) expect(device(one).bootId).not.toBe(boots[i])
}, 120_000)

it('names each of the eleven failures, and none of them changed the configuration', async () => {
  const wanted = new Map<string, TaskFailure>()
  const some = fleet.slice(5, 5 + taskFailures.length)
  for (const [i, failure] of taskFailures.entries()) {
    const one = some[i]
    if (!one) throw new Error('too few devices')
    device(one).failNext(failure)
    wanted.set(one.sn, failure)
  }
  const before = await Promise.all(some.map(configHash))
  const spId = await newFile({ 'etc/config/system': hostname('never') })
  const items = await completed(booted.context, await send(some, spId))
  expect(Object.fromEntries(items.map(({ sn, failure }) => [sn, failure]))).toEqual(
    Object.fromEntries(wanted),
  )
  for (const one of some) await booted.sim?.device(one.sn).network()
  await booted.sim?.whenOnline(60_000)
  expect(await Promise.all(some.map(configHash))).toEqual(before)
}, 120_000)

it('that is no configuration is refused by the device, should the platform ever have let it pass', async () => {
  const [one] = fleet
  if (!one) throw new Error('no device')
  const spId = await newFile({ 'usr/bin/evil': 'x' })
  const [item] = await completed(booted.context, await send([one], spId))
  expect(item).toMatchObject({ outcome: 'failed', failure: 'packageVerifyFailed' })
})

it('that disconnects a device is rolled back by the device itself', async () => {
  const one = fleet[16]
  if (!one) throw new Error('no device')
  const sim = device(one)
  const before = await until('its hello is known', () => configHash(one))
  const taskId = await send([one], await newFile({ 'etc/config/network': 'config interface lan\n' }))
  await until('it restores', async () => (await itemsOf(booted.context, taskId))[0]?.step === 'upgrading')
  // Its network is gone until long after its trial has ended.
  sim.goOffline(22_000)
  const [item] = await completed(booted.context, taskId)
  expect(item).toMatchObject({ outcome: 'failed', failure: 'upgradeFailed' })
  await booted.sim?.whenOnline(60_000)
  expect(await configHash(one)).toBe(before)
}, 120_000)

it('a kept backup gives the device its former settings again', async () => {
  const one = fleet[17]
  if (!one) throw new Error('no device')
  const former = await backupOf(one)
  await completed(
    booted.context,
    await send([one], await newFile({ 'etc/config/system': hostname('other') })),
  )
  expect((await backupOf(one)).files.get('etc/config/system')).toBe(hostname('other'))
  const { taskId } = await call<{ taskId: number }>('configTask/restoreBackup', { backupId: former.backupId })
  const [item] = await completed(booted.context, taskId)
  expect(item?.outcome).toBe('done')
  expect((await backupOf(one)).files).toEqual(former.files)
  expect(await itemsOf(booted.context, taskId)).toHaveLength(1)
}, 120_000)

it('a kept backup restores the certificate and the key that its options name, and never shows the key', async () => {
  const one = fleet[16]
  if (!one) throw new Error('no device')
  const shop = await generate([{ name: 'commonName', value: 'shop' }])
  const [cert, key] = ['/etc/openvpn/client-cert-0a1b2c3d.pem', '/etc/openvpn/client-key-0a1b2c3d.pem']
  const tunnel = `config openvpn 'vpn_client'\n\toption enabled '1'\n\toption cert '${cert}'\n\toption key '${key}'\n`
  const files = { 'etc/config/openvpn': tunnel, [cert.slice(1)]: shop.cert, [key.slice(1)]: shop.private }
  await completed(booted.context, await send([one], await newFile(files)))
  const { backupId, files: shown } = await backupOf(one)
  expect(shown.get(cert.slice(1))).toBe(shop.cert)
  expect(shown.get(key.slice(1))).not.toContain(shop.private.split('\n')[2])
  // As a page does it that gets another certificate.
  await device(one).config.write([cert, key].map((path) => ({ path, text: null })))
  expect(device(one).config.textAt(key)).toBeNull()
  const { taskId } = await call<{ taskId: number }>('configTask/restoreBackup', { backupId })
  const [item] = await completed(booted.context, taskId)
  expect(item?.outcome).toBe('done')
  const { config } = device(one)
  expect([config.textAt(cert), config.textAt(key)]).toEqual([shop.cert, shop.private])
  expect(config.text('openvpn')).toContain(key)
}, 120_000)
