import { describe, expect, it } from 'vitest'
import {
  type Connection,
  presenceStrip,
  SEGMENT_MS,
  STRIP_SEGMENTS,
  type StripClock,
} from './presence-strip.ts'

const from = Date.parse('2026-11-20T12:00:00Z')
const now = from + STRIP_SEGMENTS * SEGMENT_MS
const clock: StripClock = { from, knownSince: 0, now, brokersSince: [from - SEGMENT_MS] }
const at = (halfHours: number) => new Date(from + halfHours * SEGMENT_MS)
const connection = (on: number, off: number | null, reason: Connection['reason'] = null): Connection => ({
  onlineAt: at(on),
  offlineAt: off === null ? null : at(off),
  reason,
})
/** "+3?2": three online, two unknown. */
const short = (strip: string) => strip.replace(/(.)\1*/g, (run, state) => `${state}${run.length} `).trim()

describe('the presence strip', () => {
  it.each<[string, Connection[], Partial<StripClock>, string]>([
    ['online all the time', [connection(-5, null)], {}, '+48'],
    ['never seen, though known', [], {}, '-48'],
    ['not known before it was created', [connection(10, null)], { knownSince: at(10).getTime() }, '?10 +38'],
    [
      'what it did at its former owner is not told',
      [connection(-5, null)],
      { knownSince: at(12).getTime() },
      '?12 +36',
    ],
    ['offline after it left', [connection(-5, 20, 'keepalive')], {}, '+20 -28'],
    [
      'both within one half hour',
      [connection(0, 10.5, 'socketClosed'), connection(12, null)],
      {},
      '+10 ~1 -1 +36',
    ],
    [
      'a reconnect of a second is not an absence',
      [connection(0, 10.4, 'takenOver'), connection(10.4005, null)],
      {},
      '+48',
    ],
    [
      'unknown while no broker lived, until it is seen again',
      [connection(0, 10, 'brokerLost'), connection(16, null)],
      { brokersSince: [at(16).getTime()] },
      '+10 ?6 +32',
    ],
    [
      'offline from when a broker lived again without it',
      [connection(0, 10, 'brokerStopped')],
      { brokersSince: [at(14).getTime()] },
      '+10 ?4 -34',
    ],
    [
      'offline when another broker went on without it',
      [connection(0, 10, 'brokerStopped')],
      { brokersSince: [at(2).getTime()] },
      '+10 -38',
    ],
    ['the future is unknown', [connection(0, null)], { now: at(47).getTime() }, '+47 ?1'],
  ])('%s', (_, connections, changed, expected) => {
    expect(short(presenceStrip(connections, { ...clock, ...changed }))).toBe(expected)
  })
})
