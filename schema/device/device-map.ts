/**
 * [§2 Dashboard map] Positions of devices: in the format of the specification, and in columns for 100,000 of them.
 */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { deviceListPermission } from './device-pages.ts'
import { deviceStateFields } from './device-state.ts'
import { serialNumber } from './hello.ts'

/** [§9] */
export const MAP_LIMIT = 100_000
export const MAP_REFRESH_S = 60
export const MAP_CENTRE = { longitude: 105, latitude: 34 } as const
export const MAP_ZOOM = { least: 3, first: 4, most: 20 } as const

/** [§3 Map list item] */
const mapItem = z.object({
  deviceId: z.number(),
  deviceSn: z.string(),
  deviceName: z.string(),
  deviceAddress: z.string().nullable(),
  deviceLongitude: z.number().nullable().describe('degrees, WGS-84; null: the position is not known'),
  deviceLatitude: z.number().nullable(),
  online: z.boolean(),
})
const mapList = { list: z.array(mapItem), total: z.number() }

export const getDeviceAddressList = call({
  path: '/api/device/getDeviceAddressList',
  permission: deviceListPermission,
  summary:
    '[§7] Devices with a position, in the shape of the specification. allDevice: 0 offline, 1 online, 2 all.',
  body: z.object({
    allDevice: z.coerce.number().int().min(0).max(2).default(2),
    offset: z.coerce.number().int().min(1).max(1_000_000).default(1),
    limit: z.coerce.number().int().min(1).max(MAP_LIMIT).default(MAP_LIMIT),
  }),
  blanks: ['allDevice'],
  reply: z.object(mapList),
})

export const getDeviceInformation = call({
  method: 'GET',
  path: '/api/device/getDeviceInformation',
  permission: deviceListPermission,
  summary: '[§7] All devices with a position, and how many there are of each kind.',
  reply: z.object({
    ...mapList,
    online: z.number(),
    offline: z.number(),
    unplaced: z.number().describe('devices without a position: in the counts, not in the list'),
  }),
})

export const getDeviceInfo = call({
  path: '/api/device/getDeviceInfo',
  permission: deviceListPermission,
  summary: '[§7] The named devices, with or without a position; unknown ones are left out.',
  body: z.object({
    deviceId: rowId.optional(),
    deviceIds: z.array(rowId).max(1_000).optional(),
    deviceSn: serialNumber.optional(),
  }),
  reply: z.object(mapList),
})

/** Degrees times this are integers in the columns: about a metre, and half the bytes. */
export const MAP_SCALE = 100_000

export const getDeviceMap = call({
  method: 'GET',
  path: '/api/device/getDeviceMap',
  permission: deviceListPermission,
  summary:
    'All devices with a position, one array per field, ordered by id. Longitudes and latitudes in 1/100,000 degree.',
  reply: z.object({
    /** Changes with the content: a client that has this version need not process it again. */
    version: z.string(),
    deviceIds: z.array(z.number()),
    longitudes: z.array(z.number()),
    latitudes: z.array(z.number()),
    online: z.string().describe('one 0 or 1 per device'),
    states: z.string().describe('one digit per device: its place in deviceStates'),
    alarms: z
      .string()
      .describe('one digit per device: 1 + the place of its highest active alarm in severities; 0: none'),
    unplaced: z.number(),
  }),
})

export const getMapDevice = call({
  path: '/api/device/getMapDevice',
  permission: deviceListPermission,
  summary: 'What the map shows about one device; null if there is none that this user may see.',
  body: z.object({ deviceId: rowId }),
  reply: z
    .object({
      deviceId: z.number(),
      groupId: z.number(),
      deviceSn: z.string(),
      deviceName: z.string(),
      address: z.string().nullable(),
      ...deviceStateFields,
      signalDbm: z.number().nullable(),
      lastSeenAt: instant.nullable(),
      longitude: z.number().nullable(),
      latitude: z.number().nullable(),
    })
    .nullable(),
})

export const getWeakSignals = call({
  method: 'GET',
  path: '/api/device/getWeakSignals',
  permission: deviceListPermission,
  summary:
    'Where devices have last reported a weak signal, for the heat layer: one array per field, positions in 1/100,000 degree.',
  reply: z.object({
    longitudes: z.array(z.number()),
    latitudes: z.array(z.number()),
    dbm: z.array(z.number()),
  }),
})

export const getMapSettings = call({
  path: '/api/device/getMapSettings',
  permission: 'login',
  summary: 'What the map is drawn on [MAP_TILE_URL, MAP_TILE_ATTRIBUTION, MAP_DATUM, MAP_BORDERS_FILE].',
  reply: z.object({
    tileUrl: z.string().nullable().describe('null: the base layer that comes with the console'),
    attribution: z.string(),
    datum: z.enum(['wgs84', 'gcj02']),
    borders: z.boolean().describe('whether the operator has set lines of borders'),
  }),
})

export const getMapBorders = call({
  method: 'GET',
  path: '/api/device/getMapBorders',
  permission: 'login',
  summary: 'Lines of borders for the base layer [MAP_BORDERS_FILE]: longitude and latitude in turn, WGS-84.',
  reply: z.object({ lines: z.array(z.array(z.number())) }),
})
