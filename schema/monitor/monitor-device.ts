/** [§2] The devices in Cloud Monitoring: the gateways, whether they are online, and what they collect. */

import { z } from 'zod'
import { deviceStates, stated } from '../device/device-state.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { deviceZone, instant } from '../kit/time.ts'

export const monitorDevicePermission = permission({
  id: 21500,
  name: 'monitorDevices',
  role: 'viewer',
  under: 'monitor-device-list',
})

/**
 * running: the gateway runs the plan that it is to run; waiting: it has not been sent, or not been answered yet; refused: the
 * gateway cannot run it; none: there is nothing to collect.
 */
export const collectionStates = ['running', 'waiting', 'refused', 'none'] as const
export type CollectionState = (typeof collectionStates)[number]

/**
 * Of its plan. busOverloaded: there is not enough time on a bus, cycles are skipped; busTight: more than 70 % is used;
 * serialDiffers: terminals on one line have different serial settings; unitReserved: a slave id that no slave should
 * have; powerTooFar: a power of ten that does not fit into the request of its value; noInterfaces: the gateway does not
 * serve its inputs and outputs; tooMany, tooLarge: more than a plan can hold.
 */
export const planWarnings = [
  'busOverloaded',
  'busTight',
  'serialDiffers',
  'unitReserved',
  'powerTooFar',
  'noInterfaces',
  'tooMany',
  'tooLarge',
] as const

export const getMonitorDevices = listCall({
  path: '/api/monitor/getMonitorDevices',
  permission: monitorDevicePermission,
  summary: 'Devices with terminals, or of projects, and how their collection goes.',
  // First by terminals: devices without any have nothing to show here but that.
  sorts: ['terminalCount', 'deviceName', 'deviceSn'],
  descending: ['terminalCount'],
  searches: ['deviceName', 'deviceSn'],
  filters: {
    deviceId: rowId.optional(),
    projectId: rowId.optional(),
    groupId: rowId.optional().describe('with the groups below it'),
    state: z.enum(deviceStates).optional(),
    online: z.enum(['yes', 'no']).optional(),
    collection: z.enum(collectionStates).optional(),
  },
  row: z.object({
    id: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    groupId: z.number(),
    groupName: z.string(),
    model: z.string().nullable(),
    timeZone: deviceZone,
    online: z.boolean(),
    ...stated,
    terminalCount: z.number().describe('those that are not hidden'),
    answeringCount: z.number().describe('of the gateway, while it is online, and those of connected sources'),
    silentCount: z.number().describe('silent, or on a bus that cannot be reached'),
    collection: z.enum(collectionStates),
    refusedReason: z.string().nullable(),
    warnings: z.array(
      z.object({
        kind: z.enum(planWarnings),
        place: z.string().nullable().describe('the bus'),
        percent: z.number().nullable().describe('of the time of the bus that the plan needs'),
        shortestS: z.number().nullable().describe('the shortest period of all its requests that fits'),
        terminals: z.number().describe('how many it is about; 0: see `place`'),
      }),
    ),
    reportedAt: instant.nullable().describe('its newest value, or when it last said how its collection goes'),
  }),
})

export const monitorDeviceScreen = screen({
  name: 'monitor-device-list',
  path: '/cloudMonitor/deviceManagement/deviceList',
  lists: 'monitor/getMonitorDevices',
  menuId: 215,
  role: 'viewer',
  permission: monitorDevicePermission,
  parent: 'monitorDevice',
  place: 30,
  area: 'monitor',
})
