/** What a captive portal has shown, and how often. */

import { z } from 'zod'
import { uplink } from '../kit/message.ts'
import { deviceTime } from '../kit/time.ts'
import { PORTAL_MAX, portalRevision } from './set-portal.ts'

/** Counts of an earlier day are refused: the device's clock is wrong, or it was switched off for a month. */
export const COUNTS_PAST_DAYS = 31
/** Retention of counts: longer than they are accepted, so that none is added twice. */
export const COUNTS_KEPT_DAYS = 40
/** How many days a device keeps its counts. */
export const DEVICE_DAYS = 7

const id = z.int().min(1).max(2_147_483_647)
const count = z.int().min(0).max(100_000_000)

export const portalShown = uplink({
  name: 'portalShown',
  class: 'report',
  summary: `What the captive portal shows, and how often each advertisement was shown and touched. Sent after each hello, after \`setPortal\`, when the local day begins, and when counts have changed (at most every five minutes). Counts are those of the whole day so far, so a repeated report changes nothing; keep and send the last ${DEVICE_DAYS} days. Only devices with a captive portal send it.`,
  payload: z.object({
    at: deviceTime,
    revision: portalRevision.describe('of the stored document; empty: none'),
    today: z
      .array(id)
      .max(PORTAL_MAX)
      .describe('ids of those whose schedule has hours on the present local day'),
    counts: z
      .array(
        z.object({
          id,
          day: z.iso.date().describe('local'),
          shown: count,
          clicked: count,
        }),
      )
      .max(PORTAL_MAX * DEVICE_DAYS * 2),
  }),
  maxBytes: 32_768,
  example: {
    at: 1795226430000,
    revision: '12.3',
    today: [12],
    counts: [{ id: 12, day: '2026-11-21', shown: 148, clicked: 9 }],
  },
})
