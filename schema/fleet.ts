/** The home page's figures. */
import { z } from 'zod'
import { functions } from './functions.ts'
import { call } from './kit/call.ts'
import { instant } from './kit/time.ts'

export const getFleetSummary = call({
  path: '/api/fleet/getFleetSummary',
  permission: 'login',
  summary:
    'Devices online and offline, versions, running tasks, recent warnings, online share of the last 24 hours.',
  reply: z.object({
    online: z.number(),
    offline: z.number(),
    neverSeen: z.number(),
    firmwares: z.array(z.object({ value: z.string(), count: z.number() })),
    tasks: z.object({ ongoing: z.number(), failedItems24h: z.number() }),
    warnings: z.array(
      z.object({
        deviceId: z.number(),
        deviceSn: z.string(),
        deviceName: z.string(),
        at: instant,
        what: z.string(),
      }),
    ),
    onlineShare: z.object({ at: z.array(instant), percent: z.array(z.number().nullable()) }),
  }),
})

/** [§7] Positions for the map; the page itself comes with the map's issue, the dashboard shows what exists. */
export const getDeviceAddressList = call({
  path: '/api/device/getDeviceAddressList',
  permission: functions.deviceList,
  summary:
    'Devices with a position, in the shape of the specification. allDevice: 0 offline, 1 online, 2 all.',
  body: z.object({ allDevice: z.coerce.number().int().min(0).max(2).default(2) }),
  reply: z.object({
    list: z.array(
      z.object({
        deviceId: z.number(),
        deviceSn: z.string(),
        deviceName: z.string(),
        deviceAddress: z.string().nullable(),
        deviceLongitude: z.number(),
        deviceLatitude: z.number(),
        online: z.boolean(),
      }),
    ),
    total: z.number(),
  }),
})
