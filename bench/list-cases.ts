/** Which requests are measured: every declared list for three kinds of users, the reports and the map. */
import type { Context } from '#infra/context'
import type { Call } from '#schema/kit/call'
import { bodyFor, type Ids } from '#test/sample-body'
import type { Tenants } from '#test/tenants'

export const LIST_TARGET_MS = 50
const REPORT_TARGET_MS = 300

export type Case = { name: string; body: Record<string, unknown>; target: number }

/**
 * One search with few or no results, one with a tenth of most lists, one in the log's texts; two letters are too
 * short for a trigram index.
 */
const searches = ['sn-00', 'zq-99', 'user-49', 'modify', '77']

/** History lists of one device. */
const ofOneDevice =
  /^(device|command|schedule|backup)\/get(Presence|Status|DeviceLog|Command|Schedule|Backup|SimSwitch|DeviceTimeline)/

export const idsFor = (call: Call, deviceId: number | undefined): Ids =>
  ofOneDevice.test(call.name) ? { deviceId } : {}

export function casesOf(call: Call & { sorts?: readonly string[] }, ids: Ids): Case[] {
  const body = bodyFor(call, ids)
  const list = (name: string, more: Record<string, unknown> = {}) => ({
    name,
    body: { ...body, ...more },
    target: LIST_TARGET_MS,
  })
  if (call.sorts)
    return [
      list('first page'),
      ...searches.map((search) => list(`search ${search}`, { search })),
      ...call.sorts.flatMap((sort) =>
        (['asc', 'desc'] as const).map((order) => list(`by ${sort} ${order}`, { sort, order })),
      ),
    ]
  if (/^report\/get\w+Report$/.test(call.name))
    return ['24h', '7d', '30d'].map((range) => ({
      name: range,
      body: { range, zone: 'Asia/Shanghai', previous: true },
      target: REPORT_TARGET_MS,
    }))
  return /AddressList|MapPoints|getDevicePoints|getDeviceMap|getDeviceInformation|getFleetSummary|getDeviceNeeds|getHomeChanges|getAlarmCount|getAlarmOutages/.test(
    call.name,
  )
    ? [{ name: 'all devices', body, target: REPORT_TARGET_MS }]
    : []
}

export type Asker = { name: string; username: string; deviceId: number | undefined }

/**
 * The platform's administrator; an administrator of one of the 200 customers, with 500 devices; one of its users,
 * confined to two groups.
 */
export async function askers({ sql }: Pick<Context, 'sql'>, tenants: Tenants): Promise<Asker[]> {
  const [customer] = await sql<{ id: number }[]>`select id from customers where name = 'Customer 100'`
  const groups = await sql<{ id: number }[]>`
    select id from groups where customer_id = ${customer?.id ?? 0} and parent_id is null order by id`
  // They have the test tenants' roles and passwords.
  for (const [username, like] of [
    ['one-admin', tenants.a.admin.username],
    ['one-user', tenants.a.operator.username],
  ] as const)
    await sql`
      insert into users (username, email, password_hash, type, role_id, customer_id)
      select ${username}, ${`${username}@example.test`}, password_hash, type, role_id, ${customer?.id ?? 0} from users where username = ${like}
      on conflict do nothing`
  await sql`insert into user_groups (user_id, group_id) select u.id, g.id from users u, unnest(${groups.map(({ id }) => id)}::int[]) g(id)
    where u.username = 'one-user' on conflict do nothing`
  const [newest] = await sql<{ id: number }[]>`select max(id) as id from devices where deleted_at is null`
  const [own] = await sql<{ id: number }[]>`
    select max(id) as id from devices where deleted_at is null and customer_id = ${customer?.id ?? 0} and group_id = ${groups[0]?.id ?? 0}`
  return [
    { name: 'platform', username: tenants.superAdmin.username, deviceId: newest?.id },
    { name: 'customer', username: 'one-admin', deviceId: own?.id },
    { name: 'groups', username: 'one-user', deviceId: own?.id },
  ]
}
