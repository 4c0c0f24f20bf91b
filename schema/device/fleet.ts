/** Figures of the home page. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { instant } from '../kit/time.ts'

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
    tasks: z.object({ ongoing: z.number(), paused: z.number(), failedItems24h: z.number() }),
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
