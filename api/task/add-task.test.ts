import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { beforeEach, expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandRefusals } from '#schema/task/command-refusals'
import { taskRefusals } from '#schema/task/task-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'
import type { TestUser } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants
const id = (tenant: typeof a, i: number) => tenant.devices[i]?.id ?? 0
const all = a.devices.map((device) => device.id)

beforeEach(async () => {
  await sql`delete from commands`
  await sql`delete from tasks`
  await sql`update device_states set online = true`
  await sql`update devices set features = null`
})

type Left = { reason: string; count: number; sample: string[] }[]
type Sent = { taskId: number; devices: number; leftOut: Left }
const preview = (body: object, user: TestUser = a.admin) =>
  call<{ matching: number; eligible: number; leftOut: Left; atOnce: number; waitS: number }>(
    'task/previewTask',
    { kind: 'reboot', ...body },
    user,
  )
const send = (body: object, user: TestUser = a.admin) =>
  call<Sent>('task/addTask', { kind: 'reboot', name: 'Night', requestId: randomUUID(), ...body }, user)
const rebooting = async () =>
  (
    await sql<{ id: number }[]>`
      select device_id as id from commands union all select device_id from task_items order by 1`
  ).map((row) => row.id)

it('the preview returns how many match, how many can take it now, and why the others cannot', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 0)}`
  await sql`update devices set features = '["ping"]' where id = ${id(a, 1)}`
  await sql`insert into commands (id, device_id, customer_id, name, args, deadline_at)
    values (${randomUUID()}, ${id(a, 2)}, ${a.customerId}, 'factoryReset', '{}', now() + interval '1 hour')`
  const { data } = await preview({ filter: {} })
  expect(data).toMatchObject({ matching: 4, eligible: 1, atOnce: 1 })
  expect(data?.leftOut).toEqual([
    { reason: 'unsupported', count: 1, sample: [a.devices[1]?.sn] },
    { reason: 'offline', count: 1, sample: [a.devices[0]?.sn] },
    { reason: 'busy', count: 1, sample: [a.devices[2]?.sn] },
  ])
  expect(await sql`select 1 from tasks`).toHaveLength(0)
})

it('a start that is long past is refused and names its field; one just past is now', async () => {
  const startAt = (ms: number) => ({ dids: [id(a, 0)], startAt: new Date(Date.now() + ms).toISOString() })
  const refused = await send(startAt(-31 * 86_400_000))
  expect(refused).toMatchObject({ code: taskRefusals.taskStartPast.code, field: 'startAt' })
  expect(await sql`select 1 from tasks`).toHaveLength(0)
  const requestId = randomUUID()
  const sent = await send({ ...startAt(-60_000), requestId })
  expect(sent.code).toBe(0)
  // A repeated request of a task that exists gets its answer, however late it comes.
  expect((await send({ ...startAt(-3_600_000), requestId })).data).toEqual(sent.data)
})

it('a flashing device is left out: a restart would break it', async () => {
  await sql`insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, visibility)
    values ('P', '2', 'R200', 'upgrade', 1, 'a', 'b', 'c', 'all') on conflict do nothing`
  await sql`insert into tasks (kind, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes)
    select 'upgrade', 'T', id, 'P', 'upgrade', 'R200', '2', 1, 'a', 'b', true, now(), 15 from packages limit 1`
  await sql`insert into task_items (id, task_id, device_id, customer_id, step, deadline_at)
    select gen_random_uuid(), id, ${id(a, 0)}, ${a.customerId}, 'upgrading', now() + interval '1 hour' from tasks limit 1`
  expect((await preview({ filter: {} })).data?.leftOut).toMatchObject([{ reason: 'upgrading', count: 1 }])
})

it('all matching is a query: it reaches the eligible of the filter, and no others', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 3)}`
  const { code, data } = await send({ filter: {}, atMost: 4 })
  expect(code).toBe(0)
  expect(data).toMatchObject({ devices: 3, leftOut: [{ reason: 'offline', count: 1 }] })
  expect(await rebooting()).toEqual(all.filter((one) => one !== id(a, 3)))
})

