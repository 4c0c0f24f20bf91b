/** A change of the configuration of many devices: each gets its own, one takes it back, a template follows its order. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { opsAgainst } from '../ops-run.ts'
import type { TestDevice } from '../tenants.ts'
import { type Fleet, startFleet } from './configured-fleet.ts'

let fleet: Fleet
/** Two routers with a mobile uplink, and a print server whose only uplink is the cable. */
let devices: readonly TestDevice[]

beforeAll(async () => {
  fleet = await startFleet(({ a }) => a.devices.slice(0, 3), ['R200', 'R200', 'P10'])
  devices = fleet.devices
})
afterAll(() => fleet.close())

const ask = <T>(name: string, body: object = {}) => fleet.ask<T>(name, body)
const dids = () => devices.map(({ id }) => id)
type Row = { deviceId: number; configState: string; ended: string | null; templates: string | null }
const rows = async () => (await ask<{ list: Row[] }>('config/getConfigList', { limit: 50 })).list
const rowOf = async (device: TestDevice | undefined) =>
  (await rows()).find(({ deviceId }) => deviceId === device?.id)
const inStep = () =>
  expect
    .poll(async () => (await Promise.all(devices.map(rowOf))).map((row) => row?.configState), {
      interval: 300,
    })
    .toEqual(['inStep', 'inStep', 'inStep'])
const textOf = (device: TestDevice | undefined, name: string) => fleet.own(device).config.text(name) ?? ''
type Task = { status: string; counts?: Record<string, number> }
const ended = async (taskId: number) =>
  expect
    .poll(
      async () =>
        (await fleet.system.context.sql`select status from tasks where id = ${taskId}`)[0]?.['status'],
      {
        timeout: 120_000,
        interval: 300,
      },
    )
    .toBe('completed')
const outcomes = async (taskId: number) =>
  (
    await fleet.system.context.sql`
      select outcome from task_items where task_id = ${taskId} and not superseded order by device_id`
  ).map(({ outcome }) => outcome)

it('each device gets its own packages; what they run already is not sent again', async () => {
  await inStep()
  const pages = { wan: { metric: 37 } }
  expect(await ask('config/getChangeImpact', { dids: dids(), pages })).toMatchObject({
    devices: 3,
    changed: 3,
    // The two routers of the model R200 are connected by their radio.
    onUplink: 1,
    next: null,
  })
  const { taskId } = await ask<Task & { taskId: number }>('config/applyMany', {
    dids: dids(),
    pages,
    name: 'Metric',
  })
  await ended(taskId)
  expect(await outcomes(taskId)).toEqual(['done', 'done', 'done'])
  for (const device of devices) expect(textOf(device, 'network')).toContain("metric '37'")
  await inStep()
  const again = await ask<{ taskId: number }>('config/applyMany', { dids: dids(), pages, name: 'Again' })
  await ended(again.taskId)
  expect(await outcomes(again.taskId)).toEqual(['done', 'done', 'done'])
  const sent = await fleet.system.context
    .sql`select sum(revision)::int as n from device_configs where device_id = any(${dids()})`
  expect(sent[0]?.['n']).toBe(3)
}, 180_000)

it('by ops, of a group: what would change, then the change, waited for to its end', async () => {
  await inStep()
  const home = mkdtempSync(join(tmpdir(), 'iot-ops-'))
  const { token: IOT_TOKEN } = await ask<{ token: string }>('token/createApiToken', { name: 'walk' })
  const file = join(home, 'wan.yaml')
  const ops = (...args: string[]) => opsAgainst(fleet.system.url, home)(['config', ...args], { IOT_TOKEN })
  const [first] = devices
  const [group] = await fleet.system.context.sql`select name from groups where id = ${first?.groupId ?? 0}`
  const to = ['-f', file, '--group', String(group?.['name'])]
  writeFileSync(file, 'wan:\n  metric: 41\n')
  const dry = await ops('apply', ...to, '--dry-run', '-o', 'json')
  expect({ code: dry.code, ...JSON.parse(dry.out) }).toMatchObject({ code: 0, faults: [] })
  const { changed } = JSON.parse(dry.out) as { changed: number }
  expect(changed).toBeGreaterThan(0)
  expect(textOf(first, 'network')).not.toContain("metric '41'")
  const sent = await ops('apply', ...to, '--wait', '--timeout', '100')
  expect(sent.code, sent.err).toBe(0)
  expect(sent.err).toContain('devices')
  // It ends when they run it, not when it is sent.
  expect(devices.filter((device) => textOf(device, 'network').includes("metric '41'"))).toHaveLength(changed)
  writeFileSync(file, 'wan:\n  metric: -1\n')
  const refused = await ops('apply', ...to, '--wait')
  expect(refused.code).toBe(3)
  rmSync(home, { recursive: true })
}, 180_000)

