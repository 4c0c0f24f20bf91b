import { describe, expect, it } from 'vitest'
import { stateClock } from './device-state.tsx'

const SINCE = Date.parse('2026-11-30T02:33:28Z')

/** What the chip shows `seconds` after the device went offline, in seconds: the clock of the page is cut to its step. */
function shownAfter(seconds: number): number {
  const now = SINCE + seconds * 1000
  const { stepMs, atLeast } = stateClock({ state: 'offline', stateAt: SINCE }, now)
  return (Math.max(Math.floor(now / stepMs) * stepMs, atLeast) - SINCE) / 1000
}

describe('the chip of a device that went offline', () => {
  it('counts the seconds of the first minute', () => {
    expect([0, 26, 59].map(shownAfter)).toEqual([0, 26, 59])
  })

  it('shows minutes afterwards, and never seconds that stand still', () => {
    expect([60, 75, 91, 91.9].map(shownAfter)).toEqual([60, 60, 60, 60])
    const all = Array.from({ length: 600 }, (_, i) => shownAfter(i))
    expect(all.filter((shown, i) => i > 0 && shown < (all[i - 1] ?? 0))).toEqual([])
    expect(all.filter((shown, i) => Math.abs(shown - i) >= 60)).toEqual([])
  })
})