it('[§8] "selected device not online" where nothing else stands in the way; "only single device operation allowed"', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 3)}`
  expect(await send({ dids: [id(a, 3)] })).toMatchObject({
    code: commandRefusals.selectedOffline.code,
    message: 'Selected device not online',
  })
  expect(await send({ dids: [id(a, 0)], kind: 'command', command: 'factoryReset' })).toMatchObject({
    code: commandRefusals.notForMany.code,
    message: 'Only single device operation allowed',
  })
})

it('a filter never reaches another customer’s devices, nor do named ids', async () => {
  expect((await send({ filter: { groupId: b.groups.root } })).code).toBe(sessionRefusals.noPermission.code)
  expect((await send({ filter: { search: 'Bolt' } })).code).toBe(commandRefusals.noneEligible.code)
  const named = await send({ dids: [id(a, 0), id(b, 0)] })
  expect(named.data).toMatchObject({
    devices: 1,
    leftOut: [{ reason: 'notFound', count: 1, sample: [] }],
  })
  expect(await rebooting()).toEqual([id(a, 0)])
})

it('a normal user is confined to their groups, and users without the reboot permission cannot control a reboot', async () => {
  const whole = await send({ filter: {} })
  await sql`update task_items set outcome = 'done', step = 'done'`
  const own = await send({ filter: {} }, a.operator)
  expect(own.data).toMatchObject({ devices: 2 })
  const seen = await call<{ counts: { total: number } }>(
    'task/getTask',
    { taskId: whole.data?.taskId },
    a.operator,
  )
  expect(seen.data?.counts.total).toBe(2)
  for (const name of ['cancelTask', 'pauseTask', 'resumeTask', 'retryTask'])
    for (const user of [a.viewer, b.admin])
      expect((await call(`task/${name}`, { taskId: own.data?.taskId }, user)).code).toBe(
        sessionRefusals.noPermission.code,
      )
  expect((await send({ filter: {} }, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
  expect((await preview({ filter: {} }, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
})

it('the same request again reboots nothing twice, also at the same time', async () => {
  const requestId = randomUUID()
  const answers = await Promise.all(Array.from({ length: 6 }, () => send({ filter: {}, requestId })))
  expect(new Set(answers.map(({ data }) => data?.taskId)).size).toBe(1)
  expect(answers.map(({ data }) => data?.devices)).toEqual(Array(6).fill(4))
  expect(await rebooting()).toEqual(all)
  const [single, many] = await Promise.all([
    call('command/sendCommand', { deviceId: id(a, 0), name: 'reboot' }, a.admin),
    send({ filter: {} }),
  ])
  expect([single.code, many.code]).toEqual([
    deviceRefusals.commandBusy.code,
    commandRefusals.noneEligible.code,
  ])
})

it('of a batch and a single command at the same time each device gets one', async () => {
  await Promise.all([
    send({ filter: {} }),
    ...all.map((deviceId) => call('command/sendCommand', { deviceId, name: 'reboot' }, a.admin)),
    send({ filter: {} }),
  ])
  expect(await rebooting()).toEqual(all)
})

it('many waiting requests leave a connection to the one whose turn it is', async () => {
  // Of several users: those of one take turns before they take a connection.
  const users = [a.admin, a.operator, tenants.systemAdmin, tenants.superAdmin]
  let batches: Promise<{ code: number }[]> = Promise.resolve([])
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7320, 0)`
    batches = Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        send({ filter: { groupId: a.groups.root } }, users[i % users.length]),
      ),
    )
    // As many as there are connections.
    await expect
      .poll(async () => {
        const waiting = await sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length
      })
      .toBe(5)
  })
  const codes = (await batches).map(({ code }) => code)
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
})

