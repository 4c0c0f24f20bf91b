import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { DeviceNeed, getDeviceNeeds } from '#schema/device/device-need'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context

const id = (i: number) => a.devices[i]?.id ?? 0
const needs = async (who: { username: string } = a.admin) =>
  new Map(
    (await call<ReplyOf<typeof getDeviceNeeds>>('device/getDeviceNeeds', {}, who)).data?.list.map((row) => [
      row.need,
      row,
    ]),
  )
const count = async (need: DeviceNeed, who?: { username: string }) => (await needs(who)).get(need)?.count
const listed = async (need: DeviceNeed) =>
  (
    await call<{ list: { deviceId: number }[] }>('device/getDeviceList', { need, limit: 100 }, a.admin)
  ).data?.list.map(({ deviceId }) => deviceId)

const connect = (deviceId: number, minutes: number) =>
  sql`insert into presence_records (connection_id, device_id, broker_id, online_at) values (${randomUUID()}, ${deviceId}, 'b', now() - make_interval(mins => ${minutes}))`

await sql`update devices set secret_hash = 'x' where customer_id in ${sql([a.customerId, b.customerId])}`
const [task] = await sql<{ id: number }[]>`
  insert into tasks (customer_id, kind, name, start_at, wait_offline_minutes) values (${a.customerId}, 'upgrade', 'T', now(), 0) returning id`
const item = (deviceId: number, outcome: string, hours: number, customerId = a.customerId) =>
  sql`insert into task_items (id, task_id, device_id, customer_id, step, outcome, step_at, deadline_at)
    values (${randomUUID()}, ${task?.id ?? 0}, ${deviceId}, ${customerId}, 'created', ${outcome}, now() - make_interval(hours => ${hours}), now())`

describe('devices that need a person', () => {
  it('there are none in a healthy fleet', async () => {
    expect([...(await needs()).values()].map((row) => [row.count, row.first])).toEqual(
      Array.from({ length: 6 }, () => [0, []]),
    )
  })

  it('are those without a valid secret, named, and the list shows the same', async () => {
    await sql`update devices set secret_hash = null where id in ${sql([id(0), b.devices[0]?.id ?? 0])}`
    expect((await needs()).get('revoked')).toMatchObject({ count: 1, first: [{ deviceId: id(0) }] })
    expect(await listed('revoked')).toEqual([id(0)])
  })

  it('are those that connected four times within an hour', async () => {
    for (const minutes of [1, 2, 3, 4]) await connect(id(1), minutes)
    for (const minutes of [1, 2, 3, 70]) await connect(id(2), minutes)
    expect(await count('flapping')).toBe(1)
    expect(await listed('flapping')).toEqual([id(1)])
    // Brokers that are restarted in turn take whole fleets along.
    await sql`update presence_records set reason = 'brokerStopped', offline_at = now() where device_id = ${id(1)} and online_at < now() - interval '90 seconds'`
    expect(await count('flapping')).toBe(0)
  })

  it('are those that failed twice, and not since they succeeded', async () => {
    await item(id(0), 'failed', 3)
    await item(id(1), 'failed', 3)
    await item(id(1), 'failed', 2)
    await item(id(2), 'failed', 5)
    await item(id(2), 'failed', 4)
    await item(id(2), 'done', 1)
    await item(id(3), 'failed', 3, b.customerId)
    await item(id(3), 'failed', 2)
    expect(await listed('failedTwice')).toEqual([id(1)])
  })

  it('are those whose configuration differs; a change in progress does not count', async () => {
    const other = b.devices[0]?.id ?? 0
    await sql`insert into device_configs (device_id, level, document_hash, drift, ended, ended_at, item_id) values
      (${id(0)}, 1, 'h', 2, null, null, null), (${id(1)}, 1, 'h', 0, 'reverted', now() - interval '6 days', null),
      (${id(2)}, 1, 'h', 0, 'rejected', now(), ${randomUUID()}), (${id(3)}, 1, 'h', 0, 'confirmed', now(), null),
      (${other}, 1, 'h', 0, 'rejected', now(), null)`
    expect(new Set(await listed('configuration'))).toEqual(new Set([id(0), id(1)]))
    expect(await count('configuration')).toBe(2)
    const inState = async (configState: string) =>
      (
        await call<{ list: { deviceId: number }[] }>('config/getConfigList', { configState }, a.admin)
      ).data?.list.map(({ deviceId }) => deviceId)
    expect(await inState('differs')).toEqual([id(0)])
    // It runs what was set: no one can do anything about a change that was taken back long ago.
    await sql`update device_configs set ended_at = now() - interval '8 days' where device_id = ${id(1)}`
    expect(await listed('configuration')).toEqual([id(0)])
    await sql`update device_configs set level = null where device_id = ${id(3)}`
    expect(await inState('unsupported')).toEqual([id(3)])
  })

  it('are those whose clock is wrong, either way', async () => {
    await sql`update devices set clock_skew_ms = case id when ${id(0)} then -90000 when ${id(1)} then 90000 else 2000 end where customer_id = ${a.customerId}`
    expect(new Set(await listed('clockWrong'))).toEqual(new Set([id(0), id(1)]))
  })

  it('are those with warnings of the last day, of the present owner', async () => {
    await sql`insert into device_warnings (device_id, what, at) values (${id(0)}, 'duplicate', now() - interval '1 hour'),
      (${id(0)}, 'duplicate', now() - interval '2 hours'), (${id(1)}, 'old', now() - interval '2 days'), (${id(2)}, 'foreignTopic', now() - interval '1 hour')`
    await sql`update devices set owned_since = now() where id = ${id(2)}`
    expect(await listed('warned')).toEqual([id(0)])
    expect(await count('warned')).toBe(1)
  })

  it('are counted within the groups of the user', async () => {
    await sql`update devices set secret_hash = null where customer_id = ${a.customerId}`
    expect(await count('revoked')).toBe(a.devices.length)
    expect(await count('revoked', a.viewer)).toBe(2)
  })
})
