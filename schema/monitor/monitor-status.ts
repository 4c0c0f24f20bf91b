/** §2 (devicesStatus): Which gateways were online, and whether the equipment behind them responds. */

import { z } from 'zod'
import { deviceStates, stated } from '../device/device-state.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { variableHistoryPermission, variableHistoryScreen } from './variable-history.ts'

export const getMonitorStatus = listCall({
  path: '/api/monitorStatus/getMonitorStatus',
  permission: variableHistoryPermission,
  summary:
    'Gateways with terminals: online or offline since when, and how much of the last days they were online.',
  sorts: ['deviceName', 'deviceSn', 'onlineChangedAt', 'onlinePercent', 'drops', 'terminalCount'],
  descending: ['onlineChangedAt', 'drops', 'terminalCount'],
  searches: ['deviceName', 'deviceSn'],
  filters: {
    groupId: rowId.optional().describe('with the groups below it'),
    state: z.enum(deviceStates).optional(),
    online: z.enum(['online', 'offline']).optional(),
    days: z.coerce.number().int().min(1).max(90).default(7).describe('whole hours of the last n days'),
  },
  row: z.object({
    deviceId: z.number(),
    groupId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    groupName: z.string(),
    timeZone: deviceZone,
    online: z.boolean(),
    ...stated,
    onlineChangedAt: instant.nullable().describe('since when; null: it was never connected'),
    onlinePercent: z.number().nullable().describe('of the time that is known; null: none is'),
    offlineS: z.number().nullable(),
    drops: z.number().describe('connections that ended in these days'),
    terminalCount: z.number(),
    answeringCount: z
      .number()
      .describe('as the gateway last reported, while it is online, and those of connected sources'),
  }),
})

export const monitorStatusScreen = screen({
  name: 'monitor-status',
  path: '/cloudMonitor/statisticalReports/devicesStatus',
  under: variableHistoryScreen,
  place: 20,
  permission: variableHistoryPermission,
  area: 'monitor',
})

/** §2 (cloudMonitorHome): The big screen: it shows the lists of the area, limited to what the viewer may see. */
export const monitorHomeScreen = screen({
  name: 'monitor-home',
  path: '/cloudMonitor/cloudMonitorHome',
  under: variableHistoryScreen,
  place: 30,
  area: 'monitor',
})
