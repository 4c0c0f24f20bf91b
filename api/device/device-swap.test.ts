import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { unusualRefusals } from '#schema/device/unusual-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'
import { addDevices, addPackage } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context
const id = (i: number) => a.devices[i]?.id ?? 0
const sn = (i: number) => a.devices[i]?.sn ?? ''
type Swapped = { deviceId: number; secret: string | null; tasks: number }
const swap = (deviceId: number, deviceSn: string, who = a.admin) =>
  call<Swapped>('device/swapDevice', { deviceId, deviceSn, reason: 'broken screen' }, who)
const detail = async (deviceId: number) =>
  (await call<Record<string, unknown>>('device/getDeviceDetail', { deviceId }, a.admin)).data

it('refuses the same serial number, a foreign one, and one among the abnormal devices', async () => {
  expect(await swap(id(0), sn(0))).toMatchObject({ code: unusualRefusals.swapSame.code, field: 'deviceSn' })
  expect((await swap(id(0), b.devices[0]?.sn ?? '')).code).toBe(deviceRefusals.snTaken.code)
  await call('device/deleteDevices', { dids: [id(3)], reason: 'x' }, a.admin)
  expect((await swap(id(0), sn(3))).code).toBe(unusualRefusals.snDeleted.code)
  expect((await swap(id(1), 'NEW-0', a.operator)).code).toBe(5)
  expect(await detail(id(0))).toMatchObject({ deletedAt: null, replacedBy: null })
})

it('a brand-new serial number inherits group, name, location and pending tasks', async () => {
  await sql`update devices set name = 'Gate 4', address = 'North gate', longitude = 121, latitude = 31 where id = ${id(0)}`
  const made = await addPackage(context, { customerId: null, model: 'R200', version: '2.0.0' })
  for (const sending of ['none', 'sent'])
    await sql`
      with t as (insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes)
        values ('upgrade', ${a.customerId}, ${sending}, ${made.id}, 'f', 'upgrade', 'R200', '2.0.0', 1, 'x', 'x', true, now(), 60) returning id)
      insert into task_items (id, task_id, device_id, customer_id, sending, deadline_at)
      select gen_random_uuid(), id, ${id(0)}, ${a.customerId}, ${sending}, now() + interval '1 hour' from t`
  await sql`insert into schedules (device_id, customer_id, enabled, kind, time, weekdays, time_zone, confirmed_revision)
    values (${id(0)}, ${a.customerId}, true, 'daily', '03:00', '{}', 'UTC', 1)`
  const answer = await swap(id(0), 'NEW-1')
  expect(answer).toMatchObject({ code: 0, data: { secret: expect.stringMatching(/^[\w-]{43}$/), tasks: 1 } })
  const to = answer.data?.deviceId ?? 0
  expect(await detail(to)).toMatchObject({
    deviceSn: 'NEW-1',
    deviceName: 'Gate 4',
    address: 'North gate',
    groupId: a.groups.root,
    longitude: 121,
    replaces: { deviceId: id(0), deviceSn: sn(0) },
    activeTask: { name: 'none' },
  })
  expect(await detail(id(0))).toMatchObject({
    deletedReason: 'broken screen',
    replacedBy: { deviceId: to, deviceSn: 'NEW-1' },
  })
  const items = await sql`select outcome, failure_detail from task_items where device_id = ${id(0)}`
  expect([...items]).toEqual([{ outcome: 'cancelled', failure_detail: 'deviceReplaced' }])
  const kept = await sql`select confirmed_revision from schedules where device_id = ${to}`
  expect([...kept]).toEqual([{ confirmed_revision: 0 }])
  const list = await call<{ list: unknown[] }>('device/getUnusualList', { search: sn(0) }, a.admin)
  expect(list.data?.list).toMatchObject([{ replacedBy: 'NEW-1' }])
})

