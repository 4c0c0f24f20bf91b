import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandBatchRefusals } from '#schema/task/command-batch-refusals'
import { apiTest } from '#test/api-client'
import type { TestUser } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants
const id = (tenant: typeof a, i: number) => tenant.devices[i]?.id ?? 0
const all = a.devices.map((device) => device.id)

beforeEach(async () => {
  await sql`delete from commands`
  await sql`delete from command_batches`
  await sql`update device_states set online = true`
  await sql`update devices set features = null`
})

type Left = { reason: string; count: number; sample: string[] }[]
type Sent = { batchId: string; devices: number; leftOut: Left }
const preview = (body: object, user: TestUser = a.admin) =>
  call<{ matching: number; eligible: number; leftOut: Left; atOnce: number; waitS: number }>(
    'command/previewCommandBatch',
    { name: 'reboot', ...body },
    user,
  )
const send = (body: object, user: TestUser = a.admin) =>
  call<Sent>('command/sendCommandBatch', { name: 'reboot', requestId: randomUUID(), ...body }, user)
const rebooting = async () =>
  (await sql<{ id: number }[]>`select device_id as id from commands order by 1`).map((row) => row.id)

it('the preview says how many match, how many can take it now, and why the others not', async () => {
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
  expect(await sql`select 1 from command_batches`).toHaveLength(0)
})

it('a device that is flashing is left out: a restart then would break it', async () => {
  await sql`insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, visibility)
    values ('P', '2', 'R200', 'upgrade', 1, 'a', 'b', 'c', 'all') on conflict do nothing`
  await sql`insert into tasks (kind, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes)
    select 'upgrade', 'T', id, 'P', 'upgrade', 'R200', '2', 1, 'a', 'b', true, now(), 15 from packages limit 1`
  await sql`insert into task_items (id, task_id, device_id, customer_id, step, deadline_at)
    select gen_random_uuid(), id, ${id(a, 0)}, ${a.customerId}, 'upgrading', now() + interval '1 hour' from tasks limit 1`
  expect((await preview({ filter: {} })).data?.leftOut).toMatchObject([{ reason: 'upgrading', count: 1 }])
  await sql`delete from task_items`
})

it('all matching is a query: it reaches the eligible of the filter, and nobody else’s', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 3)}`
  const { code, data } = await send({ filter: {}, atMost: 4 })
  expect(code).toBe(0)
  expect(data).toMatchObject({ devices: 3, leftOut: [{ reason: 'offline', count: 1 }] })
  expect(await rebooting()).toEqual(all.filter((one) => one !== id(a, 3)))
})

it('[§8] "selected device not online" where nothing else stands in the way; "only single device operation allowed"', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 3)}`
  expect(await send({ dids: [id(a, 3)] })).toMatchObject({
    code: commandBatchRefusals.selectedOffline.code,
    message: 'Selected device not online',
  })
  expect(await send({ dids: [id(a, 0)], name: 'factoryReset' })).toMatchObject({
    code: commandBatchRefusals.notForMany.code,
    message: 'Only single device operation allowed',
  })
})

it('a filter never reaches another customer’s devices, nor do named ids', async () => {
  expect((await send({ filter: { groupId: b.groups.root } })).code).toBe(sessionRefusals.noPermission.code)
  expect((await send({ filter: { search: 'Bolt' } })).code).toBe(commandBatchRefusals.noneEligible.code)
  const named = await send({ dids: [id(a, 0), id(b, 0)] })
  expect(named.data).toMatchObject({
    devices: 1,
    leftOut: [{ reason: 'notFound', count: 1, sample: [] }],
  })
  expect(await rebooting()).toEqual([id(a, 0)])
})

