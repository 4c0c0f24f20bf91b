import { and, asc, count, desc, eq, ilike, isNull, sql } from 'drizzle-orm'
import { getGroupList } from '#schema/group'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { handler } from '../handler.ts'
import { contains, page } from '../paging.ts'
import { visible } from '../scope.ts'

export const getGroupListHandler = handler(getGroupList, async ({ db, actor }, body) => {
  const parent =
    body.pid === undefined
      ? undefined
      : body.pid === 0
        ? isNull(groups.parentId)
        : eq(groups.parentId, body.pid)
  const where = and(
    visible(actor).groups,
    parent,
    body.search ? ilike(groups.name, contains(body.search)) : undefined,
  )
  const counts = db
    .select({
      groupId: devices.groupId,
      total: count().as('device_total'),
      online: sql<number>`count(*) filter (where ${deviceStates.online})`.mapWith(Number).as('device_online'),
    })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(visible(actor).devices)
    .groupBy(devices.groupId)
    .as('counts')
  const column = body.sort === 'gid' ? groups.id : groups.name
  const list = await db
    .select({
      gid: groups.id,
      groupName: groups.name,
      level: groups.level,
      parentGroupId: groups.parentId,
      cid: groups.customerId,
      customerName: customers.name,
      isDefault: groups.isDefault,
      deviceTotal: sql<number>`coalesce(${counts.total}, 0)`.mapWith(Number),
      deviceOnline: sql<number>`coalesce(${counts.online}, 0)`.mapWith(Number),
    })
    .from(groups)
    .innerJoin(customers, eq(customers.id, groups.customerId))
    .leftJoin(counts, eq(counts.groupId, groups.id))
    .where(where)
    .orderBy(body.order === 'desc' ? desc(column) : asc(column), asc(groups.id))
    .limit(body.limit)
    .offset(page(body))
  const [counted] = await db.select({ total: count() }).from(groups).where(where)
  return { list, total: counted?.total ?? 0 }
})
