/** Figures of the home page. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { instant } from '../kit/time.ts'
import { deviceStates } from './device-state.ts'

export const getFleetSummary = call({
  path: '/api/fleet/getFleetSummary',
  permission: 'login',
  summary:
    'Devices online, offline and never seen, versions, and the online share of the last 24 hours; never-seen devices do not lower it.',
  reply: z.object({
    online: z.number(),
    offline: z.number(),
    neverSeen: z.number(),
    states: z
      .array(z.object({ state: z.enum(deviceStates), count: z.number() }))
      .describe('those that occur'),
    firmwares: z.array(z.object({ value: z.string(), count: z.number() })),
    onlineShare: z.object({ at: z.array(instant), percent: z.array(z.number().nullable()) }),
  }),
})
