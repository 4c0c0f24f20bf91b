import { describe, expect, it } from 'vitest'
import { status } from '#schema/device/status'
import { identify } from './fleet.ts'
import { checkFigures, Life } from './life.ts'
import { models } from './models.ts'
import { dailyRhythm } from './rhythm.ts'
import { usualSituation } from './status/situation.ts'

const START = Date.UTC(2026, 10, 21)
const MINUTE = 60_000

describe('a simulated life', () => {
  it.each(models.map(({ name }) => name))('of a %s is valid, moving and bounded for a month', (name) => {
    const identity = identify('RT24000001', name, 1)
    const situation = usualSituation(identity, 1)
    const life = new Life(identity, 1, START)
    let received = -1
    const signals: number[] = []
    for (let at = START; at < START + 30 * 24 * 60 * MINUTE; at += 10 * MINUTE) {
      const payload = life.sample(at, situation(at))
      expect(status.payload.safeParse(payload).error?.issues ?? []).toEqual([])
      expect(payload.rxBytes).toBeGreaterThanOrEqual(received)
      received = payload.rxBytes
      if (payload.signalDbm !== undefined) signals.push(payload.signalDbm)
      expect(payload.uptimeS).toBe((at - START) / 1000)
    }
    expect(received).toBeGreaterThan(1_000_000)
    const wired = models.find((model) => model.name === name)?.radio === null
    expect(new Set(signals).size > 5).toBe(!wired)
    if (!wired) expect(Math.max(...signals) - Math.min(...signals)).toBeLessThan(40)
  })

  it('restarts its counters at a boot', () => {
    const identity = identify('RT24000001', 'R200', 1)
    const situation = usualSituation(identity, 1)
    const life = new Life(identity, 1, START)
    expect(life.sample(START + 60 * MINUTE, situation(START)).rxBytes).toBeGreaterThan(0)
    life.boot(START + 61 * MINUTE)
    expect(life.sample(START + 61 * MINUTE, situation(START))).toMatchObject({
      rxBytes: 0,
      txBytes: 0,
      uptimeS: 0,
    })
  })

  it('has the daily rhythm of its longitude: busiest in the afternoon, quiet at four in the morning', () => {
    const at = (hour: number) => START + hour * 60 * MINUTE
    expect(dailyRhythm(at(16), 0)).toBeCloseTo(1)
    expect(dailyRhythm(at(4), 0)).toBeCloseTo(0.12)
    // Shanghai is eight hours ahead.
    expect(dailyRhythm(at(8), 120)).toBeCloseTo(1)
  })
})

it('refuses a figure without a module in figures/, and names it: its chart would stay empty', () => {
  expect(() => checkFigures([], ['flashUsedPercent'])).toThrow('flashUsedPercent has no handler')
})
