/** The last 24 hours of many devices' presence, as a strip of half hours. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { deviceListPermission } from './device-pages.ts'
import type { OfflineReason } from './presence.ts'

export const STRIP_SEGMENTS = 48
export const SEGMENT_MS = 1_800_000
export const STRIP_DEVICES_MAX = 100

/** `+` online throughout, `-` offline throughout, `~` both, `?` unknown: no broker could have seen it. */
export const segmentStates = { online: '+', offline: '-', both: '~', unknown: '?' } as const
export type SegmentState = (typeof segmentStates)[keyof typeof segmentStates]

export type Connection = { onlineAt: Date; offlineAt: Date | null; reason: OfflineReason | null }
/** In ms: since when the device is known; now; start times of the running brokers. */
export type StripClock = { from: number; knownSince: number; now: number; brokersSince: readonly number[] }

type Span = readonly [from: number, to: number]

/** After these, the state is unknown until another running broker has started, or the device is seen again. */
const UNWATCHED: readonly (OfflineReason | null)[] = ['brokerLost', 'brokerStopped']

/** Spans in which the state is unknown, given the connections in order. */
function unknownSpans(connections: readonly Connection[], clock: StripClock): Span[] {
  const gaps = connections.flatMap(({ offlineAt, reason }, i): Span[] => {
    if (offlineAt === null || !UNWATCHED.includes(reason)) return []
    const lost = offlineAt.getTime()
    // Another broker was running: the device could have connected to it.
    if (clock.brokersSince.some((since) => since <= lost)) return []
    const ends = [clock.now, ...clock.brokersSince, connections[i + 1]?.onlineAt.getTime() ?? clock.now]
    return [[lost, Math.min(...ends.filter((end) => end > lost))]]
  })
  return [[Number.NEGATIVE_INFINITY, clock.knownSince], ...gaps]
}

/** How much of [from, to] the spans cover, in ms, counting overlaps once. */
function covered(spans: readonly Span[], from: number, to: number): number {
  let at = from
  let sum = 0
  for (const [start, end] of spans) {
    const begin = Math.max(at, start)
    const stop = Math.min(to, end)
    if (stop <= begin) continue
    sum += stop - begin
    at = stop
  }
  return sum
}

/** Takeovers and reconnects shorter than this are ignored. */
const BLINK_MS = 5_000

/**
 * @param connections of one device, ordered by `onlineAt`; those that ended before `from` matter only for the gap
 * after them
 */
export function presenceStrip(connections: readonly Connection[], clock: StripClock): string {
  const { from, now } = clock
  const byStart = (one: Span, other: Span) => one[0] - other[0]
  const online = connections
    .map(
      ({ onlineAt, offlineAt }): Span => [
        Math.max(onlineAt.getTime(), clock.knownSince),
        offlineAt?.getTime() ?? now,
      ],
    )
    .sort(byStart)
  const unknown = unknownSpans(connections, clock).sort(byStart)
  return Array.from({ length: STRIP_SEGMENTS }, (_, i): SegmentState => {
    const start = from + i * SEGMENT_MS
    const end = Math.min(start + SEGMENT_MS, now)
    if (end <= start) return segmentStates.unknown
    const seen = covered(online, start, end)
    // May be negative where a connection overlaps an unknown span.
    const absent = end - start - covered([...online, ...unknown].sort(byStart), start, end)
    if (seen > 0) return absent > BLINK_MS ? segmentStates.both : segmentStates.online
    return absent > 0 ? segmentStates.offline : segmentStates.unknown
  }).join('')
}

export const getPresenceStrips = call({
  path: '/api/device/getPresenceStrips',
  permission: deviceListPermission,
  summary: `The last 24 hours of up to ${STRIP_DEVICES_MAX} devices: ${STRIP_SEGMENTS} half hours, each "+" online, "-" offline, "~" both, "?" unknown.`,
  body: z.object({ deviceIds: z.array(rowId).min(1).max(STRIP_DEVICES_MAX) }),
  reply: z.object({
    from: instant.describe('start of the first half hour'),
    list: z.array(
      z.object({
        deviceId: z.number(),
        strip: z.string().regex(/^[-+~?]{48}$/),
      }),
    ),
  }),
})
