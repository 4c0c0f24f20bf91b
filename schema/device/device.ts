/** Devices: the list, the detail, creating and importing them, and their secrets. */
import { z } from 'zod'
import { configFilter } from '../config/config-state.ts'
import { groupObject } from '../group/group-object.ts'
import { edits, finds, makes, uses } from '../kit/about.ts'
import { bodyLimits, call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { labelled, secret } from '../kit/field.ts'
import { listCall, searchText } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { zoneName } from '../report/report.ts'
import { dataPlanMb } from '../task/data-plan.ts'
import { deviceNeeds } from './device-need.ts'
import { deviceObject } from './device-object.ts'
import {
  deviceCreatePermission,
  deviceDetailPermission,
  deviceEditPermission,
  deviceExportPermission,
  deviceListPermission,
  deviceSecretPermission,
} from './device-pages.ts'
import { activeAlarms, activeTask, deviceStateFields, deviceStates } from './device-state.ts'
import { mqttAddresses } from './enrol.ts'
import { figureValues } from './figure.ts'
import { serialNumber } from './hello.ts'
import { region } from './region.ts'
import { simStates } from './section-radio.ts'
import { networkInterface } from './status.ts'

const id = rowId
export const deviceName = line(64).min(1)
export const deviceAddress = z.string().trim().min(1).max(200)
/** [§5 Device] A call that sets the name also sets the location. */
const named = labelled(
  { deviceName, address: deviceAddress },
  { deviceName: 'device:column.deviceName', address: 'device:column.address' },
)

export const deviceRow = z.object({
  deviceId: z.number(),
  deviceSn: z.string(),
  deviceName: z.string(),
  groupId: z.number(),
  groupName: z.string(),
  customerId: z.number(),
  customerName: z.string(),
  model: z.string().nullable(),
  firmware: z.string().nullable(),
  ...deviceStateFields,
  online: z.boolean(),
  /** When it came online or went offline; null: never seen. */
  onlineChangedAt: instant.nullable(),
  lastSeenAt: instant.nullable(),
  offlineReason: z.string().nullable(),
  ip: z.string().nullable(),
  signalDbm: z.number().nullable(),
  networkMode: z.string().nullable(),
  trafficTodayBytes: z.number().nullable(),
  address: z.string().nullable(),
  dataPlanMb: z.number().nullable().describe('its own mobile data plan; null: that of its group'),
  hardwareType: z.string().nullable(),
  hardwareVersion: z.string().nullable(),
  manufacturer: z.string().nullable(),
  kernel: z.string().nullable(),
  mac: z.string().nullable(),
  imei: z.string().nullable(),
  imsi: z.string().nullable(),
  iccid: z.string().nullable(),
  operator: z.string().nullable(),
  simState: z.enum(simStates).nullable().describe('of the SIM in use'),
  /** The position set by a user, else the last GPS position; WGS-84. */
  longitude: z.number().nullable(),
  latitude: z.number().nullable(),
  onlineCount: z.number(),
  offlineCount: z.number(),
  lastLoginAt: instant.nullable(),
  lastLogoutAt: instant.nullable(),
  createdAt: instant,
  timeZone: deviceZone,
  /** More than one machine seems to use this serial number. */
  duplicateSuspectedAt: instant.nullable(),
  edition,
  pinEdition: edition.describe('of the pin set by a user: for placeDevice'),
})

/** The filters of the device list; a bulk action may contain them instead of ids ("all 1,284 matching"). */
export const deviceFilter = z.object({
  search: searchText(['serial number', 'name', 'IMEI', 'ICCID', 'MAC', 'IP']),
  customerId: id.optional(),
  groupId: id.optional().describe('this group and those below it'),
  online: z.enum(['online', 'offline']).optional().describe('whether it is connected, whatever its state'),
  state: z.enum(deviceStates).optional(),
  model: z.string().max(64).optional(),
  firmware: z.string().max(64).optional(),
  sim: z.enum(simStates).optional().describe('state of the SIM in use'),
  need: z.enum(deviceNeeds).optional().describe('why it needs a person; see getDeviceNeeds'),
  ...configFilter,
  position: z.enum(['known', 'unknown']).optional().describe('whether the map can show it'),
  region: region.optional(),
})
export type DeviceFilter = z.infer<typeof deviceFilter>

/** A filter may match more devices by the time that its user confirms. */
export const atMost = z.coerce
  .number()
  .int()
  .min(0)
  .optional()
  .describe('refused when more match: what was confirmed is what is done')

/** Listed devices, or a filter ("all matching"), for actions on many. */
export const deviceSelection = z.object({
  dids: z.array(id).max(100_000).optional(),
  filter: deviceFilter.optional(),
  atMost,
})
export type DeviceSelection = z.infer<typeof deviceSelection>

export const getDeviceList = listCall({
  path: '/api/device/getDeviceList',
  permission: deviceListPermission,
  summary: 'Devices: search, filters, sort, paging.',
  sorts: [
    'deviceSn',
    'deviceName',
    'state',
    'online',
    'model',
    'firmware',
    'signalDbm',
    'lastSeenAt',
    'groupName',
  ],
  searches: ['deviceSn', 'deviceName', 'imei', 'iccid', 'mac', 'ip'],
  filters: {
    ...deviceFilter.omit({ search: true }).shape,
    nearest: z
      .boolean()
      .optional()
      .describe(
        'without `sort`: first whose number, name or address is the text, then where one ends or begins so',
      ),
  },
  row: deviceRow,
})

export const getDeviceFacets = call({
  path: '/api/device/getDeviceFacets',
  permission: deviceListPermission,
  summary: 'What the filters can choose from, with counts.',
  reply: z.object({
    online: z.number(),
    offline: z.number(),
    models: z.array(z.object({ value: z.string(), count: z.number() })),
    firmwares: z.array(z.object({ value: z.string(), count: z.number() })),
  }),
})

export const exportDevices = call({
  path: '/api/device/exportDevices',
  permission: deviceExportPermission,
  carrier: 'download',
  summary: 'The filtered device list as CSV (UTF-8 with BOM, formulas made inert), all rows.',
  body: deviceFilter.extend({
    columns: z.array(z.string().max(40)).max(40).optional(),
    zone: zoneName.default('UTC').describe('by whose clocks the times are'),
  }),
})

export const getDeviceDetail = call({
  path: '/api/device/getDeviceDetail',
  permission: deviceDetailPermission,
  summary: 'Everything known of one device. Values keep the time they were reported.',
  body: z.object({
    deviceId: id,
    zone: zoneName.default('UTC').describe('whose midnights divide the days of traffic'),
  }),
  reply: deviceRow.extend({
    configHash: z.string().nullable(),
    packages: z.record(z.string(), z.string()).nullable(),
    features: z.array(z.string()).nullable(),
    helloAt: instant.nullable(),
    statusAt: instant.nullable(),
    uptimeS: z.number().nullable(),
    memoryTotalBytes: z.number().nullable(),
    memoryUsedBytes: z.number().nullable(),
    ...figureValues,
    clients: z.number().nullable(),
    interfaces: z.array(networkInterface).nullable(),
    positionSource: z.enum(['gps', 'manual']).nullable(),
    clockSkewMs: z.number().nullable(),
    credential: z.enum(['active', 'revoked', 'pending']),
    /** [§4] An abnormal (deleted) device can be viewed and restored, but not changed. */
    deletedAt: instant.nullable(),
    deletedReason: z.string().nullable(),
    /** Hardware swaps: the device it replaced, and the one that replaced it. */
    replaces: z.object({ deviceId: z.number(), deviceSn: z.string() }).nullable(),
    replacedBy: z.object({ deviceId: z.number(), deviceSn: z.string() }).nullable(),
    backupsKept: z.number().describe('how many of its newest configuration backups are kept'),
    activeAlarms,
    activeTask,
    traffic: z.object({
      todayBytes: z.number().nullable(),
      monthBytes: z.number().nullable(),
      totalBytes: z.number().nullable(),
      days: z.array(
        z.object({ day: z.string(), rxBytes: z.number().nullable(), txBytes: z.number().nullable() }),
      ),
    }),
  }),
})

export const createDevice = call({
  path: '/api/device/createDevice',
  permission: deviceCreatePermission,
  writes: true,
  about: makes(deviceObject, {
    by: 'deviceId',
    named: 'deviceSn',
    of: { object: groupObject, by: 'groupId' },
  }),
  summary: '[§5 Device] Adds a device and returns its secret, once. Name and location must not be empty.',
  body: z.object({
    ...labelled(
      { deviceSn: serialNumber, groupId: id },
      { deviceSn: 'device:column.deviceSn', groupId: 'device:column.groupName' },
    ),
    ...named,
  }),
  reply: z.object({
    deviceId: z.number(),
    deviceSn: z.string(),
    secret: secret(z.string()),
    mqtt: mqttAddresses,
  }),
})

export const modifyDevice = call({
  path: '/api/device/modifyDevice',
  permission: deviceEditPermission,
  writes: true,
  about: edits(deviceObject, 'deviceId'),
  summary: '[§5 Device] Name and location must not be empty.',
  body: z.object({ deviceId: id, ...named, dataPlanMb, edition: openedEdition }),
})

/** CSV columns: sn (required), name, group, address. Others are refused by name. */
export const IMPORT_COLUMNS = ['sn', 'name', 'group', 'address'] as const
export const IMPORT_MAX_ROWS = 20_000

export const importDevices = call({
  path: '/api/device/importDevices',
  bodyLimit: bodyLimits.text,
  permission: deviceCreatePermission,
  writes: true,
  about: finds(deviceObject, { of: { object: groupObject, by: 'groupId' } }),
  summary:
    'CSV import. With dryRun nothing is written: it returns what would be created, skipped or refused, and why. An empty cell means the default: the name is the serial number, the location unknown, as for a device that enrolled itself.',
  body: z.object({
    csv: secret(z.string().max(4_000_000)),
    dryRun: z.boolean().default(true),
    groupId: id.optional().describe('for rows without a group'),
  }),
  reply: z.object({
    create: z.number(),
    skip: z.number(),
    refuse: z.number(),
    rows: z.array(
      z.object({
        line: z.number(),
        sn: z.string(),
        outcome: z.enum(['create', 'skip', 'refuse']),
        reason: z.string().nullable(),
        secret: secret(z.string().nullable().describe('only when really created')),
      }),
    ),
  }),
})

export const rotateDeviceSecret = call({
  path: '/api/device/rotateDeviceSecret',
  permission: deviceSecretPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'A new secret, shown once; the old one ends and the device is disconnected within a second.',
  body: z.object({ deviceId: id }),
  reply: z.object({ secret: secret(z.string()), mqtt: mqttAddresses }),
})

export const revokeDeviceSecret = call({
  path: '/api/device/revokeDeviceSecret',
  permission: deviceSecretPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'Ends the secret without a new one; the device is disconnected within a second.',
  body: z.object({ deviceId: id }),
})
