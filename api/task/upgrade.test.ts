import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { TaskFailure, TaskStep } from '#schema/kit/task-kind'
import { sessionRefusals } from '#schema/people/session-refusals'
import { packageRefusals } from '#schema/task/package-refusals'
import { taskRefusals } from '#schema/task/task-refusals'
import { testContext } from '#test/harness'
import {
  addDevices,
  addPackage,
  seedTenants,
  TEST_PASSWORD,
  type Tenants,
  type TestUser,
} from '#test/tenants'
import { buildServer } from '../server.ts'

const context = await testContext({ FILE_SERVERS: 'http://mirror.example.test' })
const { sql } = context
let app: FastifyInstance
let tenants: Tenants
let spId: number
const tokens = new Map<string, string>()

beforeAll(async () => {
  tenants = await seedTenants(context)
  app = await buildServer(context)
  await app.ready()
  for (const user of [tenants.a.admin, tenants.a.operator, tenants.b.admin, tenants.superAdmin]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      payload: { username: user.username, password: TEST_PASSWORD },
    })
    tokens.set(user.username, answer.json().data.token)
  }
  spId = (await addPackage(context, { customerId: null, model: 'R200', version: '2.0.0' })).id
})
beforeEach(() => sql`delete from tasks`)
afterAll(() => app?.close())

async function call(user: TestUser, name: string, payload: object) {
  const answer = await app.inject({
    method: 'POST',
    url: `/api/${name}`,
    headers: { token: tokens.get(user.username) ?? '', 'accept-language': 'en-US' },
    payload,
  })
  return answer.json() as {
    code: number
    data: Record<string, unknown> & { list: Record<string, unknown>[] }
    field?: string
    message: string
  }
}

const ids = () => tenants.a.devices.map((device) => device.id)
const create = async (user: TestUser = tenants.a.admin, more: object = {}) => {
  const answer = await call(user, 'levelUp/addLevelUp', { name: 'Spring', spId, dids: ids(), ...more })
  expect(answer.code).toBe(0)
  return answer.data['taskId'] as number
}
const stand = (
  taskId: number,
  index: number,
  step: TaskStep,
  outcome?: 'done' | 'failed',
  failure?: TaskFailure,
) => sql`
  update task_items set step = ${step}, outcome = ${outcome ?? null}, failure = ${failure ?? null},
    sending = ${outcome || step === 'created' ? 'none' : 'sent'}, offers = 1, offered_at = step_at - interval '1 minute'
  where task_id = ${taskId} and device_id = ${ids()[index] ?? 0}`
const items = (taskId: number) => sql<
  { outcome: string | null; superseded: boolean; attempt: number; sending: string }[]
>`
  select i.outcome, i.superseded, i.attempt, i.sending from task_items i join devices d on d.id = i.device_id
  where i.task_id = ${taskId} order by d.id, i.attempt`

