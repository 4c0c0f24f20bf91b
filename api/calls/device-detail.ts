import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { getDeviceDetail } from '#schema/device'
import type { ReplyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import type { networkInterface } from '#schema/status'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { deviceColumns, utcDay } from '../device-row.ts'
import { type CallContext, handler } from '../handler.ts'
import { visible } from '../scope.ts'

const DAY_MS = 86_400_000
const DAYS_SHOWN = 7

type Detail = ReplyOf<typeof getDeviceDetail>

async function readTraffic({ sql, now }: CallContext, deviceId: number): Promise<Detail['traffic']> {
  const today = utcDay(now())
  const days = Array.from({ length: DAYS_SHOWN }, (_, i) =>
    utcDay(new Date(now().getTime() - (DAYS_SHOWN - 1 - i) * DAY_MS)),
  )
  const [sums] = await sql<{ month: number | null; total: number | null }[]>`
    select sum(rx_bytes + tx_bytes) filter (where day >= date_trunc('month', ${today}::date))::bigint as month,
      sum(rx_bytes + tx_bytes)::bigint as total
    from traffic_days where device_id = ${deviceId}`
  const counted = await sql<{ day: string; rxBytes: number; txBytes: number }[]>`
    select day::text as day, rx_bytes as "rxBytes", tx_bytes as "txBytes" from traffic_days
    where device_id = ${deviceId} and day >= ${days[0] ?? today}::date`
  const byDay = new Map(counted.map((row) => [row.day, row]))
  const found = byDay.get(today)
  return {
    todayBytes: found ? found.rxBytes + found.txBytes : null,
    monthBytes: sums?.month ?? null,
    totalBytes: sums?.total ?? null,
    days: days.map((day) => ({
      day,
      rxBytes: byDay.get(day)?.rxBytes ?? null,
      txBytes: byDay.get(day)?.txBytes ?? null,
    })),
  }
}

async function readActiveTask({ sql }: CallContext, deviceId: number): Promise<Detail['activeTask']> {
  const [task] = await sql<NonNullable<Detail['activeTask']>[]>`
    select t.id as "taskId", t.name, i.step, i.percent from task_items i join tasks t on t.id = i.task_id
    where i.device_id = ${deviceId} and i.outcome is null and not i.superseded
    order by i.sending = 'none', i.step_at desc limit 1`
  return task ?? null
}

export const getDeviceDetailHandler = handler(getDeviceDetail, async (ctx, body) => {
  const [row] = await ctx.db
    .select({
      ...deviceColumns(ctx.now()),
      hardwareType: devices.hardwareType,
      hardwareVersion: devices.hardwareVersion,
      manufacturer: devices.manufacturer,
      kernel: devices.kernel,
      mac: devices.mac,
      imei: devices.imei,
      imsi: devices.imsi,
      iccid: devices.iccid,
      operator: devices.operator,
      configHash: devices.configHash,
      packages: devices.packages,
      features: devices.features,
      helloAt: devices.helloAt,
      statusAt: deviceStates.statusAt,
      uptimeS: deviceStates.uptimeS,
      load1: deviceStates.load1,
      memoryTotalBytes: deviceStates.memoryTotalBytes,
      memoryUsedBytes: deviceStates.memoryUsedBytes,
      temperatureCelsius: deviceStates.temperatureCelsius,
      clients: deviceStates.clients,
      interfaces: deviceStates.interfaces,
      manual: { longitude: devices.longitude, latitude: devices.latitude },
      gps: { longitude: deviceStates.gpsLongitude, latitude: deviceStates.gpsLatitude },
      onlineCount: sql<number>`coalesce(${deviceStates.onlineCount}, 0)`,
      offlineCount: sql<number>`coalesce(${deviceStates.offlineCount}, 0)`,
      lastLoginAt: deviceStates.lastLoginAt,
      lastLogoutAt: deviceStates.lastLogoutAt,
      clockSkewMs: devices.clockSkewMs,
      createdAt: devices.createdAt,
      hasSecret: sql<boolean>`${devices.secretHash} is not null`,
      secretUsedAt: devices.secretUsedAt,
    })
    .from(devices)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .innerJoin(customers, eq(customers.id, devices.customerId))
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(and(visible(ctx.actor).devices, eq(devices.id, body.deviceId)))
  if (!row) refuse(refusals.noPermission)
  const [traffic, activeTask] = await Promise.all([
    readTraffic(ctx, body.deviceId),
    readActiveTask(ctx, body.deviceId),
  ])
  const { manual, gps, hasSecret, secretUsedAt, interfaces, ...rest } = row
  // What the device measures is fresher than what somebody once typed.
  const source: Detail['positionSource'] =
    gps?.longitude != null ? 'gps' : manual.longitude !== null ? 'manual' : null
  const position = source === 'gps' ? gps : manual
  const credential: Detail['credential'] = !hasSecret
    ? 'revoked'
    : secretUsedAt === null
      ? 'pending'
      : 'active'
  return {
    ...rest,
    interfaces: interfaces as z.output<typeof networkInterface>[] | null,
    longitude: position?.longitude ?? null,
    latitude: position?.latitude ?? null,
    positionSource: source,
    credential,
    activeTask,
    traffic,
  }
})
