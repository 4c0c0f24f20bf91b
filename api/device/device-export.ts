import { Readable } from 'node:stream'
import { and, asc, eq, gt, type SQL } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { exportDevices } from '#schema/device/device'
import { BOM, zonedHeading, zonedLines } from '#schema/kit/csv'
import type { Key, ServerKey } from '#schema/kit/words.gen'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { type CallContext, downloadHandler } from '../kit/handler.ts'
import { refuseChoice } from '../kit/refuse-choice.ts'
import { deviceCondition } from './device-filter.ts'
import { deviceColumns } from './device-row.ts'

type Column = Exclude<
  keyof ReturnType<typeof deviceColumns>,
  'deviceId' | 'groupId' | 'customerId' | 'stateAt' | 'statePercent' | 'edition' | 'pinEdition'
>

/** In the order of the file; columns of the list have the same titles. */
const titles: Record<Column, Key | ServerKey> = {
  deviceSn: 'device:column.deviceSn',
  deviceName: 'device:column.deviceName',
  groupName: 'device:column.groupName',
  customerName: 'device:column.customerName',
  model: 'device:column.model',
  firmware: 'device:column.firmware',
  state: 'device:column.state',
  alarmSeverity: 'device:csv.alarmSeverity',
  alarmCount: 'device:csv.alarmCount',
  online: 'device:filter.online',
  onlineChangedAt: 'device:csv.onlineChangedAt',
  lastSeenAt: 'device:column.lastSeenAt',
  offlineReason: 'device:csv.offlineReason',
  ip: 'device:column.ip',
  signalDbm: 'device:column.signalDbm',
  networkMode: 'device:column.networkMode',
  trafficTodayBytes: 'device:csv.trafficTodayBytes',
  address: 'device:column.address',
  dataPlanMb: 'device:column.dataPlanMb',
  longitude: 'device:network.longitude',
  latitude: 'device:network.latitude',
  manufacturer: 'device:fact.manufacturer',
  hardwareType: 'device:csv.hardwareType',
  hardwareVersion: 'device:csv.hardwareVersion',
  kernel: 'device:csv.kernel',
  mac: 'device:column.mac',
  imei: 'device:column.imei',
  imsi: 'device:column.imsi',
  iccid: 'device:column.iccid',
  operator: 'device:network.operator',
  simState: 'device:column.simState',
  onlineCount: 'device:fact.onlineCount',
  offlineCount: 'device:fact.offlineCount',
  lastLoginAt: 'device:csv.lastLoginAt',
  lastLogoutAt: 'device:csv.lastLogoutAt',
  timeZone: 'detail:schedule.zone',
  createdAt: 'device:fact.createdAt',
  duplicateSuspectedAt: 'device:csv.duplicateSuspectedAt',
}
const allColumns = Object.keys(titles) as Column[]
const isColumn = (name: string): name is Column => Object.hasOwn(titles, name)

const ROWS_AT_ONCE = 2_000

/**
 * Continues from the last serial number instead of holding a cursor: a slow reader must not occupy one of the few
 * database connections.
 */
async function* lines(ctx: CallContext, condition: SQL, columns: Column[], zone: string) {
  const line = zonedLines(zone)
  const say = sayIn(ctx.language)
  yield BOM + line(columns.map((name) => zonedHeading(name, say(titles[name]), zone)))
  for (let last = ''; ; ) {
    const rows = await ctx.db
      .select(deviceColumns(ctx))
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.groupId))
      .innerJoin(customers, eq(customers.id, devices.customerId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
      .where(and(condition, gt(devices.sn, last)))
      .orderBy(asc(devices.sn))
      .limit(ROWS_AT_ONCE)
    const cell = (row: (typeof rows)[number], name: Column) => {
      if (name === 'online') return say(row.online ? 'kit:tone.online' : 'kit:tone.offline')
      if (name === 'state') return say(`device-state:${row.state}`)
      if (name === 'alarmSeverity' && row.alarmSeverity) return say(`severity:${row.alarmSeverity}`)
      if (name === 'offlineReason' && row.offlineReason)
        return say(`device:offlineReason.${row.offlineReason}`)
      return name === 'simState' && row.simState ? say(`device:sim.${row.simState}`) : row[name]
    }
    if (rows.length > 0) yield rows.map((row) => line(columns.map((name) => cell(row, name)))).join('')
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.deviceSn ?? ''
  }
}

export const exportDevicesHandler = downloadHandler(exportDevices, async (ctx, body) => {
  if (body.columns?.some((name) => !isColumn(name))) refuseChoice(ctx, 'columns', allColumns)
  const chosen = body.columns?.length ? body.columns.filter(isColumn) : allColumns
  const condition = await deviceCondition(ctx, body)
  const stamp = ctx.now().toISOString().slice(0, 19).replaceAll(':', '')
  return {
    fileName: `devices-${stamp}Z.csv`,
    mime: 'text/csv; charset=utf-8',
    stream: Readable.from(lines(ctx, condition, chosen, body.zone)),
  }
})