describe('pre-flight', () => {
  it('returns which devices can take the package, which are delayed, and which cannot and why', async () => {
    const { customerId, groups } = tenants.a
    const [model, unknown, installed, revoked, online] = await addDevices(
      sql,
      customerId,
      groups.root,
      'PRE-',
      5,
    )
    await sql`update devices set model = 'G500' where id = ${model?.id ?? 0}`
    await sql`update devices set model = null where id = ${unknown?.id ?? 0}`
    await sql`update devices set firmware = '2.0.0' where id = ${installed?.id ?? 0}`
    await sql`update devices set secret_hash = null where id = ${revoked?.id ?? 0}`
    await sql`update device_states set online = true where device_id = ${online?.id ?? 0}`
    const foreign = tenants.b.devices[0]?.id ?? 0
    const dids = [
      ...ids(),
      ...[model, unknown, installed, revoked, online].map((d) => d?.id ?? 0),
      foreign,
      2_000_000_000,
      9e15,
    ]
    const answer = await call(tenants.a.admin, 'levelUp/preflight', { spId, dids })
    expect(answer.data).toEqual({
      waitOfflineMinutes: 15,
      mobile: { devices: 0, bytes: 0, unknown: 0, over: 0, sample: [] },
      memoryShort: { count: 0, sample: [], neededBytes: expect.any(Number) },
      downgraded: { count: 0, sample: [] },
      eligible: 5,
      delayed: [{ reason: 'offline', count: 4, sample: tenants.a.devices.map(({ sn }) => sn) }],
      ineligible: [
        { reason: 'modelMismatch', count: 1, sample: ['PRE-00000'] },
        { reason: 'modelUnknown', count: 1, sample: ['PRE-00001'] },
        { reason: 'alreadyInstalled', count: 1, sample: ['PRE-00002'] },
        { reason: 'revoked', count: 1, sample: ['PRE-00003'] },
        { reason: 'notFound', count: 3, sample: [String(foreign), '2000000000', '9000000000000000'] },
      ],
    })
    await sql`update devices set deleted_at = now() where sn like 'PRE-%'`
  })

  it('calls a device busy whose turn has come in another task, but not one that waits in a task that sends it nothing', async () => {
    const [device] = tenants.a.devices
    if (!device) throw new Error('no device')
    const later = await create(tenants.a.admin, { dids: [device.id] })
    const delayed = async () =>
      (await call(tenants.a.admin, 'levelUp/preflight', { spId, dids: [device.id] })).data['delayed']
    const offline = [{ reason: 'offline', count: 1, sample: [device.sn] }]
    const busy = [{ reason: 'busy', count: 1, sample: [device.sn] }]
    // It may fail because it is offline, whatever else waits for it.
    expect(await delayed()).toEqual(offline)
    await sql`update device_states set online = true where device_id = ${device.id}`
    expect(await delayed()).toEqual(busy)
    await call(tenants.a.admin, 'task/pauseTask', { taskId: later })
    expect(await delayed()).toEqual([])
    // A pause does not end what was sent, and a device is yet to be told that it is cancelled.
    await stand(later, 0, 'sent')
    expect(await delayed()).toEqual(busy)
    await sql`update task_items set outcome = 'cancelled' where task_id = ${later}`
    expect(await delayed()).toEqual(busy)
    await sql`update device_states set online = false where device_id = ${device.id}`
  })

  it('accepts a filter, or the specification’s comma-separated ids, and refuses nothing', async () => {
    const byFilter = await call(tenants.a.admin, 'levelUp/preflight', {
      spId,
      filter: { groupId: tenants.a.groups.branch },
    })
    expect(byFilter.data['eligible']).toBe(2)
    const byText = await call(tenants.a.admin, 'levelUp/preflight', {
      spId,
      dids: ids().slice(0, 3).join(','),
    })
    expect(byText.data['eligible']).toBe(3)
    for (const target of [{}, { dids: [] }, { dids: '' }])
      expect((await call(tenants.a.admin, 'levelUp/preflight', { spId, ...target })).code).toBe(
        deviceRefusals.nothingSelected.code,
      )
  })
})