it('a registered one that never logged in gets a new secret; one in use keeps its own', async () => {
  const fresh = await swap(id(1), sn(2))
  expect(fresh.data).toMatchObject({ deviceId: id(2), secret: expect.any(String) })
  expect(await detail(id(2))).toMatchObject({ groupId: a.groups.branch, replaces: { deviceSn: sn(1) } })
  const created = await call<{ deviceId: number }>(
    'device/createDevice',
    { deviceSn: 'WORKS', deviceName: 'Spare', address: 'Works', groupId: a.groups.other },
    a.admin,
  )
  await sql`update devices set secret_used_at = now() where id = ${created.data?.deviceId ?? 0}`
  const [{ id: broken } = { id: 0 }] = await sql<{ id: number }[]>`select id from devices where sn = 'NEW-1'`
  expect((await swap(broken, sn(2))).code).toBe(unusualRefusals.swapTaken.code)
  expect((await swap(broken, 'WORKS')).data).toMatchObject({ secret: null })
})

it('a machine of known model takes over what is for any model, but no configuration that was made for the old machine', async () => {
  const make = async (deviceSn: string) =>
    (
      await call<{ deviceId: number }>(
        'device/createDevice',
        { deviceSn, deviceName: deviceSn, address: 'Works', groupId: a.groups.root },
        a.admin,
      )
    ).data?.deviceId ?? 0
  const [broken, spare] = [await make('OLD-7'), await make('SPARE-7')]
  await sql`update devices set model = 'R200' where id = ${spare}`
  for (const [name, args] of [
    ['any', null],
    ['made for it', sql.json({ packages: [] })],
  ] as const)
    await sql`
      with t as (insert into tasks (kind, customer_id, name, start_at, wait_offline_minutes)
        values ('config', ${a.customerId}, ${name}, now(), 60) returning id)
      insert into task_items (id, task_id, device_id, customer_id, deadline_at, args)
      select gen_random_uuid(), id, ${broken}, ${a.customerId}, now() + interval '1 hour', ${args} from t`
  expect((await swap(broken, 'SPARE-7')).data).toMatchObject({ tasks: 1 })
  const items = await sql`
    select t.name, i.outcome from task_items i join tasks t on t.id = i.task_id where i.device_id in (${broken}, ${spare}) order by 1`
  expect([...items]).toEqual([
    { name: 'any', outcome: null },
    { name: 'made for it', outcome: 'cancelled' },
  ])
})

it('a machine that was prepared keeps what it has, and takes over all rules, windows and equipment of the place that it lacks', async () => {
  const made = async (deviceSn: string) =>
    (
      await call<{ deviceId: number }>(
        'device/createDevice',
        { deviceSn, deviceName: deviceSn, address: 'Works', groupId: a.groups.root },
        a.admin,
      )
    ).data?.deviceId ?? 0
  const [broken, spare] = [await made('OLD-8'), await made('SPARE-8')]
  const [template] = await sql<{ id: number }[]>`
    insert into collection_templates (customer_id, name, type) values (${a.customerId}, 'Meter', 'equipment') returning id`
  const terminal = (deviceId: number, name: string, slaveId: number, baudRate: number) => sql`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address, serial_port, baud_rate, parity, data_bits, stop_bits)
    values (${deviceId}, ${name}, ${template?.id ?? 0}, 'modbusRtu', ${slaveId}, '127.0.0.1', 1, ${baudRate}, 'none', 8, 1)`
  await terminal(spare, 'bench', 1, 9_600)
  await terminal(broken, 'First', 1, 19_200)
  await terminal(broken, 'Second', 2, 19_200)
  await terminal(broken, 'BENCH', 3, 19_200)
  for (const [name, ids] of [
    ['both', [broken, spare]],
    ['place', [broken]],
    ['machine', [spare]],
  ] as const)
    await sql`
      with r as (insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
          values (${a.customerId}, ${name}, 'offline', 'minor', 'devices', 'UTC', 'en-US', '', '') returning id),
        m as (insert into maintenances (customer_id, name, scope, repeats, time_zone, starts_at, ends_at)
          values (${a.customerId}, ${name}, 'devices', 'once', 'UTC', now(), now() + interval '1 hour') returning id),
        w as (insert into maintenance_devices (maintenance_id, device_id) select m.id, x from m, unnest(${[...ids]}::int[]) x)
      insert into alarm_rule_devices (rule_id, device_id) select r.id, x from r, unnest(${[...ids]}::int[]) x`
  expect((await swap(broken, 'SPARE-8')).code).toBe(0)
  const rules = await sql`
    select r.name from alarm_rules r join alarm_rule_devices x on x.rule_id = r.id where x.device_id = ${spare} order by 1`
  expect(rules.map(({ name }) => name)).toEqual(['both', 'machine', 'place'])
  const windows = await sql`
    select m.name from maintenances m join maintenance_devices x on x.maintenance_id = m.id where x.device_id = ${spare} order by 1`
  expect(windows.map(({ name }) => name)).toEqual(['both', 'machine', 'place'])
  const equipment = await sql`
    select name, slave_id, baud_rate from terminals where device_id = ${spare} order by slave_id`
  expect([...equipment]).toEqual([
    { name: 'bench', slave_id: 1, baud_rate: 19_200 },
    { name: 'Second', slave_id: 2, baud_rate: 19_200 },
  ])
})