it('more than was confirmed is refused, and so is a command that cannot be sent to many', async () => {
  expect(await send({ filter: {}, atMost: 3 })).toMatchObject({
    code: commandRefusals.taskGrew.code,
    field: 'atMost',
  })
  expect((await send({ filter: {}, kind: 'command', command: 'factoryReset' })).code).toBe(
    commandRefusals.notForMany.code,
  )
  expect((await send({ filter: {}, kind: 'command', command: 'setSchedule' })).code).toBe(
    sessionRefusals.invalid.code,
  )
  expect((await send({ filter: {}, kind: 'command', command: 'melt' })).code).toBe(
    sessionRefusals.invalid.code,
  )
  for (const kind of ['upgrade', 'config', 'melt', ''])
    expect((await send({ filter: {}, kind })).code).toBe(sessionRefusals.invalid.code)
  expect((await send({ filter: {}, args: { delayS: -1 } })).code).toBe(sessionRefusals.invalid.code)
  expect((await send({})).code).toBe(deviceRefusals.nothingSelected.code)
  expect(await rebooting()).toEqual([])
})

it.each([
  ['en-US', 'melt', undefined, 'kind must be one of: command, factoryReset, reboot'],
  ['zh-CN', 'config', undefined, 'kind：可选值为 command、factoryReset、reboot'],
  ['en-US', 'command', 'melt', 'command must be one of: reboot'],
  ['en-US', 'command', undefined, 'command must be one of: reboot'],
  ['zh-TW', 'command', 'openTunnel', 'command：可選值為 reboot'],
  ['zh-CN', 'command', 'ping', '仅允许对单台设备操作'],
])(
  'in %s, kind %s with the command %s is refused with what is accepted',
  async (language, kind, command, message) => {
    const answer = await call('task/previewTask', { filter: {}, kind, command }, a.admin, {
      'accept-language': language,
    })
    expect(answer.message).toBe(message)
  },
)

/** As the workers do. */
const sent = (deviceId: number) =>
  sql.begin(async (tx) => {
    await tx`set local test.any_move = 'on'`
    await tx`update task_items set sending = 'sent', step = 'sent', offers = 1, offered_at = now() where device_id = ${deviceId}`
  })

it('cancelling ends what was not sent; the rest continues; the outcome is counted and filtered', async () => {
  const { data } = await send({ filter: {} })
  await sent(id(a, 0))
  await sql`update task_items set outcome = 'failed', failure = 'upgradeFailed', failure_detail = 'busy flashing', offers = 1 where device_id = ${id(a, 1)}`
  const task = { taskId: data?.taskId }
  expect((await call('task/cancelTask', task, a.admin)).data).toEqual({ cancelled: 2, locked: 1 })
  expect((await call('task/cancelTask', task, a.admin)).data).toEqual({ cancelled: 0, locked: 1 })
  expect((await call('task/getTask', task, a.admin)).data).toMatchObject({
    kind: 'reboot',
    command: 'reboot',
    matching: 4,
    createdBy: a.admin.username,
    version: null,
    maxFailurePercent: 10,
    maxPerSecond: 10,
    groupShare: 0.25,
    counts: { total: 4, sent: 1, failed: 1, cancelled: 2, created: 0 },
    errors: [{ error: 'busy flashing', count: 1 }],
  })
  const failed = await call('task/getTaskItems', { ...task, outcome: 'failed' }, a.admin)
  expect(failed.data).toMatchObject({
    total: 1,
    list: [{ deviceSn: a.devices[1]?.sn, failureDetail: 'busy flashing' }],
  })
  const ofDevice = await call('command/getCommandList', { deviceId: id(a, 1) }, a.admin)
  expect(ofDevice.data).toMatchObject({
    total: 1,
    list: [
      { name: 'reboot', state: 'failed', error: 'busy flashing', taskId: data?.taskId, args: { delayS: 0 } },
    ],
  })
})

