import { Readable } from 'node:stream'
import { and, asc, eq, gt, type SQL } from 'drizzle-orm'
import { exportDevices } from '#schema/device/device'
import { BOM, zonedHeading, zonedLines } from '#schema/kit/csv'
import { type Language, refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { type CallContext, downloadHandler } from '../kit/handler.ts'
import { deviceCondition } from './device-filter.ts'
import { deviceColumns } from './device-row.ts'

type Column = Exclude<
  keyof ReturnType<typeof deviceColumns>,
  'deviceId' | 'groupId' | 'customerId' | 'edition' | 'pinEdition'
>

/** In the order of the file; what the list shows too is called as there. */
const titles: Record<Column, Record<Language, string>> = {
  deviceSn: { 'zh-CN': '序列号', 'zh-TW': '序號', 'en-US': 'Serial number' },
  deviceName: { 'zh-CN': '名称', 'zh-TW': '名稱', 'en-US': 'Name' },
  groupName: { 'zh-CN': '分组', 'zh-TW': '群組', 'en-US': 'Group' },
  customerName: { 'zh-CN': '客户', 'zh-TW': '客戶', 'en-US': 'Customer' },
  model: { 'zh-CN': '型号', 'zh-TW': '型號', 'en-US': 'Model' },
  firmware: { 'zh-CN': '固件版本', 'zh-TW': '韌體版本', 'en-US': 'Firmware' },
  online: { 'zh-CN': '状态', 'zh-TW': '狀態', 'en-US': 'State' },
  onlineChangedAt: { 'zh-CN': '状态变更时间', 'zh-TW': '狀態變更時間', 'en-US': 'Since' },
  lastSeenAt: { 'zh-CN': '最后活动', 'zh-TW': '最後活動', 'en-US': 'Last seen' },
  offlineReason: { 'zh-CN': '离线原因', 'zh-TW': '離線原因', 'en-US': 'Offline reason' },
  ip: { 'zh-CN': 'IP 地址', 'zh-TW': 'IP 位址', 'en-US': 'IP address' },
  signalDbm: { 'zh-CN': '信号 (dBm)', 'zh-TW': '訊號 (dBm)', 'en-US': 'Signal (dBm)' },
  networkMode: { 'zh-CN': '网络模式', 'zh-TW': '網路模式', 'en-US': 'Network' },
  trafficTodayBytes: {
    'zh-CN': '今日流量 (UTC，字节)',
    'zh-TW': '今日流量 (UTC，位元組)',
    'en-US': 'Traffic today (UTC, bytes)',
  },
  address: { 'zh-CN': '地址', 'zh-TW': '地址', 'en-US': 'Address' },
  longitude: { 'zh-CN': '经度', 'zh-TW': '經度', 'en-US': 'Longitude' },
  latitude: { 'zh-CN': '纬度', 'zh-TW': '緯度', 'en-US': 'Latitude' },
  manufacturer: { 'zh-CN': '厂商', 'zh-TW': '廠商', 'en-US': 'Manufacturer' },
  hardwareType: { 'zh-CN': '硬件类型', 'zh-TW': '硬體類型', 'en-US': 'Hardware type' },
  hardwareVersion: { 'zh-CN': '硬件版本', 'zh-TW': '硬體版本', 'en-US': 'Hardware version' },
  kernel: { 'zh-CN': '内核', 'zh-TW': '核心', 'en-US': 'Kernel' },
  mac: { 'zh-CN': 'MAC 地址', 'zh-TW': 'MAC 位址', 'en-US': 'MAC address' },
  imei: { 'zh-CN': 'IMEI', 'zh-TW': 'IMEI', 'en-US': 'IMEI' },
  imsi: { 'zh-CN': 'IMSI', 'zh-TW': 'IMSI', 'en-US': 'IMSI' },
  iccid: { 'zh-CN': 'ICCID', 'zh-TW': 'ICCID', 'en-US': 'ICCID' },
  operator: { 'zh-CN': '运营商', 'zh-TW': '電信業者', 'en-US': 'Operator' },
  simState: { 'zh-CN': 'SIM 状态', 'zh-TW': 'SIM 狀態', 'en-US': 'SIM status' },
  onlineCount: { 'zh-CN': '上线次数', 'zh-TW': '上線次數', 'en-US': 'Times online' },
  offlineCount: { 'zh-CN': '离线次数', 'zh-TW': '離線次數', 'en-US': 'Times offline' },
  lastLoginAt: { 'zh-CN': '最近上线时间', 'zh-TW': '最近上線時間', 'en-US': 'Last came online' },
  lastLogoutAt: { 'zh-CN': '最近离线时间', 'zh-TW': '最近離線時間', 'en-US': 'Last went offline' },
  timeZone: { 'zh-CN': '时区', 'zh-TW': '時區', 'en-US': 'Time zone' },
  createdAt: { 'zh-CN': '创建时间', 'zh-TW': '建立時間', 'en-US': 'Created' },
  duplicateSuspectedAt: { 'zh-CN': '疑似重复时间', 'zh-TW': '疑似重複時間', 'en-US': 'Duplicate suspected' },
}
const states: Record<'true' | 'false', Record<Language, string>> = {
  true: { 'zh-CN': '在线', 'zh-TW': '線上', 'en-US': 'Online' },
  false: { 'zh-CN': '离线', 'zh-TW': '離線', 'en-US': 'Offline' },
}
const allColumns = Object.keys(titles) as Column[]
const isColumn = (name: string): name is Column => Object.hasOwn(titles, name)

const ROWS_AT_ONCE = 2_000

/**
 * Reads on from the last serial number instead of holding a cursor: a slow reader must not keep one of the few
 * database connections for as long as he likes.
 */
async function* lines(ctx: CallContext, condition: SQL, columns: Column[], zone: string) {
  const line = zonedLines(zone)
  yield BOM + line(columns.map((name) => zonedHeading(name, titles[name][ctx.language], zone)))
  for (let last = ''; ; ) {
    const rows = await ctx.db
      .select(deviceColumns(ctx.now()))
      .from(devices)
      .innerJoin(groups, eq(groups.id, devices.groupId))
      .innerJoin(customers, eq(customers.id, devices.customerId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
      .where(and(condition, gt(devices.sn, last)))
      .orderBy(asc(devices.sn))
      .limit(ROWS_AT_ONCE)
    const cell = (row: (typeof rows)[number], name: Column) =>
      name === 'online' ? states[`${Boolean(row.online)}`][ctx.language] : row[name]
    if (rows.length > 0) yield rows.map((row) => line(columns.map((name) => cell(row, name)))).join('')
    if (rows.length < ROWS_AT_ONCE) return
    last = rows.at(-1)?.deviceSn ?? ''
  }
}

export const exportDevicesHandler = downloadHandler(exportDevices, async (ctx, body) => {
  const wrong = body.columns?.find((name) => !isColumn(name))
  if (wrong !== undefined) refuse(sessionRefusals.invalid, { field: 'columns', reason: wrong }, 'columns')
  const chosen = body.columns?.length ? body.columns.filter(isColumn) : allColumns
  const condition = await deviceCondition(ctx, body)
  const stamp = ctx.now().toISOString().slice(0, 19).replaceAll(':', '')
  return {
    fileName: `devices-${stamp}Z.csv`,
    mime: 'text/csv; charset=utf-8',
    stream: Readable.from(lines(ctx, condition, chosen, body.zone)),
  }
})