it('a change that disconnects one device is rolled back there and stays on the others', async () => {
  await inStep()
  const { taskId } = await ask<{ taskId: number }>('config/applyMany', {
    dids: dids(),
    pages: {
      wan: { mode: 'static', address: '10.99.0.5', netmask: '255.255.255.0', gateway: '10.99.0.1' },
    },
    name: 'Static WAN',
  })
  await ended(taskId)
  expect(await outcomes(taskId)).toEqual(['done', 'done', 'failed'])
  const [first, , cable] = devices
  expect(textOf(first, 'network')).toContain("ipaddr '10.99.0.5'")
  expect(textOf(cable, 'network')).not.toContain('10.99.0.5')
  await expect.poll(async () => (await rowOf(cable))?.configState).toBe('reverted')
}, 180_000)

const own = (device: TestDevice | undefined) =>
  ask<{ running: Record<string, unknown> }>('config/getConfigPage', {
    deviceId: device?.id,
    page: 'ntp',
  })

it('templates: the customer’s, then the group’s, then the device’s; what was set on a device itself wins', async () => {
  const { groups } = fleet.tenants.a
  const [first, second, third] = devices
  const template = (name: string, values: object, where: object) =>
    ask<{ id: number }>('configTemplate/addConfigTemplate', { name, pages: { ntp: values }, ...where })
  await ask('configVariable/addConfigVariable', {
    name: 'site',
    values: [
      { value: 'everywhere' },
      { groupId: groups.branch, value: 'branch' },
      { deviceSn: third?.sn, value: 'own' },
    ],
  })
  await template('All', { hostname: 'all', servers: ['all.example'] }, { everywhere: true })
  await template('Branch', { hostname: 'host-{{site}}' }, { groupIds: [groups.root] })
  const { id } = await template('Second', { servers: ['second.example'] }, { deviceIds: [second?.id] })
  // The device has been configured one by one: its name is its own.
  await ask('config/saveConfigDraft', { deviceId: first?.id, page: 'ntp', values: { hostname: 'kept' } })
  await ask('config/applyDevice', { deviceId: first?.id })
  await expect.poll(async () => (await own(first)).running['hostname']).toBe('kept')
  expect(
    await ask('configTemplate/getTemplateImpact', {
      id,
      name: 'Second',
      pages: { ntp: { servers: ['other.example'] } },
      deviceIds: [second?.id],
    }),
  ).toMatchObject({ devices: 1, changed: 1, onUplink: 0, next: null })
  const { taskId } = await ask<{ taskId: number }>('config/applyMany', {
    dids: dids(),
    by: 'templates',
    name: 'Templates',
  })
  await ended(taskId)
  expect(await outcomes(taskId)).toEqual(['done', 'done', 'done'])
  const texts = devices.map((device) => textOf(device, 'system'))
  expect(texts.map((text) => /hostname '([^']*)'/.exec(text)?.[1])).toEqual([
    'kept',
    'host-branch',
    'host-own',
  ])
  expect(texts.map((text) => /list server '([^']*)'/.exec(text)?.[1])).toEqual([
    'all.example',
    'second.example',
    'all.example',
  ])
  await expect
    .poll(async () => (await rowOf(second))?.templates, { interval: 300 })
    .toBe('All, Branch, Second')
  await ask('configTemplate/followTemplates', { deviceId: first?.id, page: 'ntp', fields: ['hostname'] })
  const again = await ask<{ taskId: number }>('config/applyMany', {
    dids: dids(),
    by: 'templates',
    name: 'Again',
  })
  await ended(again.taskId)
  expect(textOf(first, 'system')).toContain("hostname 'host-everywhere'")
}, 180_000)