it('a normal user is confined to his groups, and follows only what he sent himself', async () => {
  const other = await send({ filter: {} })
  await sql`update commands set ended_at = now(), state = 'done'`
  const own = await send({ filter: {} }, a.operator)
  expect(own.data).toMatchObject({ devices: 2 })
  const list = await call<{ total: number }>('command/getCommandBatchList', {}, a.operator)
  expect(list.data?.total).toBe(1)
  const foreign = { batchId: other.data?.batchId }
  for (const name of [
    'getCommandBatch',
    'getCommandBatchDevices',
    'cancelCommandBatch',
    'resumeCommandBatch',
  ])
    expect((await call(`command/${name}`, foreign, a.operator)).code).toBe(sessionRefusals.noPermission.code)
  expect((await send({ filter: {} }, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
  expect((await preview({ filter: {} }, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
})

it('the same request again reboots nothing twice, also at the same moment', async () => {
  const requestId = randomUUID()
  const answers = await Promise.all(Array.from({ length: 6 }, () => send({ filter: {}, requestId })))
  expect(new Set(answers.map(({ data }) => data?.batchId)).size).toBe(1)
  expect(answers.map(({ data }) => data?.devices)).toEqual(Array(6).fill(4))
  expect(await rebooting()).toEqual(all)
  const [single, many] = await Promise.all([
    call('command/sendCommand', { deviceId: id(a, 0), name: 'reboot' }, a.admin),
    send({ filter: {} }),
  ])
  expect([single.code, many.code]).toEqual([
    deviceRefusals.commandBusy.code,
    commandBatchRefusals.noneEligible.code,
  ])
})

it('of a batch and a single order at the same moment each device gets one', async () => {
  await Promise.all([
    send({ filter: {} }),
    ...all.map((deviceId) => call('command/sendCommand', { deviceId, name: 'reboot' }, a.admin)),
    send({ filter: {} }),
  ])
  expect(await rebooting()).toEqual(all)
})

it('many that wait for their turn leave a connection to the one whose turn it is', async () => {
  let batches: Promise<{ code: number }[]> = Promise.resolve([])
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(7320, 0)`
    batches = Promise.all(Array.from({ length: 12 }, () => send({ filter: { groupId: a.groups.root } })))
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

it('more than was confirmed is refused, and so is what may not go to many', async () => {
  expect(await send({ filter: {}, atMost: 3 })).toMatchObject({
    code: commandBatchRefusals.batchGrew.code,
    field: 'atMost',
  })
  expect((await send({ filter: {}, name: 'factoryReset' })).code).toBe(commandBatchRefusals.notForMany.code)
  expect((await send({ filter: {}, name: 'setSchedule' })).code).toBe(sessionRefusals.invalid.code)
  expect((await send({ filter: {}, name: 'melt' })).code).toBe(sessionRefusals.invalid.code)
  expect((await send({ filter: {}, args: { delayS: -1 } })).code).toBe(sessionRefusals.invalid.code)
  expect((await send({})).code).toBe(deviceRefusals.nothingSelected.code)
  expect(await rebooting()).toEqual([])
})

it('cancelling ends what was not sent; the rest goes on; the outcome is counted and filtered', async () => {
  const { data } = await send({ filter: {} })
  await sql`update commands set state = 'sent' where device_id = ${id(a, 0)}`
  await sql`update commands set state = 'failed', ended_at = now(), error = 'busy flashing' where device_id = ${id(a, 1)}`
  const batch = { batchId: data?.batchId }
  expect((await call('command/cancelCommandBatch', batch, a.admin)).data).toEqual({
    cancelled: 2,
    underWay: 1,
  })
  expect((await call('command/cancelCommandBatch', batch, a.admin)).data).toEqual({
    cancelled: 0,
    underWay: 1,
  })
  expect((await call('command/getCommandBatch', batch, a.admin)).data).toMatchObject({
    matching: 4,
    createdBy: a.admin.username,
    counts: { total: 4, sent: 1, failed: 1, cancelled: 2, queued: 0 },
    errors: [{ error: 'busy flashing', count: 1 }],
  })
  const failed = await call('command/getCommandBatchDevices', { ...batch, state: 'failed' }, a.admin)
  expect(failed.data).toMatchObject({
    total: 1,
    list: [{ deviceSn: a.devices[1]?.sn, error: 'busy flashing' }],
  })
})

it('a batch that stopped itself goes on by hand, with the time back that it stood still, and is then his who resumed it', async () => {
  const { data } = await send({ filter: {} })
  const batch = { batchId: data?.batchId }
  expect((await call('command/resumeCommandBatch', batch, a.admin)).code).toBe(
    commandBatchRefusals.batchNotStopped.code,
  )
  const [before] = await sql<{ at: Date }[]>`select deadline_at as at from commands limit 1`
  await sql`update command_batches set stopped_at = now() - interval '1 hour', stop_reason = 'failures', stopped_failed = 5, stopped_tried = 9`
  expect((await call('command/getCommandBatch', batch, a.admin)).data).toMatchObject({
    stopped: { reason: 'failures', failed: 5, tried: 9 },
  })
  expect((await call('command/resumeCommandBatch', batch, b.admin)).code).toBe(
    sessionRefusals.noPermission.code,
  )
  expect((await call('command/resumeCommandBatch', batch, tenants.systemAdmin)).data).toEqual({ waiting: 4 })
  expect((await call('command/getCommandBatch', batch, a.admin)).data).toMatchObject({ stopped: null })
  const [after] = await sql<{ at: Date; by: number }[]>`
    select c.deadline_at as at, b.resumed_by as by from commands c join command_batches b on b.id = c.batch_id limit 1`
  expect(after?.by).toBe(tenants.systemAdmin.id)
  expect(Math.round(((after?.at.getTime() ?? 0) - (before?.at.getTime() ?? 0)) / 60_000)).toBe(60)
})

it('a batch is cancelled while the workers look at it: neither waits for what the other holds', async () => {
  const { data } = await send({ filter: {} })
  const held = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const workers = sql.begin(async (tx) => {
    await tx`select 1 from command_batches for no key update`
    holding.resolve()
    await held.promise
    await tx`update commands set deadline_at = deadline_at + interval '1 hour' where state = 'queued'`
  })
  await holding.promise
  const cancelling = call('command/cancelCommandBatch', { batchId: data?.batchId }, a.admin)
  await expect
    .poll(
      () =>
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    .toHaveLength(1)
  held.resolve()
  await workers
  expect((await cancelling).data).toEqual({ cancelled: 4, underWay: 0 })
})

it('one row of the operation log tells of the batch, with its counts', async () => {
  await sql`update device_states set online = false where device_id = ${id(a, 3)}`
  const { data } = await send({ filter: {} })
  const rows = await expect
    .poll(
      () =>
        sql<
          { after: object }[]
        >`select after from operations where call = 'command/sendCommandBatch' and after->>'batchId' = ${data?.batchId ?? ''}`,
    )
    .toHaveLength(1)
    .then(
      () =>
        sql<
          { after: object }[]
        >`select after from operations where after->>'batchId' = ${data?.batchId ?? ''}`,
    )
  expect(rows[0]?.after).toMatchObject({ command: 'reboot', devices: 3, offline: 1 })
})

it('who waits for others’ orders lets go of his connection in time, and is told to try again', async () => {
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
