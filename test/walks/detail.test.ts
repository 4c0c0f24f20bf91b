/** A device reports its parts; services, backups, resets and logs go all the way to it and back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimDevice } from '#device-sim/start'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { seedTenants, TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { until } from './until.ts'

type Row = Record<string, unknown>
let system: Booted
let tenants: Tenants
let token: string
let device: TestDevice
let sim: SimDevice

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.2' })
  tenants = await seedTenants(context)
  device = tenants.a.devices[0] as TestDevice
  system = await bootAll({
    context,
    sim: {
      fleet: [{ sn: device.sn, model: 'R200' }],
      secrets: { [device.sn]: device.secret },
      speed: 50,
      statusEveryS: 5,
    },
  })
  token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  sim = system.sim?.device(device.sn) as SimDevice
  await system.sim?.whenOnline(60_000)
  await ready()
})
afterAll(() => system.close())

/** About the device, unless the body names a backup of it. */
async function data<T = Row>(name: string, body: Row = {}): Promise<T> {
  const about = 'backupId' in body ? {} : { deviceId: device.id }
  const answer = await system.call(name, { ...about, ...body }, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.code} ${answer.message}`)
  return answer.data as T
}
/** Online, and hello sent on this connection. */
const ready = () =>
  until('the device is ready', async () => {
    const { online, helloAt, lastLoginAt } = await data<Row>('device/getDeviceDetail')
    return online && String(helloAt) >= String(lastLoginAt)
  })
type Sections = Record<string, { at: string; value: never } | null>
const section = <T>(name: string, holds: (value: T) => boolean = () => true) =>
  until(`the section ${name}`, async () => {
    const told = (await data<Sections>('device/getDeviceSections'))[name]
    return told && holds(told.value as T) ? (told.value as T) : null
  })
async function order(name: string, args: Row = {}): Promise<Row> {
  const { commandId } = await data<{ commandId: string }>('command/sendCommand', { name, args })
  return until(`the end of ${name}`, async () => {
    const { list } = await data<{ list: Row[] }>('command/getCommandList', { limit: 20 })
    const mine = list.find((row) => row['commandId'] === commandId)
    return mine?.['endedAt'] ? mine : null
  })
}
type Service = { name: string; state: string }
const stateOf = (name: string, state: string) => (list: Service[]) =>
  list.some((one) => one.name === name && one.state === state)
async function backUp(remark: string): Promise<string> {
  await ready()
  const { backupId } = await data<{ backupId: string }>('backup/createBackup', { remark })
  await until('the backup', async () => {
    const { list } = await data<{ list: Row[] }>('backup/getBackupList')
    return list.find((row) => row['backupId'] === backupId)?.['state'] === 'kept'
  })
  return backupId
}

it('reports its sections after hello, and the platform stores them with their age', async () => {
  expect(await section<Row[]>('mobile')).toMatchObject([
    { slot: 1, active: true },
    { slot: 2, active: false },
  ])
  expect(await section<Row>('lan')).toMatchObject({ dhcp: true })
  expect((await section<Row[]>('wifi')).length).toBeGreaterThan(0)
  expect((await section<Row[]>('remote')).map(({ name }) => name)).toContain('ssh')
  const told = (await data<Sections>('device/getDeviceSections'))['station']
  expect(Date.now() - Date.parse(told?.at ?? '')).toBeLessThan(60_000)
})

it('[§2 system services] starts, stops and restarts a service; the device reports the state', async () => {
  await section('services', stateOf('ntpd', 'running'))
  expect(await order('controlService', { name: 'ntpd', action: 'stop' })).toMatchObject({
    state: 'done',
    result: { state: 'stopped' },
  })
  await section('services', stateOf('ntpd', 'stopped'))
  expect(await order('controlService', { name: 'ntpd', action: 'start' })).toMatchObject({ state: 'done' })
  await section('services', stateOf('ntpd', 'running'))
  expect(await order('controlService', { name: 'iot-agent', action: 'stop' })).toMatchObject({
    state: 'failed',
  })
  expect(await order('controlService', { name: 'nothing', action: 'stop' })).toMatchObject({
    state: 'failed',
  })
})

it('refuses targets that are options, paths or shell syntax before anything is sent to a device', async () => {
  const given = ['-f', '--help', 'a;reboot', 'a b', '$(id)', '../x', 'a|b', '`id`', 'x'.repeat(300), '']
  const codes = await Promise.all(
    given.map(
      async (target) =>
        (
          await system.call(
            'command/sendCommand',
            { deviceId: device.id, name: 'ping', args: { target } },
            token,
          )
        ).code,
    ),
  )
  expect(codes.every((code) => code !== 0)).toBe(true)
})

it('treats a silent host and an unknown name as results', async () => {
  expect(await order('ping', { target: '192.0.2.1' })).toMatchObject({
    state: 'done',
    result: { received: 0, sent: 4 },
  })
  expect(await order('lookUp', { name: 'nowhere.invalid' })).toMatchObject({
    state: 'done',
    result: { status: 'noSuchName' },
  })
})

it('lets no user send a platform command: a backup is sent nowhere else', async () => {
  for (const name of ['uploadBackup', 'setSchedule', 'scheduledReboot'])
    expect(
      (await system.call('command/sendCommand', { deviceId: device.id, name, args: {} }, token)).code,
    ).not.toBe(0)
})

it('[§2 switch-card record] keeps changes of the SIM', async () => {
  await sim.radio.change('signal')
  await until('the record', async () => (await data<{ total: number }>('device/getSimSwitchList')).total > 0)
  expect(await data('device/getSimSwitchList')).toMatchObject({
    list: [{ from: 1, to: 2, reason: 'signal' }],
  })
  await section<Row[]>('mobile', (slots) => slots[1]?.['active'] === true)
  const { list } = await data<{ list: Row[] }>('device/getDeviceTimeline', { kinds: ['sim'] })
  expect(list).toMatchObject([{ what: 'signal', detail: expect.stringContaining('1 → 2') }])
})

it('[§9 log priorities] fetches the log, and filters by any of the seven', async () => {
  for (const priority of ['info', 'fatal', 'emergency'] as const)
    sim.note(priority, 'walk', `a line of ${priority}`)
  expect(await order('fetchLogs', { least: 'info', lines: 50 })).toMatchObject({ state: 'done' })
  await until('the lines', async () => {
    const { total } = await data<{ total: number }>('device/getDeviceLogList', { search: 'a line of' })
    return total === 3
  })
  const { list } = await data<{ list: Row[] }>('device/getDeviceLogList', {
    priorities: ['info', 'emergency'],
    search: 'a line of',
  })
  expect(list.map(({ priority }) => priority).toSorted()).toEqual(['emergency', 'info'])
})

describe('backup and factory reset', () => {
  it('uploads its configuration, loses it in a reset, and keeps its identity', async () => {
    const before = await backUp('before')
    const secret = sim.row.secret
    const hash = sim.config.hash
    expect(await order('factoryReset', { keepNetwork: true })).toMatchObject({ state: 'done' })
    expect(sim.row.secret).toBe(secret)
    expect(sim.config.hash).not.toBe(hash)
    const after = await backUp('after')
    type Files = { files: { path: string; text: string | null }[] }
    const text = async (backupId: string, path: string) =>
      (await data<Files>('backup/getBackupFiles', { backupId })).files.find((file) => file.path === path)
        ?.text
    expect(await text(before, 'etc/config/wireless')).toContain('psk2')
    expect(await text(after, 'etc/config/wireless')).toContain("encryption 'none'")
    // The network settings were kept.
    expect(await text(after, 'etc/config/network')).toContain('iot.private')
  })

  it('returns a backup only to its customer, and never its link', async () => {
    const { list } = await data<{ list: Row[] }>('backup/getBackupList')
    const backupId = list[0]?.['backupId']
    const stranger = await system.login(tenants.b.admin.username, TEST_PASSWORD)
    for (const name of ['downloadBackup', 'getBackupFiles', 'deleteBackup'])
      expect((await system.call(`backup/${name}`, { backupId }, stranger)).code).toBe(5)
    const { list: commands } = await data<{ list: Row[] }>('command/getCommandList', {
      search: 'uploadBackup',
    })
    expect(JSON.stringify(commands)).not.toContain('sig=')
    await data('backup/deleteBackup', { backupId })
    expect((await system.call('backup/getBackupFiles', { backupId }, token)).code).toBe(5)
  })
})
