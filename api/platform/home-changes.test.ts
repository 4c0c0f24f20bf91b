import { expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import type { getHomeChanges } from '#schema/platform/home-changes'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b, superAdmin } = tenants
const { sql } = context
type Changes = ReplyOf<typeof getHomeChanges>

const id = (i: number) => a.devices[i]?.id ?? 0
const changes = async (who: { username: string } = a.admin) => {
  const answer = await call<Changes>('home/getHomeChanges', {}, who)
  expect(answer.code, answer.message).toBe(0)
  return answer.data as Changes
}
const aged = (hours: number) =>
  sql`update home_visits set seen_at = seen_at - make_interval(hours => ${hours}), since = since - make_interval(hours => ${hours})`
const hoursAgo = ({ since }: Changes) => (Date.now() - Date.parse(since)) / 3_600_000

it('a first visit shows the last day, a later one the time since the last visit', async () => {
  const first = await changes()
  expect(first.first).toBe(true)
  expect(hoursAgo(first)).toBeCloseTo(24, 1)
  // Looking again is the same visit.
  expect((await changes()).first).toBe(true)
  await aged(5)
  const later = await changes()
  expect(later.first).toBe(false)
  expect(hoursAgo(later)).toBeCloseTo(5, 1)
  expect((await changes()).since).toBe(later.since)
})

it('a user who was away for long sees the last week', async () => {
  await aged(500)
  expect(hoursAgo(await changes())).toBeCloseTo(168, 1)
})

it('shows devices of the own customer that went offline, returned, or connected for the first time', async () => {
  const set = (deviceId: number, online: boolean, onlineCount: number) =>
    sql`update device_states set online = ${online}, online_count = ${onlineCount}, online_changed_at = now() - interval '1 minute' where device_id = ${deviceId}`
  await set(id(0), false, 3)
  await set(id(1), true, 3)
  await set(id(2), true, 1)
  await set(b.devices[0]?.id ?? 0, false, 3)
  const { devices } = await changes()
  expect(devices?.map(({ change, count, first }) => [change, count, first[0]?.deviceId])).toEqual([
    ['offline', 1, id(0)],
    ['back', 1, id(1)],
    ['first', 1, id(2)],
  ])
})

it('a new device that restarted since is still one that connected for the first time', async () => {
  const [known, fresh] = [id(1), id(2)]
  await sql`update device_states set online = true, online_count = 2, online_changed_at = now() - interval '1 minute'
    where device_id in (${known}, ${fresh})`
  await sql`insert into presence_records (connection_id, device_id, broker_id, online_at) values
    (gen_random_uuid(), ${known}, 'b', now() - interval '30 days'), (gen_random_uuid(), ${known}, 'b', now() - interval '1 minute'),
    (gen_random_uuid(), ${fresh}, 'b', now() - interval '2 minutes'), (gen_random_uuid(), ${fresh}, 'b', now() - interval '1 minute')`
  const { devices } = await changes()
  expect(devices?.map(({ change, first }) => [change, first.map(({ deviceId }) => deviceId)])).toEqual([
    ['offline', [id(0)]],
    ['back', [known]],
    ['first', [fresh]],
  ])
})

it('a device that has used its secret before is not new, also if its older records are gone', async () => {
  const fresh = id(2)
  await sql`update devices set secret_used_at = now() - interval '400 days' where id = ${fresh}`
  const back = (await changes()).devices?.find(({ change }) => change === 'back')
  expect(back?.first.map(({ deviceId }) => deviceId)).toContain(fresh)
  expect(back?.count).toBe(2)
})

it('shows alarms and completed tasks', async () => {
  await sql`insert into alarms (customer_id, rule_name, kind, severity, sn, device_name, group_name, started_at, last_at, ended_at)
    select c, 'r', 'offline', 'major', 's', 'd', 'g', at, at, ended from (values
      (${a.customerId}::int, now() - interval '1 hour', null::timestamptz), (${a.customerId}::int, now() - interval '1 year', now()),
      (${a.customerId}::int, now() - interval '1 year', null), (${b.customerId}::int, now(), now())) as x (c, at, ended)`
  await sql`insert into tasks (customer_id, kind, name, start_at, wait_offline_minutes, status, completed_at)
    values (${a.customerId}, 'upgrade', 'Night', now(), 0, 'completed', now() - interval '1 minute'),
      (${b.customerId}, 'upgrade', 'Theirs', now(), 0, 'completed', now() - interval '1 minute')`
  const { alarms, tasks } = await changes()
  expect(alarms).toEqual({ started: 1, ended: 1 })
  expect(tasks).toMatchObject({ count: 1, first: [{ name: 'Night', failed: 0 }] })
})

it('shows operations of others, not the own ones; customers do not see the names of platform users', async () => {
  const deviceId = id(0)
  await sql`insert into operations (user_id, username, customer_id, call, code)
    select id, username, customer_id, 'command/sendCommand', 0 from users where username = ${a.operator.username}`
  for (const who of [a.admin, superAdmin])
    expect(await call('device/revokeDeviceSecret', { deviceId }, who)).toMatchObject({ code: 0 })
  const { operations } = await changes()
  expect(operations?.count).toBe(2)
  expect(operations?.first.map(({ username, platform, call: name }) => [username, platform, name])).toEqual([
    [null, true, 'device/revokeDeviceSecret'],
    [a.operator.username, false, 'command/sendCommand'],
  ])
})

it('what a role may not see is null', async () => {
  expect((await changes(a.viewer)).operations).toBeNull()
  const [role] = await sql<{ id: number }[]>`
    insert into roles (customer_id, name, function_ids, menu_ids) values (${a.customerId}, 'nothing', '{}', '{}') returning id`
  await sql`update users set role_id = ${role?.id ?? 0} where username = ${a.viewer.username}`
  expect(await changes(a.viewer)).toMatchObject({
    alarms: null,
    devices: null,
    tasks: null,
    operations: null,
  })
})
