import { and, eq, sql } from 'drizzle-orm'
import { getConfigList } from '#schema/config/config-list'
import type { ConfigState } from '#schema/config/config-state'
import { configDrafts, deviceConfigs } from '#schema/tables/config'
import { configTemplateStates } from '#schema/tables/config-template'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { deviceCondition } from '../device/device-filter.ts'
import { listOf } from '../kit/list-of.ts'
import { knownAt } from './known-at.ts'

const state = sql<ConfigState>`coalesce(${deviceConfigs.state}, 'unsupported')`

/** Drafts of a former owner do not count. */
const edited =
  sql<number>`(select coalesce(sum(jsonb_array_length(${configDrafts.fields})), 0) from ${configDrafts}
  where ${configDrafts.deviceId} = ${devices.id} and ${configDrafts.customerId} = ${devices.customerId})`.mapWith(
    Number,
  )

export const getConfigListHandler = listOf(getConfigList, 'devices', async (ctx, body) => ({
  table: devices,
  rows: (pick) =>
    ctx.db
      .select(
        pick({
          deviceId: devices.id,
          deviceSn: devices.sn,
          deviceName: devices.name,
          groupId: devices.groupId,
          groupName: sql<string>`${groups.name}`,
          model: devices.model,
          firmware: devices.firmware,
          imei: devices.imei,
          iccid: devices.iccid,
          mac: devices.mac,
          ip: deviceStates.ip,
          timeZone: devices.timeZone,
          online: deviceStates.online,
          configState: state,
          drift: sql<number>`coalesce(${deviceConfigs.drift}, 0)`.mapWith(Number),
          edited,
          revision: sql<number>`coalesce(${deviceConfigs.revision}, 0)`.mapWith(Number),
          ended: deviceConfigs.ended,
          endedAt: deviceConfigs.endedAt,
          detail: deviceConfigs.detail,
          readAt: knownAt(ctx.now()),
          templates: configTemplateStates.templates,
          templateChanges: configTemplateStates.changes,
          templateFaulty: configTemplateStates.isFaulty,
        }),
      )
      .from(devices)
      // Every device has one; the planner leaves out only left joins.
      .leftJoin(groups, eq(groups.id, devices.groupId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
      .leftJoin(deviceConfigs, eq(deviceConfigs.deviceId, devices.id))
      // It says nothing about a document that no longer runs.
      .leftJoin(
        configTemplateStates,
        and(
          eq(configTemplateStates.deviceId, devices.id),
          eq(configTemplateStates.ofHash, deviceConfigs.documentHash),
          eq(configTemplateStates.groupId, devices.groupId),
          eq(configTemplateStates.customerId, devices.customerId),
        ),
      ),
  condition: await deviceCondition(ctx, body),
}))