describe('a task', () => {
  it('is created with its items for the eligible devices, and returns the others', async () => {
    const foreign = tenants.b.devices[0]?.id ?? 0
    const answer = await call(tenants.a.admin, 'levelUp/addLevelUp', {
      name: 'Spring',
      spId,
      dids: [...ids(), foreign].join(','),
      path: '/x',
      spFileSize: '12',
      keepConfig: '0',
      packageType: 'upgrade',
      server: 'http://mirror.example.test/',
    })
    expect(answer.data).toMatchObject({ devices: 4, skipped: [{ deviceId: foreign, reason: 'notFound' }] })
    const [task] = await sql`select customer_id, keep_config, server, version, status from tasks`
    expect(task).toEqual({
      customer_id: tenants.a.customerId,
      keep_config: false,
      server: 'http://mirror.example.test',
      version: '2.0.0',
      status: 'ongoing',
    })
    expect(context.queue.added.get('dispatchTasks')).toBeGreaterThan(0)
    const detail = await call(tenants.a.admin, 'task/getTask', { taskId: answer.data['taskId'] })
    expect(detail.data).toMatchObject({
      counts: { created: 4, total: 4 },
      createdBy: tenants.a.admin.username,
    })
  })

  it.each(['', null, undefined])(
    '[§7] is created with packageType %j as if it were absent',
    async (packageType) => {
      const body = { name: 'Spring', spId, dids: ids(), packageType }
      expect((await call(tenants.a.admin, 'levelUp/addLevelUp', body)).code).toBe(0)
    },
  )

  it.each(['', null])(
    '[§7] takes %j in the description, path, size or server as if it were absent',
    async (blank) => {
      const absent = { description: blank, path: blank, spFileSize: blank, server: blank }
      const body = { name: 'Spring', spId, dids: ids(), ...absent }
      const { data } = await call(tenants.a.admin, 'levelUp/addLevelUp', body)
      const [task] = await sql`select description, server from tasks where id = ${Number(data?.['taskId'])}`
      expect(task).toEqual({ description: '', server: null })
    },
  )

  it('is refused without a synced package, an eligible device, a known file server, or the right type', async () => {
    const dids = ids()
    const unsynced = await addPackage(context, { customerId: null, model: 'R200', version: '2.0.1' })
    await sql`update packages set synced_at = null where id = ${unsynced.id}`
    const table: [object, { code: number }][] = [
      [{ spId: unsynced.id, dids }, packageRefusals.packageNotSynced],
      [{ spId, dids: [tenants.b.devices[0]?.id] }, taskRefusals.taskNoEligible],
      [{ spId, dids, server: 'http://evil.example.test' }, taskRefusals.fileServerUnknown],
      [{ spId, dids, packageType: 'patch' }, sessionRefusals.invalid],
      [{ spId: 2_000_000, dids }, sessionRefusals.noPermission],
    ]
    for (const [body, refusal] of table)
      expect((await call(tenants.a.admin, 'levelUp/addLevelUp', { name: 'X', ...body })).code).toBe(
        refusal.code,
      )
    expect(await sql`select 1 from tasks`).toHaveLength(0)
  })

  it('over several customers belongs to the platform; within one customer, to that customer', async () => {
    const dids = [...ids(), ...tenants.b.devices.map(({ id }) => id)]
    await create(tenants.superAdmin, { dids, name: 'Both' })
    await create(tenants.superAdmin, { dids: ids(), name: 'For A' })
    const seen = async (user: TestUser) =>
      (await call(user, 'task/getTaskList', {})).data.list.map((row) => row['name'])
    expect(await seen(tenants.superAdmin)).toEqual(['For A', 'Both'])
    expect(await seen(tenants.a.admin)).toEqual(['For A'])
    expect(await seen(tenants.b.admin)).toEqual([])
  })

  it('shows a normal user only the devices of their groups', async () => {
    const taskId = await create()
    const answer = await call(tenants.a.operator, 'task/getTaskItems', { taskId })
    expect(answer.data.list.map((row) => row['deviceSn'])).toEqual(['Acme-B-00000', 'Acme-B-00001'])
    const detail = await call(tenants.a.operator, 'task/getTask', { taskId })
    expect(detail.data).toMatchObject({ counts: { total: 2 } })
    await call(tenants.a.operator, 'task/cancelTask', { taskId })
    expect((await items(taskId)).filter(({ outcome }) => outcome === 'cancelled')).toHaveLength(2)
  })

  it('lists its devices by the segment that was clicked', async () => {
    const taskId = await create()
    await stand(taskId, 0, 'downloading')
    await stand(taskId, 1, 'downloading', 'failed', 'md5Failed')
    await stand(taskId, 2, 'done', 'done')
    const seen = async (filter: object) =>
      (await call(tenants.a.admin, 'task/getTaskItems', { taskId, ...filter })).data.list.map(
        (row) => row['deviceId'],
      )
    expect(await seen({ step: 'downloading' })).toEqual([ids()[0]])
    expect(await seen({ step: 'downloading', outcome: 'failed' })).toEqual([ids()[1]])
    expect(await seen({ step: 'done' })).toEqual([ids()[2]])
    expect(await seen({ outcome: 'running', sort: 'step', order: 'desc' })).toEqual([ids()[0], ids()[3]])
    expect(await seen({ failure: 'md5Failed' })).toEqual([ids()[1]])
    const detail = await call(tenants.a.admin, 'task/getTask', { taskId })
    expect(detail.data).toMatchObject({
      counts: { created: 1, downloading: 1, done: 1, failed: 1, cancelled: 0, total: 4 },
      failures: [{ failure: 'md5Failed', count: 1 }],
      estimatedEndAt: expect.any(String),
    })
  })
})

