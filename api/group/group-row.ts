/** Rows of groups in lists: found first, then filled with names and counts. */
import { and, asc, count, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { users } from '#schema/tables/user'
import type { Actor } from '../kit/actor.ts'
import { editionOf } from '../kit/edition.ts'
import { knownName } from '../kit/known-name.ts'
import { visible } from '../kit/scope.ts'
import { storedGroup } from './group-object.ts'

type Caller = Pick<Context, 'db'> & { actor: Actor }

export const parents = alias(groups, 'parents')
export const creators = alias(users, 'creators')
const owners = alias(users, 'owners')
const children = alias(groups, 'children')

/** The same join for finding and for filling; an invisible parent counts as none. */
const parentOf = ({ actor }: Caller): SQL | undefined =>
  and(
    eq(parents.id, groups.parentId),
    actor.groupIds === null ? undefined : inArray(parents.id, [...actor.groupIds, 0]),
  )

/** Up to this number of groups their devices are looked up one by one; above it, both tables are read completely. */
const FEW = 100

/** Number of devices and online devices of all groups, or of these: as a join on `groupId`. */
const deviceCounts = ({ db, actor }: Caller, ids?: readonly number[]) => {
  const few = ids !== undefined && ids.length <= FEW
  const online = few
    ? // Otherwise the planner would hash 100,000 states for the devices of ten groups.
      sql`count(*) filter (where (select ${deviceStates.online} from ${deviceStates} where ${deviceStates.deviceId} = ${devices.id}))`
    : sql`count(${deviceStates.deviceId})`
  const counting = db
    .select({
      groupId: devices.groupId,
      total: count().as('device_total'),
      online: sql<number>`${online}`.mapWith(Number).as('device_online'),
    })
    .from(devices)
    .$dynamic()
  if (!few)
    counting.leftJoin(deviceStates, and(eq(deviceStates.deviceId, devices.id), eq(deviceStates.online, true)))
  const these = ids === undefined ? undefined : sql`${devices.groupId} = any(${sql.param(ids)}::int[])`
  return counting
    .where(and(visible(actor).devices, these))
    .groupBy(devices.groupId)
    .as('counts')
}

/**
 * Visible groups that match `condition`, which may use parents, creators, customers and n2n servers; to be filled.
 */
export const foundGroups = (caller: Caller, condition: SQL | undefined) => ({
  table: groups,
  rows: caller.db
    .select({ id: groups.id })
    .from(groups)
    .innerJoin(customers, eq(customers.id, groups.customerId))
    .leftJoin(parents, parentOf(caller))
    .leftJoin(creators, eq(creators.id, groups.createdBy))
    .leftJoin(n2nServers, eq(n2nServers.id, groups.n2nServerId)),
  condition,
  by: { groupName: groups.name, gid: groups.id, level: groups.level, updateTime: groups.updatedAt },
  countJoined: true,
})

/** The rows of these groups, in this order. */
export async function fillGroups(found: readonly { id: number }[], caller: Caller) {
  const ids = found.map(({ id }) => id)
  const rows = await fill(caller, ids)
  const byId = new Map(rows.map((row) => [row.gid, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function fill(caller: Caller, ids: readonly number[]) {
  const { db } = caller
  if (ids.length === 0) return []
  const these = sql`= any(${sql.param(ids)}::int[])`
  const counts = deviceCounts(caller, ids)
  const below = db
    .select({ parentId: children.parentId, total: count().as('child_total') })
    .from(children)
    .where(sql`${children.parentId} ${these}`)
    .groupBy(children.parentId)
    .as('below')
  return db
    .select({
      gid: groups.id,
      groupName: groups.name,
      level: groups.level,
      parentGroupId: parents.id,
      parentName: parents.name,
      cid: groups.customerId,
      customerName: customers.name,
      isDefault: groups.isDefault,
      deviceTotal: sql<number>`coalesce(${counts.total}, 0)`.mapWith(Number),
      deviceOnline: sql<number>`coalesce(${counts.online}, 0)`.mapWith(Number),
      childTotal: sql<number>`coalesce(${below.total}, 0)`.mapWith(Number),
      uid: groups.ownerId,
      dataPlanMb: groups.dataPlanMb,
      ownerName: knownName(caller.actor, owners),
      creator: knownName(caller.actor, creators, groups.createdBy),
      name: groups.remoteAccount,
      hasPassword: sql<boolean>`${isNotNull(groups.remotePassword)}`,
      ip: groups.remoteIp,
      loginType: groups.loginType,
      loginNum: groups.loginNum,
      n2nInfoBridge: groups.bridged,
      n2nIfnoMaskbit: groups.maskBits,
      remoteApproval: groups.remoteApproval,
      remoteTargets: sql<string>`coalesce(${groups.remoteTargets}, '')`,
      groupServiceDistribution: groups.n2nServerId,
      n2nVersion: n2nServers.version,
      port: n2nServers.port,
      superlink: sql<string | null>`${n2nServers.address} || ':' || ${n2nServers.port}`,
      remoteLogins: groups.remoteLogins,
      updateTime: groups.updatedAt,
      edition: editionOf(storedGroup.parts.main),
    })
    .from(groups)
    .innerJoin(customers, eq(customers.id, groups.customerId))
    .leftJoin(parents, parentOf(caller))
    .leftJoin(owners, eq(owners.id, groups.ownerId))
    .leftJoin(creators, eq(creators.id, groups.createdBy))
    .leftJoin(n2nServers, eq(n2nServers.id, groups.n2nServerId))
    .leftJoin(counts, eq(counts.groupId, groups.id))
    .leftJoin(below, eq(below.parentId, groups.id))
    .where(and(visible(caller.actor).groups, sql`${groups.id} ${these}`))
}

type TreeCounts = { treeTotal: number; treeOnline: number }

/**
 * Devices of these groups with those of the groups below them, by group; groups without any are absent. The trees are read
 * first: for a number of groups that it does not know, the planner would read all devices.
 */
export async function treeCounts(found: readonly { id: number }[], caller: Caller) {
  const sums = new Map<number, TreeCounts>()
  const ids = found.map(({ id }) => id)
  if (ids.length === 0) return sums
  const tree = await caller.db.execute<{ top: number; id: number }>(sql`
    with recursive tree as (
      select id as top, id from groups where id = any(${sql.param(ids)}::int[])
      union all select tree.top, below.id from groups below join tree on below.parent_id = tree.id
    ) select top, id from tree`)
  const counts = deviceCounts(caller, [...new Set(tree.map(({ id }) => id))])
  const { groupId, total, online } = counts
  const counted = await caller.db.select({ groupId, total, online }).from(counts)
  const own = new Map(counted.map((one) => [one.groupId, one]))
  for (const { top, id } of tree) {
    const one = own.get(id)
    if (!one) continue
    const sum = sums.get(top) ?? { treeTotal: 0, treeOnline: 0 }
    sum.treeTotal += one.total
    sum.treeOnline += one.online
    sums.set(top, sum)
  }
  return sums
}

/** Visible groups with few fields, for trees and pickers. */
export function smallGroups(caller: Caller, condition?: SQL) {
  const counts = deviceCounts(caller)
  return caller.db
    .select({
      gid: groups.id,
      groupName: groups.name,
      level: groups.level,
      parentGroupId: parents.id,
      cid: groups.customerId,
      isDefault: groups.isDefault,
      deviceTotal: sql<number>`coalesce(${counts.total}, 0)`.mapWith(Number),
      deviceOnline: sql<number>`coalesce(${counts.online}, 0)`.mapWith(Number),
    })
    .from(groups)
    .leftJoin(parents, parentOf(caller))
    .leftJoin(counts, eq(counts.groupId, groups.id))
    .where(and(visible(caller.actor).groups, condition))
    .orderBy(desc(groups.isDefault), asc(groups.name), asc(groups.id))
}
