/** What a device is called, everywhere: the most telling of several states, and its active alarms. */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sayIn } from '#infra/say'
import type { Severity } from '#schema/alarm/alarm-kind'
import type { getDeviceDetail, getDeviceList } from '#schema/device/device'
import type { getDeviceMap } from '#schema/device/device-map'
import { deviceStates } from '#schema/device/device-state'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'
import { addDevices, type TestUser } from '#test/tenants'

const { call, app, token, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context
const fleet = await addDevices(sql, a.customerId, a.groups.branch, 'STATE-', deviceStates.length)
const ids = fleet.map(({ id }) => id)
const idOf = (state: (typeof deviceStates)[number]) => ids[deviceStates.indexOf(state)] ?? 0

await sql`update device_states set online = true, online_changed_at = now() - interval '1 hour' where device_id = any(${ids})`
await sql`update device_states set online = false where device_id in ${sql([idOf('rebooting'), idOf('offline')])}`
await sql`update device_states set online = false, online_changed_at = null where device_id = ${idOf('neverSeen')}`
await sql`update devices set secret_hash = null, longitude = 1, latitude = 1 where id = ${idOf('revoked')}`
await sql`update devices set longitude = 1, latitude = 1 where id = any(${ids})`

async function runTask(deviceId: number, of: { command?: string; percent?: number }): Promise<void> {
  const [task] = await sql<{ id: number }[]>`
    insert into tasks (kind, customer_id, name, command, start_at, wait_offline_minutes)
    values (${of.command ? 'reboot' : 'upgrade'}, ${a.customerId}, 'Run', ${of.command ?? null}, now(), 0) returning id`
  await sql`
    insert into task_items (id, task_id, device_id, customer_id, step, sending, percent, offered_at, deadline_at)
    values (${randomUUID()}, ${task?.id ?? 0}, ${deviceId}, ${a.customerId}, 'downloading', 'sent', ${of.percent ?? null},
      now() - interval '20 seconds', now() + interval '1 hour')`
}
const sendReboot = (deviceId: number, of: { state?: string; delayS?: number; deadline?: string } = {}) => sql`
  insert into commands (id, device_id, customer_id, name, args, state, sent_at, deadline_at)
  values (${randomUUID()}, ${deviceId}, ${a.customerId}, 'reboot', ${sql.json({ delayS: of.delayS ?? 0 })}, ${of.state ?? 'accepted'},
    now() - interval '12 seconds', now() + ${of.deadline ?? '5 minutes'}::interval)`
const raise = (severity: Severity, deviceId: number, of = { customerId: a.customerId, ended: false }) => sql`
  insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at, ended_at)
  values (${of.customerId}, 'Rule', 'offline', ${severity}, ${deviceId}, 'SN', 'Name', ${a.groups.branch}, 'Branch', now(), now(),
    ${of.ended ? context.now() : null})`

await runTask(idOf('upgrading'), { percent: 40 })
// Neither hides the upgrade, during which the device restarts.
await sendReboot(idOf('upgrading'))
await sendReboot(idOf('rebooting'))
await runTask(idOf('revoked'), {})

const list = async (body: object, who: TestUser = a.admin) =>
  (await call<ReplyOf<typeof getDeviceList>>('device/getDeviceList', { search: 'STATE-', ...body }, who)).data
const rowOf = async (deviceId: number, who?: TestUser) =>
  (await list({ limit: 100 }, who))?.list.find((row) => row.deviceId === deviceId)
const detailOf = async (deviceId: number) =>
  (await call<ReplyOf<typeof getDeviceDetail>>('device/getDeviceDetail', { deviceId }, a.admin)).data
const mapped = async () => {
  const headers = { token: await token(a.admin) }
  const answer = await app.inject({ method: 'GET', url: '/api/device/getDeviceMap', headers })
  return answer.json<{ data: ReplyOf<typeof getDeviceMap> }>().data
}
const secondsAgo = (at: number | null | undefined) => Math.floor((Date.now() - (at ?? 0)) / 10_000) * 10

describe.each(deviceStates)('a device that is %s', (state) => {
  it('is called so in the list, its page, the map and the export, and found by that filter', async () => {
    const row = await rowOf(idOf(state))
    expect(row?.state).toBe(state)
    const detail = await detailOf(idOf(state))
    expect([detail?.state, detail?.statePercent]).toEqual([state, row?.statePercent])
    const map = await mapped()
    expect(deviceStates[Number(map.states[map.deviceIds.indexOf(idOf(state))])]).toBe(state)
    const found = await list({ state })
    expect([found?.total, found?.list.map((one) => one.deviceId)]).toEqual([1, [idOf(state)]])
    const file = await app.inject({
      method: 'POST',
      url: '/api/device/exportDevices',
      headers: { token: await token(a.admin) },
      payload: { state, columns: ['deviceSn', 'state'] },
    })
    expect(file.body).toContain(`${row?.deviceSn},${sayIn('zh-CN')(`device-state:${state}`)}`)
  })
})

it('orders the list', async () => {
  const states = async (order: string) => (await list({ sort: 'state', order }))?.list.map((row) => row.state)
  expect(await states('asc')).toEqual(deviceStates)
  expect(await states('desc')).toEqual(deviceStates.toReversed())
})

it('says since when, and how far an upgrade is', async () => {
  const rows = await Promise.all(deviceStates.map((state) => rowOf(idOf(state))))
  expect(rows.map((row) => [row?.state, row?.stateAt === null ? null : secondsAgo(row?.stateAt)])).toEqual([
    ['online', 3600],
    ['rebooting', 10],
    ['upgrading', 20],
    ['offline', 3600],
    ['neverSeen', null],
    ['revoked', expect.any(Number)],
  ])
  expect(rows.map((row) => row?.statePercent)).toEqual([null, null, 40, null, null, null])
})

describe('a device that was sent a restart', () => {
  it.each([
    ['by a task for many', () => runTask(idOf('offline'), { command: 'reboot' }), 'rebooting'],
    [
      'and has not answered by its deadline',
      () => sendReboot(idOf('offline'), { deadline: '-1 second' }),
      'offline',
    ],
    ['and only waits for its turn', () => sendReboot(idOf('offline'), { state: 'queued' }), 'offline'],
    ['later', () => sendReboot(idOf('offline'), { delayS: 600 }), 'offline'],
  ])('%s', async (_, send, state) => {
    await send()
    expect((await rowOf(idOf('offline')))?.state).toBe(state)
    await sql`delete from commands where device_id = ${idOf('offline')}`
    await sql`delete from task_items where device_id = ${idOf('offline')}`
  })
})

describe('active alarms of a device', () => {
  it('are counted with the highest severity, without those that ended or belong to a former owner', async () => {
    await raise('warning', idOf('online'))
    await raise('major', idOf('online'))
    await raise('critical', idOf('online'), { customerId: a.customerId, ended: true })
    await raise('critical', idOf('online'), { customerId: b.customerId, ended: false })
    const own = { alarmSeverity: 'major', alarmCount: 2 }
    expect(await rowOf(idOf('online'))).toMatchObject(own)
    expect(await detailOf(idOf('online'))).toMatchObject({
      ...own,
      activeAlarms: [
        { kind: 'offline', severity: 'major', count: 1 },
        { kind: 'offline', severity: 'warning', count: 1 },
      ],
    })
    expect(await rowOf(idOf('offline'))).toMatchObject({ alarmSeverity: null, alarmCount: 0 })
    const { alarms, deviceIds } = await mapped()
    expect([alarms[deviceIds.indexOf(idOf('online'))], alarms[deviceIds.indexOf(idOf('offline'))]]).toEqual([
      '2',
      '0',
    ])
  })

  it('are not shown to users who may not list alarms', async () => {
    expect(await rowOf(idOf('online'), a.viewer)).toMatchObject({ alarmCount: 2 })
    await sql`update roles set function_ids = array_remove(function_ids, 3300) where id = (select role_id from users where id = ${a.viewer.id})`
    expect(await rowOf(idOf('online'), a.viewer)).toMatchObject({ alarmSeverity: null, alarmCount: 0 })
  })
})