it('failed devices are retried, with time for their turn', async () => {
  const { data } = await send({ filter: {} })
  const task = { taskId: data?.taskId }
  await sql`update task_items set outcome = 'failed', failure = 'connectTimeout'`
  await sql`update tasks set expires_at = now() - interval '1 hour'`
  expect((await call('task/retryTask', task, a.admin)).data).toEqual({ retried: 4, skipped: 0 })
  expect((await call('task/getTask', task, a.admin)).data).toMatchObject({
    status: 'ongoing',
    counts: { total: 4, created: 4 },
  })
  const [row] = await sql`select expires_at > now() as later from tasks`
  expect(row).toEqual({ later: true })
})

it('a task that paused itself can be resumed, gets the paused time back, and then belongs to the user who resumed it', async () => {
  const { data } = await send({ filter: {} })
  const task = { taskId: data?.taskId }
  expect((await call('task/resumeTask', task, a.admin)).code).toBe(taskRefusals.taskNotPaused.code)
  const [before] = await sql<{ at: Date }[]>`select expires_at as at from tasks`
  await sql`update tasks set start_at = now() - interval '2 hours', paused_at = now() - interval '1 hour', pause_reason = 'failures', paused_failed = 5, paused_tried = 9`
  expect((await call('task/getTask', task, a.admin)).data).toMatchObject({
    paused: { reason: 'failures', failed: 5, tried: 9 },
  })
  expect((await call('task/resumeTask', task, b.admin)).code).toBe(sessionRefusals.noPermission.code)
  expect((await call('task/resumeTask', task, tenants.systemAdmin)).data).toEqual({ waiting: 4 })
  expect((await call('task/getTask', task, a.admin)).data).toMatchObject({ paused: null })
  const [after] = await sql<
    { at: Date; by: number }[]
  >`select expires_at as at, responsible_id as by from tasks`
  expect(after?.by).toBe(tenants.systemAdmin.id)
  expect(Math.round(((after?.at.getTime() ?? 0) - (before?.at.getTime() ?? 0)) / 60_000)).toBe(60)
})

it('one row of the operation log describes the task, with its counts', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 3)}`
  const { data } = await send({ filter: {} })
  const rows = await expect
    .poll(
      () =>
        sql<
          { after: object }[]
        >`select after from operations where call = 'task/addTask' and after->>'taskId' = ${String(data?.taskId)}`,
    )
    .toHaveLength(1)
    .then(
      () =>
        sql<
          { after: object }[]
        >`select after from operations where call = 'task/addTask' and after->>'taskId' = ${String(data?.taskId)}`,
    )
  expect(rows[0]?.after).toMatchObject({ command: 'reboot', devices: 3, offline: 1 })
})

it('a request that waits for other commands releases its connection in time, and is asked to retry', async () => {
  const held = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const others = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7320, 0)`
    holding.resolve()
    await held.promise
  })
  await holding.promise
  try {
    const answers = await Promise.all([
      send({ filter: {} }),
      call('command/sendCommand', { deviceId: id(a, 0), name: 'reboot' }, a.admin),
    ])
    expect(answers.map(({ code }) => code)).toEqual([503, 503])
  } finally {
    held.resolve()
    await others
  }
  expect((await send({ filter: {} })).code).toBe(0)
})

it('nothing is created for a device that another customer gets at the same moment', async () => {
  const give = (customerId: number, groupId: number) => async (tx: TransactionSql) => {
    await tx`select 1 from devices where id = ${id(a, 0)} for update`
    await tx`update devices set customer_id = ${customerId}, group_id = ${groupId} where id = ${id(a, 0)}`
  }
  const sent = await meanwhile(
    sql,
    () => send({ dids: [id(a, 0), id(a, 1)] }),
    give(b.customerId, b.groups.root),
  )
  expect(sent.code).toBe(sessionRefusals.noPermission.code)
  expect(await sql`select from tasks`).toHaveLength(0)
  await sql.begin(give(a.customerId, a.groups.branch))
})
