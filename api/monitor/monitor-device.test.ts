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
