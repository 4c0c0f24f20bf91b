import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'
import { addDevices, addPackage } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { a, b, systemAdmin } = tenants
const { sql } = context
const id = (i: number) => a.devices[i]?.id ?? 0
const sn = (i: number) => a.devices[i]?.sn ?? ''
type Page = { list: Record<string, unknown>[]; total: number }
const move = (body: object, who: { username: string }) => call('device/moveDevices', body, who)

/** Two days of data: everything that a page about the device could show. */
async function live(deviceId: number, customerId: number): Promise<void> {
  const before = sql`now() - interval '1 hour'`
  await sql`update devices set created_at = now() - interval '2 days' where id = ${deviceId}`
  await sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason, ip, transport)
    values (${randomUUID()}, ${deviceId}, 'x', ${before}, now() + interval '1 second', 'revoked', '10.0.0.1', 'tcp')`
  await sql`insert into status_samples (device_id, at, signal_dbm, rx_bytes, tx_bytes) values (${deviceId}, ${before}, -60, 1, 1)`
  await sql`insert into device_logs (device_id, at, boot_id, seq, priority, text) values (${deviceId}, ${before}, 'b', 1, 2, 'secret place')`
  await sql`insert into device_warnings (device_id, at, what) values (${deviceId}, ${before}, 'foreignTopic')`
  await sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values
    (${deviceId}, (now() at time zone 'UTC')::date, 5, 5), (${deviceId}, (now() at time zone 'UTC')::date - 1, 7, 7)`
  await sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values (${deviceId}, date_trunc('hour', now()), 5, 5)`
  await sql`insert into commands (id, device_id, customer_id, name, args, created_at, deadline_at)
    values (${randomUUID()}, ${deviceId}, ${customerId}, 'reboot', '{}', ${before}, now() + interval '1 hour')`
  await sql`update device_states set online = true, online_count = 3, last_login_at = ${before}, ip = '10.0.0.1',
    gps_longitude = 121, gps_latitude = 31 where device_id = ${deviceId}`
  await sql`insert into printers (device_id, local_id, alias, status, status_at, present, method, port, success_count, fail_count)
    values (${deviceId}, 'usb-1', 'secret till', 'ready', ${before}, true, 'usb', '/dev/usb/lp0', 700, 1)`
  await sql`with made as (insert into collection_templates (customer_id, name, type) values (${customerId}, 'secret template', 'other') returning id)
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address, location)
    select ${deviceId}, 'secret meter', id, 'modbusRtu', 1, 'bus1', 'secret place' from made`
}

async function giveTask(deviceId: number, step: string): Promise<number> {
  const made = await addPackage(context, {
    customerId: null,
    model: 'R200',
    version: randomUUID().slice(0, 8),
  })
  const [task] = await sql<{ id: number }[]>`
    insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes, created_by)
    values ('upgrade', ${a.customerId}, 'Acme task', ${made.id}, 'f', 'upgrade', 'R200', '2', 1, 'x', 'x', true, now(), 60, ${a.admin.id}) returning id`
  await sql`insert into task_items (id, task_id, device_id, customer_id, step, sending, deadline_at)
    values (gen_random_uuid(), ${task?.id ?? 0}, ${deviceId}, ${a.customerId}, ${step}, 'sent', now() + interval '1 hour')`
  return task?.id ?? 0
}

const histories = [
  'device/getPresenceList',
  'device/getStatusHistory',
  'device/getDeviceLogList',
  'device/getDeviceTimeline',
  'command/getCommandList',
  'printer/getPrinterList',
  'terminal/getTerminalList',
]
const told = async (who: { username: string }, deviceId: number) => {
  const totals: Record<string, number> = {}
  for (const name of histories) totals[name] = (await call<Page>(name, { deviceId }, who)).data?.total ?? -1
  return totals
}

it('moves to another group of the same customer, and changes nothing else', async () => {
  expect(await move({ dids: [id(1), id(2)], groupId: a.groups.other }, a.admin)).toMatchObject({
    data: { moved: 2, changedCustomer: 0, upgrading: [] },
  })
  const rows = await call<Page>('device/getDeviceList', { groupId: a.groups.other }, a.admin)
  expect(rows.data?.total).toBe(3)
  expect(await move({ filter: { search: '-B-' }, groupId: a.groups.branch }, a.admin)).toMatchObject({
    data: { moved: 2 },
  })
})

it('checks permission and visibility at both ends', async () => {
  const mine = { dids: [id(1)], groupId: a.groups.branch }
  expect((await move(mine, a.operator)).code).toBe(5)
  expect((await move({ ...mine, groupId: b.groups.root }, a.admin)).code).toBe(5)
  expect((await move({ ...mine, dids: [id(1), b.devices[0]?.id] }, a.admin)).code).toBe(5)
})

it('shows a new owner nothing from before the move, in any call', async () => {
  await live(id(0), a.customerId)
  const taskId = await giveTask(id(0), 'downloading')
  await sql`insert into alarm_marks (device_id, iccid, boots) values (${id(0)}, '8986', array[now()])`
  const before = await told(a.admin, id(0))
  for (const name of histories) expect(before[name], name).toBeGreaterThan(0)
  expect((await move({ dids: [id(0)], groupId: b.groups.other }, systemAdmin)).data).toEqual({
    moved: 1,
    changedCustomer: 1,
    upgrading: [],
  })
  // Written by other processes about the last connection, a moment later.
  await sql`insert into device_warnings (device_id, at, what) values (${id(0)}, now() - interval '1 minute', 'foreignTopic')`
  expect(await told(b.admin, id(0))).toEqual(Object.fromEntries(histories.map((name) => [name, 0])))
  expect((await told(systemAdmin, id(0)))['device/getDeviceLogList']).toBe(1)
  const { data } = await call<Record<string, unknown>>('device/getDeviceDetail', { deviceId: id(0) }, b.admin)
  expect(data).toMatchObject({
    customerName: 'Bolt',
    onlineCount: 0,
    lastLoginAt: null,
    ip: null,
    longitude: null,
    trafficTodayBytes: null,
    activeTask: null,
    traffic: { todayBytes: null, monthBytes: null, totalBytes: null },
  })
  const chart = await call<{ signalDbm: unknown[] }>('device/getStatusChart', { deviceId: id(0) }, b.admin)
  expect(chart.data?.signalDbm.every((value) => value === null)).toBe(true)
  const home = await call('home/getHomeChanges', {}, b.admin)
  expect(home.data).toMatchObject({ alarms: { started: 0, ended: 0 }, tasks: { count: 0 } })
  expect(await sql`select from alarm_marks where device_id = ${id(0)}`).toHaveLength(0)
  // The former owner keeps their task, but not the device.
  expect((await call('device/getDeviceDetail', { deviceId: id(0) }, a.admin)).code).toBe(5)
  await sql`update devices set name = 'Bolt kiosk' where id = ${id(0)}`
  const items = await call<Page>('task/getTaskItems', { taskId }, a.admin)
  expect(items.data?.list[0]).toMatchObject({
    outcome: 'cancelled',
    failureDetail: 'deviceMoved',
    deviceName: sn(0),
    online: false,
  })
})

it('never moves a device while it flashes its firmware', async () => {
  await giveTask(id(3), 'upgrading')
  expect((await move({ dids: [id(3)], groupId: b.groups.other }, systemAdmin)).data).toEqual({
    moved: 0,
    changedCustomer: 0,
    upgrading: [sn(3)],
  })
  expect((await move({ dids: [id(3)], groupId: a.groups.root }, a.admin)).data).toMatchObject({ moved: 1 })
})

it('keeps the secret, and notifies brokers in the same transaction', async () => {
  const [before] = await sql<
    { secret: string }[]
  >`select secret_hash as secret from devices where id = ${id(1)}`
  const heard: string[] = []
  const listening = await sql.listen('device_credentials', (payload) => heard.push(payload))
  await move({ dids: [id(1)], groupId: b.groups.root }, systemAdmin)
  await expect.poll(() => heard).toEqual([`moved ${id(1)}`])
  await listening.unlisten()
  const [after] = await sql<
    { secret: string }[]
  >`select secret_hash as secret from devices where id = ${id(1)}`
  expect(after).toEqual(before)
})

it.each([
  ['modifyDevice', { deviceName: 'Ours', address: 'Ours' }, 'edition'],
  ['placeDevice', { position: { longitude: 1, latitude: 1 } }, 'pinEdition'],
  ['rotateDeviceSecret', {}, null],
  ['revokeDeviceSecret', {}, null],
] as const)(
  '%s changes nothing of a device that is given to another customer at the same moment',
  async (name, change, told) => {
    const [device] = await addDevices(sql, a.customerId, a.groups.root, `GIVEN-${name}-`, 1)
    const deviceId = device?.id ?? 0
    const { data } = await call<Record<string, unknown>>('device/getDeviceDetail', { deviceId }, a.admin)
    const read = () => sql`select name, address, longitude, secret_hash from devices where id = ${deviceId}`
    const before = await read()
    const body = { deviceId, ...change, ...(told ? { edition: data?.[told] } : {}) }
    const answer = await meanwhile(
      sql,
      () => call(`device/${name}`, body, a.admin),
      (tx) =>
        tx`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${deviceId}`,
    )
    expect([...(await read())]).toEqual([...before])
    expect(answer.code).toBe(5)
  },
)
