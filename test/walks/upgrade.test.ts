/** The main task of the product: an upgrade of a live fleet, with a result for every device. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TaskFailure, taskFailures } from '#schema/kit/task-kind'
import {
  addDevices,
  addPackage,
  seedTenants,
  simulated,
  TEST_PASSWORD,
  type Tenants,
  type TestDevice,
} from '#test/tenants'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { makeArchive } from './make-archive.ts'
import { rawDevice } from './raw-device.ts'
import { until } from './until.ts'
import { completed, itemsOf, stepsIn } from './watch-task.ts'

let booted: Booted
let tenants: Tenants
let fleet: TestDevice[]
let spares: TestDevice[]
let token: string
// Each try of a test has packages of its own.
let version = 10

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.1' })
  tenants = await seedTenants(context)
  const { customerId, groups } = tenants.a
  fleet = await addDevices(context.sql, customerId, groups.root, 'WALK-', 24)
  spares = await addDevices(context.sql, customerId, groups.root, 'RAW-', 6)
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

const sim = () => {
  if (!booted.sim) throw new Error('no simulator')
  return booted.sim
}
const call = async <T>(name: string, body: object): Promise<T> => {
  const answer = await booted.call(name, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.message}`)
  return answer.data as T
}

async function newTask(devices: readonly TestDevice[], more: object = {}): Promise<number> {
  const made = await addPackage(booted.context, {
    customerId: null,
    model: 'R200',
    version: `${version++}.0.0`,
    content: await makeArchive(60_000),
  })
  const created = await call<{ taskId: number; devices: number }>('levelUp/addLevelUp', {
    name: `Walk ${made.id}`,
    spId: made.id,
    dids: devices.map(({ id }) => id),
    ...more,
  })
  expect(created.devices).toBe(devices.length)
  return created.taskId
}

it('uploads a package, upgrades ten devices, and watches each go through the seven steps', async () => {
  const archive = await makeArchive(300_000)
  const own = `9.0.${version++}`
  const query = new URLSearchParams({
    fileName: 'fw.tar.gz',
    name: `Firmware ${own}`,
    version: own,
    model: 'R200',
  })
  const uploaded = await fetch(`${booted.url}/api/package/uploadPackage?${query}`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/gzip' },
    body: new Uint8Array(archive),
  })
  const { data } = (await uploaded.json()) as { data: { spId: number } }
  await until('the package is synced', async () => {
    const { list } = await call<{ list: { spId: number; syncedAt: string | null }[] }>(
      'package/getPackageList',
      {},
    )
    return list.find((row) => row.spId === data.spId)?.syncedAt
  })
  const ten = fleet.slice(0, 10)
  const { taskId } = await call<{ taskId: number }>('levelUp/addLevelUp', {
    name: 'Ten',
    spId: data.spId,
    dids: ten.map(({ id }) => id).join(','),
  })
  const items = await completed(booted.context, taskId)
  expect(items).toHaveLength(10)
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
    expect(sim().device(item.sn).installs(item.id)).toBe(1)
    expect(sim().device(item.sn).firmware).toBe(own)
  }
  const detail = await call<{ counts: object }>('task/getTask', { taskId })
  expect(detail.counts).toMatchObject({ done: 10, failed: 0, total: 10 })
}, 120_000)

it.each(['patch', 'ordinary'] as const)(
  'a package of the type %s is installed without a reboot',
  async (type) => {
    const devices = fleet.slice(0, 3)
    const name = `${type} tool ${version++}`
    const made = await addPackage(booted.context, {
      customerId: null,
      model: 'R200',
      version: '1.0.1',
      type,
      name,
      content: await makeArchive(20_000),
    })
    const { taskId } = await call<{ taskId: number }>('levelUp/addLevelUp', {
      name,
      spId: made.id,
      dids: devices.map(({ id }) => id),
    })
    await completed(booted.context, taskId)
    const items = await itemsOf(booted.context, taskId)
    expect(items.map(({ outcome }) => outcome)).toEqual(devices.map(() => 'done'))
    const found = await booted.context.sql`
    select distinct packages->>${name} as version from devices where id = any(${devices.map(({ id }) => id)})`
    expect(found).toEqual([{ version: '1.0.1' }])
  },
)

it('names each of the eleven failures', async () => {
  const wanted = new Map<string, TaskFailure>()
  for (const [index, failure] of taskFailures.entries()) {
    const device = fleet[10 + index]
    if (!device) throw new Error('too few devices')
    sim().device(device.sn).failNext(failure)
    wanted.set(device.sn, failure)
  }
  const taskId = await newTask(fleet.slice(10, 10 + taskFailures.length))
  const items = await completed(booted.context, taskId)
  expect(Object.fromEntries(items.map(({ sn, failure }) => [sn, failure]))).toEqual(
    Object.fromEntries(wanted),
  )
  const detail = await call<{ failures: { failure: string; count: number }[] }>('task/getTask', {
    taskId,
  })
  expect(new Set(detail.failures.map(({ failure }) => failure))).toEqual(new Set(taskFailures))
  for (const item of items)
    expect(sim().device(item.sn).installs(item.id)).toBe(item.failure === 'upgradeFailed' ? 1 : 0)
}, 120_000)

it('retries the failed of one reason, and the second attempt succeeds', async () => {
  const pair = fleet.slice(21, 23)
  const [first, second] = pair
  sim()
    .device(first?.sn ?? '')
    .failNext('md5Failed')
  sim()
    .device(second?.sn ?? '')
    .failNext('domainError')
  const taskId = await newTask(pair)
  await completed(booted.context, taskId)
  expect(await call('task/retryTask', { taskId, failure: 'md5Failed' })).toEqual({
    retried: 1,
    skipped: 0,
  })
  const items = await completed(booted.context, taskId)
  expect(items.map(({ attempt, outcome, failure }) => ({ attempt, outcome, failure }))).toEqual([
    { attempt: 2, outcome: 'done', failure: null },
    { attempt: 1, outcome: 'failed', failure: 'domainError' },
  ])
  expect(
    sim()
      .device(first?.sn ?? '')
      .installs(items[0]?.id ?? ''),
  ).toBe(1)
  await call('task/deleteTask', { taskId })
})

it('includes a device that comes online in time, and ends one that stays or goes offline as deviceOffline', async () => {
  const [away, late] = spares
  if (!away || !late) throw new Error('no devices')
  // A tenth of these minutes: six seconds.
  const taskId = await newTask([away, late], { waitOfflineMinutes: 1 })
  const device = await rawDevice(booted.mqttUrl, late.sn, late.secret)
  expect(await device.hear('offer')).toMatchObject({ username: late.sn })
  // It has the offer, and never reports again.
  await device.close()
  const items = await completed(booted.context, taskId)
  expect(items.map(({ failure }) => failure)).toEqual(['deviceOffline', 'deviceOffline'])
})

describe('a device with unusual reports', () => {
  it('only moves forward with repeated, reordered and foreign reports, and once', async () => {
    const [, , odd, thief] = spares
    if (!odd || !thief) throw new Error('no devices')
    const device = await rawDevice(booted.mqttUrl, odd.sn, odd.secret)
    const other = await rawDevice(booted.mqttUrl, thief.sn, thief.secret)
    const taskId = await newTask([odd])
    const offer = await device.hear('offer')
    const item = String(offer['item'])
    const standing = async () => (await itemsOf(booted.context, taskId))[0]
    await device.progress(item, 'downloaded')
    await device.progress(item, 'connected')
    await device.progress(item, 'downloading', { percent: 20 })
    await device.progress(item, 'downloaded')
    await other.progress(item, 'failed', { failure: 'md5Failed' })
    await other.progress(item, 'upgrading')
    await until('it is downloaded', async () => (await standing())?.step === 'downloaded')
    await device.progress(item, 'upgrading')
    await device.progress(item, 'done')
    await device.progress(item, 'upgrading')
    await until('it is upgrading', async () => (await standing())?.step === 'upgrading')
    await device.close()
    const back = await rawDevice(booted.mqttUrl, odd.sn, odd.secret, {
      bootId: 'boot-2',
      firmware: String(offer['version']),
    })
    const [row] = await completed(booted.context, taskId)
    expect(row?.outcome).toBe('done')
    expect(row && stepsIn(row).slice(-3)).toEqual(['downloaded', 'upgrading', 'done'])
    await back.progress(item, 'failed', { failure: 'unknownError' })
    await back.close()
    await other.close()
    expect((await standing())?.outcome).toBe('done')
  })

  it('is cancelled before it flashes, informed, and its link ends; flashing locks it', async () => {
    const [, , , , one, two] = spares
    if (!one || !two) throw new Error('no devices')
    const [flashing, loading] = await Promise.all(
      [one, two].map(({ sn, secret }) => rawDevice(booted.mqttUrl, sn, secret)),
    )
    if (!flashing || !loading) throw new Error('no devices')
    const taskId = await newTask([one, two])
    const [a, b] = await Promise.all([flashing.hear('offer'), loading.hear('offer')])
    await flashing.progress(String(a['item']), 'upgrading')
    await loading.progress(String(b['item']), 'downloading', { percent: 5 })
    const url = String(b['url'])
    const basic = Buffer.from(`${b['username']}:${b['password']}`).toString('base64')
    const fetchLink = () => fetch(url, { headers: { authorization: `Basic ${basic}` } })
    expect((await fetchLink()).status).toBe(200)
    await until('both reports are in', async () =>
      (await itemsOf(booted.context, taskId)).every(
        ({ step }) => step === 'upgrading' || step === 'downloading',
      ),
    )
    expect(await call('task/cancelTask', { taskId })).toEqual({ cancelled: 1, locked: 1 })
    expect(await loading.hear('cancel')).toEqual({ item: b['item'] })
    expect((await fetchLink()).status).toBe(410)
    await flashing.close()
    const back = await rawDevice(booted.mqttUrl, one.sn, one.secret, {
      bootId: 'boot-2',
      firmware: String(a['version']),
    })
    const items = await completed(booted.context, taskId)
    expect(items.map(({ outcome }) => outcome)).toEqual(['done', 'cancelled'])
    await back.close()
    await loading.close()
  })
})

it('reboots a device: accepted, offline, back with another boot id, logged', async () => {
  const device = fleet[23]
  if (!device) throw new Error('no device')
  const before = sim().device(device.sn).bootId
  const { commandId } = await call<{ commandId: string }>('command/sendCommand', {
    deviceId: device.id,
    name: 'reboot',
  })
  const done = await until('the command is done', async () => {
    const { list } = await call<{ list: { commandId: string; state: string; endedAt: string }[] }>(
      'command/getCommandList',
      { deviceId: device.id },
    )
    return list.find((row) => row.commandId === commandId && row.endedAt)
  })
  expect(done.state).toBe('done')
  expect(sim().device(device.sn).bootId).not.toBe(before)
  const [operation] = await booted.context.sql`
    select username, device_id, code from operations where call = 'command/sendCommand' order by id desc limit 1`
  expect(operation).toEqual({ username: tenants.a.admin.username, device_id: device.id, code: 0 })
})
