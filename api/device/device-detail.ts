import { and, eq, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { getDeviceDetail } from '#schema/device/device'
import { eachFigure } from '#schema/device/figure'
import type { networkInterface } from '#schema/device/status'
import type { ReplyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { type CallContext, handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { position } from './device-position.ts'
import { deviceColumns } from './device-row.ts'
import { readActiveAlarms } from './device-state.ts'
import { readTraffic } from './device-traffic.ts'

type Detail = ReplyOf<typeof getDeviceDetail>

async function readActiveTask({ sql }: CallContext, deviceId: number): Promise<Detail['activeTask']> {
  const [task] = await sql<NonNullable<Detail['activeTask']>[]>`
    select t.id as "taskId", t.kind, t.name, i.step, i.percent from task_items i join tasks t on t.id = i.task_id
    where i.device_id = ${deviceId} and i.outcome is null and not i.superseded
    order by i.sending = 'none', i.step_at desc limit 1`
  return task ?? null
}

/** Devices including abnormal ones, whose page is still readable. */
const seen = ({ actor }: CallContext) => or(visible(actor).devices, visible(actor).unusualDevices)

async function readSwaps(
  ctx: CallContext,
  deviceId: number,
  replacesId: number | null,
): Promise<Pick<Detail, 'replaces' | 'replacedBy'>> {
  const rows = await ctx.db
    .select({ deviceId: devices.id, deviceSn: devices.sn, replacesId: devices.replacesId })
    .from(devices)
    .where(
      and(
        seen(ctx),
        or(eq(devices.replacesId, deviceId), replacesId === null ? undefined : eq(devices.id, replacesId)),
      ),
    )
  const deviceOf = (found: (typeof rows)[number] | undefined) =>
    found ? { deviceId: found.deviceId, deviceSn: found.deviceSn } : null
  return {
    replaces: deviceOf(rows.find((found) => found.deviceId === replacesId)),
    replacedBy: deviceOf(rows.find((found) => found.replacesId === deviceId)),
  }
}

export const getDeviceDetailHandler = handler(getDeviceDetail, async (ctx, body) => {
  const [row] = await ctx.db
    .select({
      ...deviceColumns(ctx),
      configHash: devices.configHash,
      packages: devices.packages,
      features: devices.features,
      helloAt: devices.helloAt,
      statusAt: deviceStates.statusAt,
      uptimeS: deviceStates.uptimeS,
      memoryTotalBytes: deviceStates.memoryTotalBytes,
      memoryUsedBytes: deviceStates.memoryUsedBytes,
      ...eachFigure(({ name }) => deviceStates[name]),
      clients: deviceStates.clients,
      interfaces: deviceStates.interfaces,
      positionSource: position.source,
      clockSkewMs: devices.clockSkewMs,
      hasSecret: sql<boolean>`${devices.secretHash} is not null`,
      secretUsedAt: devices.secretUsedAt,
      deletedAt: devices.deletedAt,
      deletedReason: devices.deletedReason,
      replacesId: devices.replacesId,
    })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .innerJoin(customers, eq(customers.id, devices.customerId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(and(seen(ctx), eq(devices.id, body.deviceId)))
  if (!row) refuse(absent)
  const [traffic, activeTask, activeAlarms, swaps] = await Promise.all([
    readTraffic(ctx, body.deviceId, body.zone),
    readActiveTask(ctx, body.deviceId),
    readActiveAlarms(ctx, body.deviceId),
    readSwaps(ctx, body.deviceId, row.replacesId),
  ])
  const { hasSecret, secretUsedAt, interfaces, replacesId: _, ...rest } = row
  const credential: Detail['credential'] = !hasSecret
    ? 'revoked'
    : secretUsedAt === null
      ? 'pending'
      : 'active'
  return {
    ...rest,
    interfaces: interfaces as z.output<typeof networkInterface>[] | null,
    credential,
    activeTask,
    activeAlarms,
    backupsKept: await ctx.parameters.get('backupsKept'),
    traffic,
    ...swaps,
  }
})
