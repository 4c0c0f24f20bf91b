/** Online and offline are determined by the broker, not reported by the device. */

import { z } from 'zod'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { pastDays } from './device-past.ts'

/**
 * Why a connection ended: DISCONNECT; the keepalive timed out (1.5 ×); the socket broke; another connection took
 * over; the secret was revoked; the device was deleted or moved to another customer; the broker stopped, let the device go to another broker, or died; a
 * protocol violation.
 */
export const offlineReasons = [
  'disconnected',
  'keepalive',
  'socketClosed',
  'takenOver',
  'revoked',
  'deleted',
  'moved',
  'brokerStopped',
  'brokerLost',
  'protocolError',
] as const
export type OfflineReason = (typeof offlineReasons)[number]
/** For these reasons the platform closes a connection: nothing more is sent either way. */
export const cutReasons = ['revoked', 'deleted', 'moved'] as const satisfies readonly OfflineReason[]
export type CutReason = (typeof cutReasons)[number]
export const isCut = (reason: OfflineReason | null) => cutReasons.some((cut) => cut === reason)

/** Stands for an external broker where a broker is named. */
export const EXTERNAL_BROKER = 'external'

/** This many takeovers within the window indicate two machines with one serial number. */
export const DUPLICATE_TAKEOVERS = 3
export const DUPLICATE_WINDOW_MS = 60_000

export const getPresenceList = listCall({
  path: '/api/device/getPresenceList',
  permission: deviceDetailPermission,
  summary: 'Online/offline record of one device, newest first.',
  sorts: ['onlineAt'],
  descending: ['onlineAt'],
  searches: ['ip'],
  filters: { deviceId: rowId, days: pastDays },
  row: z.object({
    onlineAt: instant,
    offlineAt: instant.nullable(),
    durationS: z.number().nullable(),
    reason: z.enum(offlineReasons).nullable(),
    ip: z.string().nullable(),
    transport: z.string().nullable(),
  }),
})
