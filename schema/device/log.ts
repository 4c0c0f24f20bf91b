/** Log lines of devices. */

import { z } from 'zod'
import { listCall } from '../kit/list.ts'
import { uplink } from '../kit/message.ts'
import { rowId } from '../kit/row-id.ts'
import { deviceTime, instant } from '../kit/time.ts'
import { deviceDetailPermission } from './device-pages.ts'
import { deviceText } from './hello.ts'

/** [§9 Log priorities], least to most urgent. */
export const logPriorities = ['info', 'notice', 'warning', 'error', 'fatal', 'alert', 'emergency'] as const

export const log = uplink({
  name: 'log',
  class: 'report',
  maxBytes: 65_536,
  summary: 'Log lines. A line is stored once per (device, bootId, seq): a repeated one has the same `at`.',
  payload: z.object({
    bootId: deviceText(64).min(1),
    lines: z
      .array(
        z.object({
          seq: z.int().min(0).describe('counts up within one boot'),
          at: deviceTime,
          priority: z.enum(logPriorities),
          tag: deviceText(64).optional(),
          text: deviceText(1000),
        }),
      )
      .min(1)
      .max(200),
  }),
  example: {
    bootId: '5f0c9a52-6a0e-4be4-9d8e-0b6c7c1d7c11',
    lines: [{ seq: 17, at: 1795226431000, priority: 'warning', tag: 'netifd', text: 'wwan0: link lost' }],
  },
})

export const getDeviceLogList = listCall({
  path: '/api/device/getDeviceLogList',
  permission: deviceDetailPermission,
  summary: 'Log lines of one device, newest first.',
  sorts: ['at'],
  descending: ['at'],
  searches: ['text'],
  filters: {
    deviceId: rowId,
    priority: z.enum(logPriorities).optional().describe('this urgency and above'),
    priorities: z.array(z.enum(logPriorities)).max(7).optional().describe('only these; none named: all'),
  },
  row: z.object({
    at: instant,
    priority: z.enum(logPriorities),
    tag: z.string().nullable(),
    text: z.string(),
  }),
})
