import { and, asc, count, desc, eq, ilike, notInArray, or } from 'drizzle-orm'
import { getGroupDevices, groupQueryTypes } from '#schema/group/group-devices'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { isOnline } from '../device/device-filter.ts'
import { handler } from '../kit/handler.ts'
import { contains, page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { groupTree, inGroupTree, reachGroup } from '../kit/visible-ids.ts'

export const getGroupDevicesHandler = handler(getGroupDevices, async (ctx, body) => {
  const { db, actor } = ctx
  const group = await reachGroup(ctx, body.gid)
  const belongs =
    body.queryType === groupQueryTypes.own
      ? eq(devices.groupId, group.id)
      : body.queryType === groupQueryTypes.below
        ? await inGroupTree(ctx, group.id)
        : and(
            eq(devices.customerId, group.customerId),
            notInArray(devices.groupId, await groupTree(ctx, group.id)),
          )
  const text = body.sn || body.search
  const where = and(
    visible(actor).devices,
    belongs,
    text ? or(ilike(devices.sn, contains(text)), ilike(devices.name, contains(text))) : undefined,
  )
  const column = body.sort === 'deviceName' ? devices.name : devices.sn
  const list = db
    .select({
      deviceId: devices.id,
      deviceSn: devices.sn,
      deviceName: devices.name,
      groupId: devices.groupId,
      groupName: groups.name,
      online: isOnline,
      onlineChangedAt: deviceStates.onlineChangedAt,
      offlineReason: deviceStates.offlineReason,
      lastSeenAt: deviceStates.lastSeenAt,
    })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(where)
    .orderBy(body.order === 'desc' ? desc(column) : asc(column), asc(devices.id))
    .limit(body.limit)
    .offset(page(body))
  const [rows, [counted]] = await Promise.all([
    list,
    db.select({ total: count() }).from(devices).where(where),
  ])
  return { list: rows, total: counted?.total ?? 0 }
})
