import { and, eq, ilike, notInArray, or } from 'drizzle-orm'
import { getGroupDevices, groupQueryTypes } from '#schema/group/group-devices'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { isOnline } from '../device/device-filter.ts'
import { stateColumns } from '../device/device-state.ts'
import { rowOf } from '../kit/about.ts'
import { listOf } from '../kit/list-of.ts'
import { contains } from '../kit/paging.ts'
import { groupTree, inGroupTree } from '../kit/visible-ids.ts'
import { storedGroup } from './group-object.ts'

export const getGroupDevicesHandler = listOf(getGroupDevices, 'devices', async (ctx, body) => {
  const group = rowOf(ctx, storedGroup)
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
  const found = text ? or(ilike(devices.sn, contains(text)), ilike(devices.name, contains(text))) : undefined
  return {
    table: devices,
    rows: ctx.db
      .select({
        deviceId: devices.id,
        deviceSn: devices.sn,
        deviceName: devices.name,
        groupId: devices.groupId,
        groupName: groups.name,
        ...stateColumns({ actor: ctx.actor, now: ctx.now() }),
        online: isOnline,
        onlineChangedAt: deviceStates.onlineChangedAt,
        offlineReason: deviceStates.offlineReason,
        lastSeenAt: deviceStates.lastSeenAt,
      })
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.groupId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id)),
    condition: and(belongs, found),
  }
})