describe('control', () => {
  it('cancels items that have not begun to flash, and returns how many are locked', async () => {
    const taskId = await create()
    await stand(taskId, 1, 'downloaded')
    await stand(taskId, 2, 'upgrading')
    const answer = await call(tenants.a.admin, 'task/cancelTask', { taskId })
    expect(answer.data).toEqual({ cancelled: 3, locked: 1 })
    // The device that has the offer has yet to be informed.
    expect((await items(taskId)).map(({ outcome, sending }) => [outcome, sending])).toEqual([
      ['cancelled', 'none'],
      ['cancelled', 'sent'],
      [null, 'sent'],
      ['cancelled', 'none'],
    ])
  })

  it('retries nothing of what was cancelled, neither what was planned nor what would be planned later', async () => {
    const taskId = await create()
    await stand(taskId, 0, 'connected', 'failed', 'connectTimeout')
    await stand(taskId, 1, 'upgrading')
    await sql`update task_items set retry_at = now() where task_id = ${taskId} and outcome = 'failed'`
    await call(tenants.a.admin, 'task/cancelTask', { taskId })
    const rows = await sql`
      select outcome, retry_at is not null as planned, retry_off as off from task_items where task_id = ${taskId} order by device_id`
    expect(rows.map(({ outcome, planned, off }) => [outcome, planned, off])).toEqual([
      ['failed', false, true],
      [null, false, true],
      ['cancelled', false, true],
      ['cancelled', false, true],
    ])
    const decided = await sql`
      select what, facts from task_decisions where task_id = ${taskId} and what in ('cancelled', 'retriesCancelled') order by id`
    expect(decided.map(({ what, facts }) => [what, facts.devices])).toEqual([
      ['cancelled', 2],
      ['retriesCancelled', 1],
    ])
  })

  it('retries the failed of one reason as new items and skips those that have the version meanwhile', async () => {
    const taskId = await create()
    await stand(taskId, 0, 'connected', 'failed', 'fileNotFound')
    await stand(taskId, 1, 'upgrading', 'failed', 'connectTimeout')
    await stand(taskId, 2, 'upgrading', 'failed', 'connectTimeout')
    await stand(taskId, 3, 'done', 'done')
    await sql`update tasks set status = 'completed', completed_at = now() where id = ${taskId}`
    await sql`update devices set firmware = '2.0.0' where id = ${ids()[2] ?? 0}`
    const answer = await call(tenants.a.admin, 'task/retryTask', { taskId, failure: 'connectTimeout' })
    expect(answer.data).toEqual({ retried: 1, skipped: 1 })
    expect(
      (await items(taskId)).map(({ attempt, superseded, outcome }) => [attempt, superseded, outcome]),
    ).toEqual([
      [1, false, 'failed'],
      [1, true, 'failed'],
      [2, false, null],
      [1, false, 'failed'],
      [1, false, 'done'],
    ])
    const detail = await call(tenants.a.admin, 'task/getTask', { taskId })
    expect(detail.data).toMatchObject({
      status: 'ongoing',
      completedAt: null,
      counts: { created: 1, total: 4 },
    })
    await sql`update devices set firmware = '1.0.0' where id = ${ids()[2] ?? 0}`
  })

  it('refuses to retry a task whose package was deleted, and says that it is the package that is gone', async () => {
    const taskId = await create()
    await stand(taskId, 0, 'connected', 'failed', 'fileNotFound')
    await sql`update packages set deleted_at = now() where id = ${spId}`
    expect(await call(tenants.a.admin, 'task/retryTask', { taskId })).toMatchObject({
      code: packageRefusals.packageGone.code,
      message: 'The package of the task was deleted: upload a package and create a new task',
    })
    await sql`update packages set deleted_at = null where id = ${spId}`
  })

  it('refuses to retry nothing, to cancel a completed task, and to delete an ongoing one', async () => {
    const taskId = await create()
    expect((await call(tenants.a.admin, 'task/retryTask', { taskId })).code).toBe(
      taskRefusals.taskNothingToRetry.code,
    )
    expect((await call(tenants.a.admin, 'task/deleteTask', { taskId })).code).toBe(
      taskRefusals.taskOngoing.code,
    )
    await sql`update tasks set status = 'completed' where id = ${taskId}`
    expect((await call(tenants.a.admin, 'task/cancelTask', { taskId })).code).toBe(
      taskRefusals.taskCompleted.code,
    )
    expect((await call(tenants.b.admin, 'task/deleteTask', { taskId })).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await call(tenants.a.admin, 'task/deleteTask', { taskId })).code).toBe(0)
    expect(await sql`select 1 from task_items where task_id = ${taskId}`).toHaveLength(0)
  })
})

