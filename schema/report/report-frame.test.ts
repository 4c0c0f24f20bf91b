import { describe, expect, it } from 'vitest'
import { frameOf } from './report-frame.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Midnight in India: half past six in the evening of UTC. */
const MIDNIGHT = Date.UTC(2026, 10, 27, 18, 30)
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16)
const frame = (days: number, of: { wide?: boolean; single?: boolean; hoursSince?: number } = {}) => {
  const [from, to] = [MIDNIGHT - (days - 1) * DAY_MS, MIDNIGHT + DAY_MS]
  const { wide = false, single = false, hoursSince = 0 } = of
  return frameOf(
    { from, to, previousFrom: from - days * DAY_MS, hoursSince },
    'Asia/Kolkata',
    { wide, single },
    to,
  )
}

describe('in a zone whose midnight is no full hour of UTC', () => {
  it('a day consists of the hours that begin in it', () => {
    const { from, to, previousFrom, previousTo } = frame(1)
    expect([from, to, previousFrom, previousTo].map(iso)).toEqual([
      '2026-11-27T19:00',
      '2026-11-28T18:30',
      '2026-11-26T19:00',
      '2026-11-27T18:30',
    ])
  })

  it('days begin with the first that was asked for', () => {
    const { from, previousFrom, step } = frame(30)
    expect([step, iso(from), iso(previousFrom)]).toEqual(['day', '2026-10-29T19:00', '2026-09-29T19:00'])
  })

  it('a single device, whose samples are read, is shown from midnight', () => {
    const { source, from, previousFrom } = frame(1, { single: true })
    expect([source, iso(from), iso(previousFrom)]).toEqual(['raw', '2026-11-27T18:30', '2026-11-26T18:30'])
  })
})

it('where hours are deleted, days are those of UTC', () => {
  const { source, zone, from, to } = frame(30, { hoursSince: MIDNIGHT })
  expect([source, zone, iso(from), iso(to)]).toEqual(['days', 'UTC', '2026-10-29T00:00', '2026-11-29T00:00'])
})
