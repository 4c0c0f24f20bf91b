import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { getDeviceTimeline } from '#schema/device/timeline'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'
import { addPackage } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { a, systemAdmin } = tenants
const { sql } = context
const id = a.devices[1]?.id ?? 0
type Timeline = ReplyOf<typeof getDeviceTimeline>

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
await sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason, ip, transport)
  values (${randomUUID()}, ${id}, 'b', ${ago(60)}, ${ago(50)}, 'keepalive', '10.0.0.1', 'tcp'),
    (${randomUUID()}, ${id}, 'b', ${ago(40)}, null, null, '10.0.0.2', 'ws')`
await sql`insert into commands (id, device_id, customer_id, name, args, state, created_by, created_at, deadline_at)
  values (${randomUUID()}, ${id}, ${a.customerId}, 'reboot', '{}', 'done', ${a.admin.id}, ${ago(30)}, now())`
await sql`insert into device_warnings (device_id, at, what, detail) values (${id}, ${ago(20)}, 'invalidPayload', 'status: signalDbm')`
const fw = await addPackage(context, { customerId: a.customerId, model: 'R200', version: '2.0.0' })
const [task] = await sql<{ id: number }[]>`
  insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config,
    status, start_at, wait_offline_minutes, created_by)
  values ('upgrade', ${a.customerId}, 'spring', ${fw.id}, 'p', 'upgrade', 'R200', '2.0.0', 1, ${fw.sha256}, ${fw.md5}, true, 'completed', now(), 1, ${a.operator.id})
  returning id`
const item = randomUUID()
await sql`insert into task_items (id, task_id, device_id, customer_id, step, outcome, deadline_at, from_version)
  values (${item}, ${task?.id ?? 0}, ${id}, ${a.customerId}, 'done', 'done', now(), '1.0.0')`
await sql`insert into task_events (item_id, device_id, at, what) values (${item}, ${id}, ${ago(10)}, 'created'), (${item}, ${id}, ${ago(5)}, 'done')`
await sql`insert into operations (at, user_id, username, customer_id, call, device_id, code)
  values (${ago(4)}, ${a.admin.id}, ${a.admin.username}, ${a.customerId}, 'device/modifyDevice', ${id}, 0),
    (${ago(3)}, ${systemAdmin.id}, ${systemAdmin.username}, null, 'device/rotateDeviceSecret', ${id}, 5)`

const read = async (body: object = {}, who: { username: string } = a.admin) =>
  (await call<Timeline>('device/getDeviceTimeline', { deviceId: id, limit: 50, ...body }, who))
    .data as Timeline

describe('the timeline of a device', () => {
  it('merges presence, commands, tasks, operations and warnings, newest first, with who did it', async () => {
    const { list, total } = await read()
    expect(list.map(({ kind, what, detail, actor, taskId }) => [kind, what, detail, actor, taskId])).toEqual([
      ['operation', 'device/modifyDevice', null, a.admin.username, null],
      ['task', 'done', null, a.operator.username, task?.id],
      ['warning', 'invalidPayload', 'status: signalDbm', null, null],
      ['command', 'reboot', 'done', a.admin.username, null],
      ['online', 'online', '10.0.0.2', null, null],
      ['offline', 'keepalive', '10.0.0.1', null, null],
      ['online', 'online', '10.0.0.1', null, null],
    ])
    expect(total).toBe(7)
    expect(
      list
        .map((row) => row.at)
        .toSorted()
        .toReversed(),
    ).toEqual(list.map((row) => row.at))
  })

  it('lists events before a given time, so that later events do not crowd them out', async () => {
    const { list, total } = await read({ until: ago(35).toISOString(), limit: 2 })
    expect(list.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['online', '10.0.0.2'],
      ['offline', '10.0.0.1'],
    ])
    expect(total).toBe(3)
  })

  it('shows a customer what its users did, platform users everything', async () => {
    const { list } = await read({ kinds: ['operation'] }, systemAdmin)
    expect(list.map((row) => [row.what, row.detail])).toEqual([
      ['device/rotateDeviceSecret', '5'],
      ['device/modifyDevice', null],
    ])
  })

  it('shows a task as one row with its name, its package and version, and all its steps', async () => {
    const [row] = (await read({ kinds: ['task'] })).list
    expect(row).toMatchObject({ taskKind: 'upgrade', taskName: 'spring', packageName: 'p', version: '2.0.0' })
    expect(row?.steps?.map(({ what }) => what)).toEqual(['created', 'done'])
    expect(row?.at).toBe(row?.steps?.at(-1)?.at)
  })

  it('shows a firmware that a task installed as that task, unless only firmware is asked for', async () => {
    const firmware = async (kinds?: string[]) =>
      (await read(kinds ? { kinds } : {})).list
        .filter((row) => row.kind === 'firmware')
        .map((row) => row.what)
    expect(await firmware()).toEqual([])
    expect(await firmware(['firmware'])).toEqual(['2.0.0'])
    expect(await firmware(['firmware', 'task'])).toEqual([])
  })

  it('is limited to the last days, and searched by what its rows say', async () => {
    const kindsOf = async (body: object) => (await read(body)).list.map((row) => row.kind)
    await sql`update device_warnings set at = now() - interval '3 days' where device_id = ${id}`
    expect(await kindsOf({ days: 1 })).not.toContain('warning')
    expect(await kindsOf({ days: 7 })).toContain('warning')
    await sql`update device_warnings set at = ${ago(20)} where device_id = ${id}`
    expect(await kindsOf({ search: 'SPRING' })).toEqual(['task'])
    expect(await kindsOf({ search: '2.0.0' })).toEqual(['task'])
    expect(await kindsOf({ search: '10.0.0.2' })).toEqual(['online'])
    expect(await kindsOf({ search: 'nothing like it' })).toEqual([])
  })

  it('is paged and filtered by kind', async () => {
    expect((await read({ kinds: ['task'] })).total).toBe(1)
    const both = await read({ kinds: ['command', 'warning'] })
    expect([both.total, both.list.map((row) => row.kind)]).toEqual([2, ['warning', 'command']])
    const second = await read({ limit: 3, offset: 2 })
    expect(second.list.map((row) => row.kind)).toEqual(['command', 'online', 'offline'])
    expect((await read({ order: 'asc', limit: 1 })).list[0]).toMatchObject({
      kind: 'online',
      detail: '10.0.0.1',
    })
  })
})

it('shows each of many events of one moment on one of its pages', async () => {
  const other = a.devices[0]?.id ?? 0
  await sql`insert into device_warnings (device_id, at, what, detail)
    select ${other}, ${ago(7)}, 'warning ' || n * 37 % 60, '' from generate_series(1, 60) n`
  const pages = await Promise.all(
    Array.from({ length: 12 }, (_, i) => read({ deviceId: other, limit: 5, offset: i + 1 })),
  )
  expect(new Set(pages.flatMap(({ list }) => list.map(({ what }) => what))).size).toBe(60)
})

describe('a version that no task installed', () => {
  it('is a change of firmware in the timeline, with the previous version', async () => {
    const other = a.devices[2]?.id ?? 0
    await sql`insert into device_warnings (device_id, what, detail) values (${other}, 'firmware', '1.0.0 → 0.9.9')`
    const { list } = await read({ deviceId: other })
    expect(list).toMatchObject([
      { kind: 'firmware', what: '0.9.9', detail: '1.0.0', actor: null, taskId: null },
    ])
  })
})

describe('the online and offline record', () => {
  it('returns how long each connection lasted, an open one until now', async () => {
    const answer = await call<{ list: { durationS: number; reason: string | null; transport: string }[] }>(
      'device/getPresenceList',
      { deviceId: id },
      a.viewer,
    )
    expect(answer.data?.list).toMatchObject([
      { reason: null, offlineAt: null, transport: 'ws' },
      { reason: 'keepalive', transport: 'tcp', durationS: 600 },
    ])
    expect(answer.data?.list[0]?.durationS).toBeGreaterThan(2390)
  })
})

describe('log lines', () => {
  it('are returned newest first, from a priority upwards', async () => {
    await sql`insert into device_logs (device_id, at, boot_id, seq, priority, tag, text) values
      (${id}, ${ago(3)}, 'b', 1, 0, 'kernel', 'booted 100%'), (${id}, ${ago(2)}, 'b', 2, 2, null, 'link lost'), (${id}, ${ago(1)}, 'b', 3, 4, 'app', 'gave up')`
    const lines = async (body: object) =>
      (
        await call<{ list: { text: string; priority: string }[] }>(
          'device/getDeviceLogList',
          { deviceId: id, ...body },
          a.admin,
        )
      ).data?.list.map((row) => `${row.priority}: ${row.text}`)
    expect(await lines({})).toEqual(['fatal: gave up', 'warning: link lost', 'info: booted 100%'])
    expect(await lines({ priority: 'warning' })).toEqual(['fatal: gave up', 'warning: link lost'])
  })
})
