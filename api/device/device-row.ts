/** One row of the device list, as selected by the list, the detail and the export. */
import { sql } from 'drizzle-orm'
import { customers } from '#schema/tables/customer'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import type { Actor } from '../kit/actor.ts'
import { editionOf } from '../kit/edition.ts'
import { ownDay } from '../kit/history.ts'
import { isOnline } from './device-filter.ts'
import { storedDevice } from './device-object.ts'
import { position } from './device-position.ts'
import { stateColumns } from './device-state.ts'

/** UTC calendar day, as in `traffic_days`. */
const utcDay = (now: Date) => now.toISOString().slice(0, 10)

/**
 * Null while nothing was counted today: unknown is not zero. The day of a move belongs partly to the former owner and
 * counts for no customer.
 */
const trafficToday = (now: Date) =>
  sql<
    number | null
  >`(select t.rx_bytes + t.tx_bytes from traffic_days t where t.device_id = ${devices.id} and t.day = ${utcDay(now)}
    and ${ownDay(sql`t.day`)})`.mapWith((value) => (value === null ? null : Number(value)))

/** Needs `devices` joined with `device_states` (left), `groups` and `customers`. */
export const deviceColumns = ({ actor, now }: { actor: Actor; now(): Date }) => ({
  deviceId: devices.id,
  deviceSn: devices.sn,
  deviceName: devices.name,
  groupId: devices.groupId,
  groupName: groups.name,
  customerId: devices.customerId,
  customerName: customers.name,
  model: devices.model,
  firmware: devices.firmware,
  ...stateColumns({ actor, now: now() }),
  online: isOnline,
  onlineChangedAt: deviceStates.onlineChangedAt,
  lastSeenAt: deviceStates.lastSeenAt,
  offlineReason: deviceStates.offlineReason,
  ip: deviceStates.ip,
  signalDbm: deviceStates.signalDbm,
  networkMode: deviceStates.networkMode,
  trafficTodayBytes: trafficToday(now()),
  address: devices.address,
  dataPlanMb: devices.dataPlanMb,
  hardwareType: devices.hardwareType,
  hardwareVersion: devices.hardwareVersion,
  manufacturer: devices.manufacturer,
  kernel: devices.kernel,
  mac: devices.mac,
  imei: devices.imei,
  imsi: devices.imsi,
  iccid: devices.iccid,
  operator: devices.operator,
  simState: devices.simState,
  longitude: position.longitude,
  latitude: position.latitude,
  onlineCount: sql<number>`coalesce(${deviceStates.onlineCount}, 0)`,
  offlineCount: sql<number>`coalesce(${deviceStates.offlineCount}, 0)`,
  lastLoginAt: deviceStates.lastLoginAt,
  lastLogoutAt: deviceStates.lastLogoutAt,
  createdAt: devices.createdAt,
  timeZone: devices.timeZone,
  duplicateSuspectedAt: deviceStates.duplicateSuspectedAt,
  edition: editionOf(storedDevice.parts.main),
  pinEdition: editionOf(storedDevice.parts.pin),
})
