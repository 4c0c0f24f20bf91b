import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { addTemplate, addTerminal } from '#test/collecting'
import type { TestDevice } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a } = tenants

it('returns the warnings of the compiler about the plan of a gateway, with their figures', async () => {
  const device = a.devices[0] as TestDevice
  await addTerminal(sql, device, await addTemplate(sql, a.customerId))
  const lint = [
    { kind: 'busOverloaded', bus: 0, place: 'bus1', share: 1.284, shortestS: 7, easyS: 10 },
    { kind: 'noInterfaces', terminals: [4, 5] },
  ]
  await sql`update collection_states set lint = ${sql.json(lint)} where device_id = ${device.id}`
  type Listed = { list: { deviceSn: string; warnings: unknown[] }[] }
  const { data } = await call<Listed>('monitor/getMonitorDevices', { search: device.sn }, a.admin)
  expect(data?.list[0]?.warnings).toEqual([
    { kind: 'busOverloaded', place: 'bus1', percent: 128, shortestS: 7, terminals: 0 },
    { kind: 'noInterfaces', place: null, percent: null, shortestS: null, terminals: 2 },
  ])
})

it('finds one device by its id, whatever serial numbers contain its own', async () => {
  const [device, other] = a.devices as [TestDevice, TestDevice]
  for (const { id } of [device, other])
    await addTerminal(sql, { ...device, id }, await addTemplate(sql, a.customerId))
  type Listed = { list: { id: number }[]; total: number }
  const { data } = await call<Listed>('monitor/getMonitorDevices', { deviceId: other.id }, a.admin)
  expect(data).toMatchObject({ list: [{ id: other.id }], total: 1 })
})

it('has last reported when its newest value was read, which is no value of a foreign source', async () => {
  const device = a.devices[1] as TestDevice
  const template = await addTemplate(sql, a.customerId)
  const [own, foreign] = [await addTerminal(sql, device, template), await addTerminal(sql, device, template)]
  const at = Date.parse('2026-11-25T03:12:00Z')
  await sql`update collection_states set reported_at = to_timestamp(${at / 1000 - 3600}) where device_id = ${device.id}`
  type Listed = { list: { reportedAt: string | null }[] }
  const reported = async () => {
    const { data } = await call<Listed>('monitor/getMonitorDevices', { search: device.sn }, a.admin)
    return Date.parse(data?.list[0]?.reportedAt ?? '')
  }
  expect(await reported()).toBe(at - 3_600_000)
  await sql`update terminal_latest set at = ${[at - 1000, at]}, vals = '{1,2}' where terminal_id = ${own}`
  expect(await reported()).toBe(at)
  const [project] = await sql`
    insert into projects (customer_id, group_id, name, type) values (${a.customerId}, ${a.groups.root}, 'Plant', 'energy') returning id`
  await sql`
    with account as (
      insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
      values (${a.customerId}, ${project?.['id']}, 'Source', 'neuron', 'south.abcdefghijkl', 'x', '{plant/#}') returning id)
    insert into south_terminals (account_id, source, terminal_id) select id, 'x', ${foreign} from account`
  await sql`update terminal_latest set at = ${[at + 60_000]}, vals = '{1}' where terminal_id = ${foreign}`
  expect(await reported()).toBe(at)
})

it('has the one state of a device: one that never connected is not offline, and is found by that', async () => {
  const device = a.devices[0] as TestDevice
  type Listed = { list: { deviceSn: string; state: string; stateAt: number | null }[] }
  for (const path of ['monitor/getMonitorDevices', 'monitorStatus/getMonitorStatus']) {
    const asked = async (body: object) =>
      (await call<Listed>(path, { search: device.sn, ...body }, a.admin)).data?.list
    await sql`update device_states set online = false, online_changed_at = null where device_id = ${device.id}`
    expect(await asked({ state: 'neverSeen' })).toMatchObject([{ state: 'neverSeen', stateAt: null }])
    expect(await asked({ state: 'offline' })).toEqual([])
    await sql`update device_states set online_changed_at = now() where device_id = ${device.id}`
    expect(await asked({ state: 'offline' })).toMatchObject([{ deviceSn: device.sn, state: 'offline' }])
  }
})
