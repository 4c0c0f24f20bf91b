/** Which advertisements devices have and show. */

import { z } from 'zod'
import { deviceObject } from '../device/device-object.ts'
import { deviceDetailPermission } from '../device/device-pages.ts'
import { deviceStates } from '../device/device-state.ts'
import { reads } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { job } from '../kit/job.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { advertisementListPermission } from './advertisement.ts'

/** Computes which document each device should have, and sends it to those that are online. */
export const sweepPortals = job({ name: 'sweepPortals', body: z.object({}), single: true, everyMs: 10_000 })

/** `failed`: the last try; it is repeated, at growing intervals. */
export const deliveryStates = ['has', 'waiting', 'failed', 'unsupported'] as const

export const getAdvertisementDevices = listCall({
  path: '/api/advertisement/getAdvertisementDevices',
  permission: advertisementListPermission,
  summary: 'The devices that an advertisement is meant for, and those that still have it.',
  sorts: ['deviceSn', 'deviceName', 'shown', 'clicked'],
  descending: ['shown', 'clicked'],
  searches: ['deviceSn', 'deviceName'],
  filters: { id: rowId, state: z.enum(deliveryStates).optional() },
  row: z.object({
    deviceId: z.number(),
    groupId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    deviceState: z.enum(deviceStates),
    state: z.enum(deliveryStates),
    error: z.string().nullable().describe("the device's words"),
    today: z.boolean().describe('its schedule is on today, by the last report of the device'),
    shown: z.number().describe('in the last days that are kept of single devices'),
    clicked: z.number(),
    reportedAt: instant.nullable(),
  }),
})

export const getDevicePortal = call({
  path: '/api/advertisement/getDevicePortal',
  permission: deviceDetailPermission,
  about: reads(deviceObject, 'deviceId'),
  summary: "What a device's captive portal shows today, and whether it has all that it is to have.",
  body: z.object({ deviceId: rowId }),
  reply: z.object({
    state: z.enum(['none', ...deliveryStates]).describe('none: nothing is meant for it'),
    error: z.string().nullable(),
    reportedAt: instant.nullable().describe('its last report'),
    today: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        imageUrl: z.string(),
        caption: z.string().nullable(),
        link: z.string(),
        shown: z.number().describe('on its present day, or the last one that it has reported'),
        clicked: z.number(),
      }),
    ),
  }),
})
