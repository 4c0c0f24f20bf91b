import { afterEach, describe, expect, it, vi } from 'vitest'
import { alone, axisMoment, binaryStep, dayMarks, seriesOption } from './chart.tsx'

afterEach(() => vi.unstubAllGlobals())

describe('charts', () => {
  it.each([
    [[0], 1],
    [[6_000_000], 2 * 1024 ** 2],
    [[201 * 1024 ** 2, null], 100 * 1024 ** 2],
    [[900], 500],
  ])('divides the axis of %j bytes by %i', (values, step) => {
    expect(binaryStep(values)).toBe(step)
  })

  it('finds single values between gaps', () => {
    const values = [1, null, 2, 3, null, 4]
    expect(values.map((_, i) => alone(values, i))).toEqual([true, false, false, false, false, true])
  })

  it('dates every label of a week, and of a day only those before today', () => {
    const now = new Date(2026, 10, 22, 18).getTime()
    const at = (...hoursAgo: number[]) =>
      hoursAgo.map((hours) => new Date(now - hours * 3_600_000).toISOString())
    expect([0, 1].map((i) => axisMoment(at(24, 3), i, now))).toEqual(['11-21 18:00', '15:00'])
    expect([0, 1].map((i) => axisMoment(at(160, 3), i, now))).toEqual(['11-16 02:00', '11-22 15:00'])
    expect(axisMoment([], 0, now)).toBe('')
  })

  it('labels the days of a week, also noons below three days, and leaves a single day to the chart', () => {
    const hourly = (days: number, minute = 0) =>
      Array.from({ length: days * 24 }, (_, hour) => new Date(2026, 10, 15, hour, minute).toISOString())
    expect([...(dayMarks(hourly(7)) ?? [])].map(([, text]) => text)).toEqual([
      '11-15',
      '11-16',
      '11-17',
      '11-18',
      '11-19',
      '11-20',
      '11-21',
    ])
    expect([...(dayMarks(hourly(3)) ?? [])].slice(0, 3)).toEqual([
      [0, '11-15 00:00'],
      [12, '11-15 12:00'],
      [24, '11-16 00:00'],
    ])
    expect(dayMarks(hourly(1))).toBeNull()
    expect(dayMarks(hourly(7, 31)), 'no moment is the beginning of a day').toBeNull()
    expect(dayMarks([])).toBeNull()
  })

  it('divides an axis of counts at whole numbers only', () => {
    vi.stubGlobal('document', { documentElement: {} })
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => name }))
    const axis = (whole: boolean) =>
      seriesOption({ label: 'Devices', at: [], series: [], format: String, whole })()['yAxis']
    expect(axis(true)).toMatchObject({ minInterval: 1 })
    expect(axis(false)).not.toHaveProperty('minInterval')
  })

  it('uses the colour scheme at the time of drawing', () => {
    let scheme = 'light'
    vi.stubGlobal('document', { documentElement: {} })
    vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: (name: string) => `${scheme}${name}` }))
    const option = seriesOption({ label: 'Signal', at: [], series: [], format: String })
    scheme = 'dark'
    expect(option()['legend']).toMatchObject({ textStyle: { color: 'dark--text-3' } })
  })
})
