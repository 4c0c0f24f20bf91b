/** The switch-card record: when a device switched SIMs, and why. */

import { z } from 'zod'
import { listCall } from '../kit/list.ts'
import { uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceTime, instant } from '../kit/time.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { pastDays } from './device-past.ts'
import { deviceText } from './hello.ts'

export const simSwitchReasons = [
  'signal',
  'latency',
  'noNetwork',
  'simFailure',
  'trafficLimit',
  'schedule',
  'manual',
  'returned',
] as const

const slot = z.int().min(1).max(2)
const iccid = z.string().regex(/^[0-9A-Fa-f]{10,22}$/)

export const simSwitch = uplink({
  name: 'simSwitch',
  class: 'report',
  summary: 'The traffic moved to the other SIM. Sent once the new one has a network; stored once per `at`.',
  payload: z.object({
    at: deviceTime,
    from: slot,
    to: slot,
    reason: z.enum(simSwitchReasons).describe('`returned`: back to the preferred SIM'),
    fromIccid: iccid.optional(),
    toIccid: iccid.optional(),
    operator: deviceText(64).optional().describe('of the new one'),
    detail: deviceText(200).optional(),
  }),
  example: {
    at: 1795226470000,
    from: 1,
    to: 2,
    reason: 'signal',
    toIccid: '89860112345678904321',
    operator: 'China Unicom',
    detail: 'RSSI -113 dBm for 60 s',
  },
})

export const getSimSwitchList = listCall({
  path: '/api/device/getSimSwitchList',
  permission: deviceDetailPermission,
  summary: 'Changes of the SIM of one device, newest first.',
  sorts: ['at'],
  descending: ['at'],
  searches: ['operator', 'toIccid', 'detail'],
  filters: { deviceId: rowId, days: pastDays },
  row: z.object({
    id: z.number(),
    at: instant,
    from: z.number(),
    to: z.number(),
    reason: z.enum(simSwitchReasons),
    fromIccid: z.string().nullable(),
    toIccid: z.string().nullable(),
    operator: z.string().nullable(),
    detail: z.string().nullable(),
  }),
})
