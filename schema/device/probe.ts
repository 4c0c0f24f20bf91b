/** Network monitoring: periodic measurements of a device towards a target. Hot: one row each. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceTime, instant } from '../kit/time.ts'
import { chartRange } from './chart-range.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { deviceText } from './hello.ts'

const ms = z.number().min(0).max(600_000)

export const probe = uplink({
  name: 'probe',
  class: 'hot',
  summary: 'One measurement of network monitoring: some echo requests to one target. Usually once a minute.',
  payload: z.object({
    at: deviceTime.describe('two with the same target and `at` are one; the first is kept'),
    target: deviceText(64).min(1).describe('host name or address'),
    link: deviceText(32).optional().describe('the interface that it went out by'),
    sent: z.int().min(1).max(1000).describe('echo requests'),
    received: z.int().min(0).max(1000).describe('responses'),
    minMs: ms.optional(),
    avgMs: ms.optional().describe('absent when nothing came back'),
    maxMs: ms.optional(),
  }),
  example: {
    at: 1795226460000,
    target: '223.5.5.5',
    link: 'wwan0',
    sent: 5,
    received: 5,
    minMs: 31.2,
    avgMs: 38.9,
    maxMs: 61.7,
  },
})

/** Limits the response for a device with too many targets. */
export const PROBE_TARGETS_MAX = 8

export const getProbeChart = call({
  path: '/api/device/getProbeChart',
  permission: deviceDetailPermission,
  summary: 'Latency and loss of each monitored target over a time range, in equal buckets; gaps are null.',
  body: z.object({ deviceId: rowId, ...chartRange }),
  reply: z.object({
    at: z.array(instant),
    targets: z.array(
      z.object({
        target: z.string(),
        link: z.string().nullable(),
        lastAt: instant,
        lastMs: z.number().nullable().describe('null: no response'),
        lastLossPercent: z.number(),
        avgMs: z.array(z.number().nullable()),
        lossPercent: z.array(z.number().nullable()),
      }),
    ),
  }),
})