it.each([
  ['waitOfflineMinutes', 43_201, 'Wait for offline devices'],
  ['maxFailurePercent', 0, 'Failed, percent'],
  ['maxFailures', 0, 'Failed, devices'],
  ['maxInFlight', 100_000, 'Devices at the same time, at most'],
  ['keepConfig', 'perhaps', 'Keep the devices’ settings'],
  ['startAt', 'soon', 'Start'],
  ['spId', 'x', 'Package'],
  ['dids', ['x'], 'Devices'],
])('a refusal of %s names the label of the form', async (name, value, label) => {
  const answer = await call(tenants.a.admin, 'levelUp/addLevelUp', {
    name: 'Spring',
    spId,
    dids: ids(),
    [name]: value,
  })
  expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field: expect.stringContaining(name) })
  expect(answer.message).toContain(label)
  expect(answer.message).not.toContain(name)
})

describe('a task that follows its filter', () => {
  const DAY = 86_400_000
  const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString()
  const followed = (more: object) =>
    call(tenants.a.admin, 'levelUp/addLevelUp', {
      name: 'Follow',
      spId,
      filter: { model: 'R200' },
      joinUntil: inDays(7),
      ...more,
    })

  it.each([
    ['listed devices', { filter: undefined, dids: 'all' }, taskRefusals.joinNeedsFilter],
    ['a filter by state', { filter: { model: 'R200', online: 'offline' } }, taskRefusals.joinOfMoment],
    ['a time in the past', { joinUntil: inDays(-1) }, taskRefusals.joinEnd],
    ['more than 90 days', { joinUntil: inDays(91) }, taskRefusals.joinEnd],
  ])('is refused for %s', async (_, more, refusal) => {
    const body = 'dids' in more ? { ...more, dids: ids() } : more
    expect(await followed(body)).toMatchObject({ code: refusal.code, field: 'joinUntil' })
  })

  it('says so, and follows no more once it is cancelled', async () => {
    const made = await followed({ filter: { model: 'R200', groupId: tenants.a.groups.branch } })
    expect(made.code).toBe(0)
    const taskId = Number(made.data['taskId'])
    const seen = async () => (await call(tenants.a.admin, 'task/getTask', { taskId })).data
    expect(await seen()).toMatchObject({
      joins: { model: 'R200', groupId: tenants.a.groups.branch, groupName: expect.any(String) },
      joinUntil: expect.any(String),
    })
    expect((await call(tenants.a.admin, 'task/cancelTask', { taskId })).code).toBe(0)
    expect(await seen()).toMatchObject({ joinUntil: null })
  })
})

it('warns of devices that run a newer version of what the package replaces, and lets them be downgraded', async () => {
  const { customerId } = tenants.a
  const [newer, other] = ids()
  const beside = await addPackage(context, {
    customerId,
    type: 'ordinary',
    name: 'luci',
    model: 'R200',
    version: '24.9',
  })
  await sql`update devices set firmware = '2.0.1', packages = '{"luci": "24.10"}' where id = ${newer ?? 0}`
  await sql`update devices set firmware = '1.10.0', packages = '{"luci": "24.8"}' where id = ${other ?? 0}`
  const check = async (of: number) =>
    (await call(tenants.a.admin, 'levelUp/preflight', { spId: of, dids: ids() })).data
  const [{ sn } = { sn: '' }] = await sql<{ sn: string }[]>`select sn from devices where id = ${newer ?? 0}`
  expect(await check(spId)).toMatchObject({ eligible: ids().length, downgraded: { count: 1, sample: [sn] } })
  expect(await check(beside.id)).toMatchObject({ downgraded: { count: 1, sample: [sn] } })
  await sql`update devices set firmware = '1.0.0', packages = null where id in ${sql(ids())}`
})

