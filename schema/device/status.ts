/** The status of a device: hot, one row of history each, deduplicated by (device, at). */

import { z } from 'zod'
import { sha256 } from '../config/reported.ts'
import { call } from '../kit/call.ts'
import { listCall } from '../kit/list.ts'
import { uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { askedTime, deviceTime, instant } from '../kit/time.ts'
import { chartRange } from './chart-range.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { figureExamples, figureSeries, figureValues, saidFigures } from './figure.ts'
import { deviceText, macAddress } from './hello.ts'

/** Counters stay exact in a double and in Postgres bigint. */
const counter = z.int().min(0).max(Number.MAX_SAFE_INTEGER)

export const networkInterface = z.object({
  name: deviceText(32).min(1),
  up: z.boolean(),
  ip: deviceText(64).optional(),
  mac: macAddress.optional(),
  rxBytes: counter.optional(),
  txBytes: counter.optional(),
})

export const status = uplink({
  name: 'status',
  class: 'hot',
  summary:
    'Signal, traffic counters, uptime, load, memory, interfaces, position. Every 30 s unless welcome says otherwise.',
  payload: z.object({
    at: deviceTime.describe('two messages with the same `at` are one sample; the first is kept'),
    uptimeS: z.int().min(0).max(4_294_967_295).describe('seconds since boot'),
    ...saidFigures,
    networkMode: deviceText(16).optional().describe('e.g. LTE, NR, WCDMA, WIRED'),
    rxBytes: counter.describe('received on all WAN interfaces since boot; may restart from 0'),
    txBytes: counter.describe('sent, likewise'),
    memoryTotalBytes: counter.optional(),
    memoryUsedBytes: counter.optional(),
    clients: z.int().min(0).max(65_535).optional().describe('hosts on the LAN side'),
    ip: deviceText(64).optional().describe('address of the active WAN interface'),
    configHash: sha256
      .optional()
      .describe(
        'of the running configuration, by devices whose hello has `config`; another one than in hello: changed on the device',
      ),
    interfaces: z.array(networkInterface).max(32).optional(),
    gps: z
      .object({
        longitude: z.number().min(-180).max(180),
        latitude: z.number().min(-90).max(90),
        altitudeM: z.number().min(-1000).max(20_000).optional(),
      })
      .optional()
      .describe('WGS-84, degrees'),
  }),
  example: {
    at: 1795226430000,
    uptimeS: 86412,
    ...figureExamples,
    networkMode: 'LTE',
    rxBytes: 91823377,
    txBytes: 1203911,
    memoryTotalBytes: 134217728,
    memoryUsedBytes: 60817408,
    clients: 6,
    ip: '10.64.3.17',
    interfaces: [{ name: 'wwan0', up: true, ip: '10.64.3.17', rxBytes: 91823377, txBytes: 1203911 }],
    gps: { longitude: 121.47, latitude: 31.23 },
  },
})
export type Status = z.output<typeof status.payload>

/** A sample with a missing or implausible timestamp is stored with the platform's time. */
export const CLOCK_BEHIND_MAX_MS = 30 * 86_400_000
export const CLOCK_AHEAD_MAX_MS = 10 * 60_000

/** The timestamp to store for a sample: the device's own while it is plausible. Both in ms since 1970. */
export function sampleTime(at: number, nowMs: number): number {
  return at < nowMs - CLOCK_BEHIND_MAX_MS || at > nowMs + CLOCK_AHEAD_MAX_MS ? nowMs : at
}

export const getStatusHistory = listCall({
  path: '/api/device/getStatusHistory',
  permission: deviceDetailPermission,
  summary: 'Raw status samples of one device, newest first.',
  sorts: ['at'],
  descending: ['at'],
  filters: {
    deviceId: rowId,
    from: askedTime.optional(),
    to: askedTime.optional(),
  },
  row: z.object({
    at: instant,
    uptimeS: z.number().nullable(),
    rxBytes: z.number().nullable(),
    txBytes: z.number().nullable(),
    ...figureValues,
  }),
})

/** One bucket of a chart; null if nothing was received: unknown is not zero. */
export const getStatusChart = call({
  path: '/api/device/getStatusChart',
  permission: deviceDetailPermission,
  summary:
    'Status of one device over a time range, averaged into at most `buckets` equal buckets; gaps are null.',
  body: z.object({ deviceId: rowId, ...chartRange }),
  reply: z.object({
    at: z.array(instant),
    rxBytes: z.array(z.number().nullable()),
    txBytes: z.array(z.number().nullable()),
    ...figureSeries,
  }),
})