it('configuration backups are transferred within the customer; a former owner’s stay with the old machine and remain theirs', async () => {
  const make = async (deviceSn: string) =>
    (
      await call<{ deviceId: number }>(
        'device/createDevice',
        { deviceSn, deviceName: deviceSn, address: 'Works', groupId: a.groups.root },
        a.admin,
      )
    ).data?.deviceId ?? 0
  const [broken, spare] = [await make('BROKEN'), await make('SPARE')]
  // Bought after the backups were made: the owner of the backups counts, not the date.
  await sql`update devices set owned_since = now() where id = ${spare}`
  const backup = async (customerId: number, file = true) => {
    const backupId = randomUUID()
    await sql`insert into device_backups (id, device_id, customer_id, command_id, created_at, link_expires_at, file_key)
      values (${backupId}, ${broken}, ${customerId}, ${randomUUID()}, now() - interval '1 day', now(), ${file ? randomUUID() : null})`
    return backupId
  }
  const [mine, former, failed] = [
    await backup(a.customerId),
    await backup(b.customerId),
    await backup(a.customerId, false),
  ]
  expect((await swap(broken, 'SPARE')).code).toBe(0)
  const listed = async (deviceId: number, who = a.admin) =>
    (
      await call<{ list: { backupId: string; fromSn: string | null }[] }>(
        'backup/getBackupList',
        { deviceId },
        who,
      )
    ).data?.list.map(({ backupId, fromSn }) => [backupId, fromSn])
  expect(await listed(spare)).toEqual([[mine, 'BROKEN']])
  expect(await listed(broken)).toEqual([[failed, null]])
  const remark = (backupId: string, who = a.admin) =>
    call('backup/modifyBackup', { backupId, remark: 'x' }, who).then(({ code }) => code)
  expect(await remark(mine)).toBe(0)
  expect(await remark(former)).toBe(5)
  expect([await remark(mine, b.admin), await remark(former, b.admin)]).toEqual([5, 5])
  expect((await listed(broken, tenants.superAdmin))?.length).toBe(2)
})

it('does not deadlock with others who lock both devices, though the new machine was registered first', async () => {
  const { customerId, groups } = a
  const [low, high] = (await addDevices(sql, customerId, groups.root, 'ORDER-', 2)).toSorted(
    (one, other) => one.id - other.id,
  )
  if (!low || !high) throw new Error('two devices')
  const answer = await meanwhile(
    sql,
    () => swap(high.id, low.sn),
    (tx) => tx`select 1 from devices where id = ${low.id} for update`,
    (tx) => tx`select 1 from devices where id = ${high.id} for update`,
  )
  expect(answer.code).toBe(0)
})