it('warns of devices that have too little memory for the file and its contents, by half of all or by what is free', async () => {
  const [{ size } = { size: 0 }] = await sql<{ size: number }[]>`
    select size_bytes::int as size from packages where id = ${spId}`
  const short = async () =>
    (await call(tenants.a.admin, 'levelUp/preflight', { spId, dids: ids() })).data['memoryShort']
  const report = (i: number, total: number | null, used: number | null) => sql`
    update device_states set memory_total_bytes = ${total}, memory_used_bytes = ${used} where device_id = ${ids()[i] ?? 0}`
  await report(0, 4 * size, 2 * size)
  await report(1, null, null)
  expect(await short()).toEqual({ count: 0, sample: [], neededBytes: 2 * size })
  await report(0, 4 * size, 2 * size + 1)
  await report(1, 4 * size - 1, 0)
  expect(await short()).toEqual({
    count: 2,
    sample: tenants.a.devices
      .slice(0, 2)
      .map(({ sn }) => sn)
      .sort(),
    neededBytes: 2 * size,
  })
  await sql`update device_states set memory_total_bytes = null, memory_used_bytes = null`
})

describe('mobile data', () => {
  const mobile = async () =>
    (await call(tenants.a.admin, 'levelUp/preflight', { spId, dids: ids() })).data['mobile']
  const set = (i: number, columns: Record<string, unknown>) =>
    sql`update devices set ${sql(columns)} where id = ${ids()[i] ?? 0}`
  const MB = 1_000_000
  beforeEach(async () => {
    await sql`update devices set data_plan_mb = null, owned_since = null`
    await sql`update groups set data_plan_mb = null`
    await sql`update device_states set network_mode = 'LTE'`
    await sql`truncate traffic_days`
  })
  const uses = (i: number, bytes: number, daysAgo = 0) => sql`
    insert into traffic_days (device_id, day, rx_bytes, tx_bytes)
    values (${ids()[i] ?? 0}, (now() at time zone 'UTC')::date - ${daysAgo}::int, ${bytes}, 0)`

  it('is counted for devices whose uplink is mobile, and for no other', async () => {
    const { length } = ids()
    await sql`update device_states set network_mode = 'WIRED' where device_id = ${ids()[0] ?? 0}`
    await sql`update device_states set network_mode = null where device_id = ${ids()[1] ?? 0}`
    const [{ size } = { size: 0 }] = await sql<{ size: number }[]>`
      select size_bytes::int as size from packages where id = ${spId}`
    expect(await mobile()).toMatchObject({
      devices: length - 2,
      unknown: length - 2,
      over: 0,
      bytes: (length - 2) * size,
    })
  })

  it('warns of devices whose plan of this month is used up, by their own plan or that of the nearest group', async () => {
    await sql`update groups set data_plan_mb = 100 where parent_id is null`
    await set(1, { data_plan_mb: 50 })
    await uses(0, 60 * MB)
    await uses(1, 60 * MB)
    await uses(2, 60 * MB, 62)
    const sn = tenants.a.devices[1]?.sn
    expect(await mobile()).toMatchObject({ unknown: 0, over: 1, sample: [sn] })
    await sql`update groups set data_plan_mb = 10 where id = ${tenants.a.groups.branch}`
    const inBranch = await sql`
      select 1 from devices d where d.id = ${ids()[0] ?? 0} and d.group_id = ${tenants.a.groups.branch}`
    expect(await mobile()).toMatchObject({ over: 1 + inBranch.length })
  })

  it('does not count what a former owner used', async () => {
    await set(0, { data_plan_mb: 50, owned_since: new Date() })
    await uses(0, 60 * MB)
    expect(await mobile()).toMatchObject({ over: 0 })
  })

  it('plans are entered for devices and groups, and taken away with 0', async () => {
    const deviceId = ids()[0] ?? 0
    const named = { deviceId, deviceName: 'Kiosk', address: 'Street 1' }
    expect((await call(tenants.a.admin, 'device/modifyDevice', { ...named, dataPlanMb: 500 })).code).toBe(0)
    expect((await call(tenants.a.admin, 'device/modifyDevice', named)).code).toBe(0)
    const own = async () =>
      (await sql`select data_plan_mb as mb from devices where id = ${deviceId}`)[0]?.['mb']
    expect(await own()).toBe(500)
    await call(tenants.a.admin, 'device/modifyDevice', { ...named, dataPlanMb: 0 })
    expect(await own()).toBe(null)
    const gid = tenants.a.groups.branch
    expect((await call(tenants.a.admin, 'device/modifyGroupName', { gid, dataPlanMb: 300 })).code).toBe(0)
    expect((await sql`select data_plan_mb as mb from groups where id = ${gid}`)[0]?.['mb']).toBe(300)
  })
})
