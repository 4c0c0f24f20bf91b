import { describe, expect, it } from 'vitest'
import { timeTicks } from './time-ticks.ts'

const at = (text: string) => Date.parse(text)
const shown = (from: string, to: string, most: number, zone: string) =>
  timeTicks(at(from), at(to), most, zone).map(({ at: ms, text }) => [
    new Date(ms).toISOString().slice(5, 16),
    text,
  ])
const texts = (from: string, to: string, most: number, zone: string) =>
  shown(from, to, most, zone).map(([, text]) => text)

describe('ticks of a time axis', () => {
  it('are whole hours, however crooked the range', () => {
    expect(texts('2026-11-21T18:07:13Z', '2026-11-22T18:07:13Z', 9, 'UTC')).toEqual([
      '21:00',
      '11-22',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
      '15:00',
      '18:00',
    ])
  })

  it('are whole hours of the reader’s zone, also with half an hour', () => {
    expect(shown('2026-11-21T18:07Z', '2026-11-22T18:07Z', 5, 'Asia/Kolkata')).toEqual([
      ['11-21T18:30', '11-22'],
      ['11-22T00:30', '06:00'],
      ['11-22T06:30', '12:00'],
      ['11-22T12:30', '18:00'],
    ])
  })

  it('are midnights in a week, and every other day where the chart is narrow', () => {
    expect(shown('2026-11-15T16:00Z', '2026-11-22T16:00Z', 8, 'Asia/Shanghai')[0]).toEqual([
      '11-15T16:00',
      '11-16',
    ])
    expect(texts('2026-11-15T16:00Z', '2026-11-22T16:00Z', 5, 'Asia/Shanghai')).toEqual([
      '11-17',
      '11-19',
      '11-21',
      '11-23',
    ])
  })

  it('are Mondays in a month', () => {
    expect(texts('2026-10-24T00:00Z', '2026-11-22T00:00Z', 6, 'UTC')).toEqual([
      '10-26',
      '11-02',
      '11-09',
      '11-16',
    ])
  })

  it('stay at the same local hours on the day whose clocks are put forward', () => {
    expect(shown('2026-03-28T23:00Z', '2026-03-29T22:00Z', 9, 'Europe/Berlin')).toEqual([
      ['03-28T23:00', '03-29'],
      ['03-29T01:00', '03:00'],
      ['03-29T04:00', '06:00'],
      ['03-29T07:00', '09:00'],
      ['03-29T10:00', '12:00'],
      ['03-29T13:00', '15:00'],
      ['03-29T16:00', '18:00'],
      ['03-29T19:00', '21:00'],
      ['03-29T22:00', '03-30'],
    ])
    expect(texts('2026-03-08T05:00Z', '2026-03-08T10:00Z', 8, 'America/New_York')).toEqual([
      '03-08',
      '01:00',
      '03:00',
      '04:00',
      '05:00',
      '06:00',
    ])
  })

  it('name a repeated hour once', () => {
    expect(shown('2026-10-24T22:00Z', '2026-10-25T04:00Z', 8, 'Europe/Berlin')).toEqual([
      ['10-24T22:00', '10-25'],
      ['10-24T23:00', '01:00'],
      ['10-25T00:00', '02:00'],
      ['10-25T02:00', '03:00'],
      ['10-25T03:00', '04:00'],
      ['10-25T04:00', '05:00'],
    ])
  })

  it('stay midnights in the weeks of both changes', () => {
    for (const [from, to] of [
      ['2026-03-25T23:00Z', '2026-04-01T22:00Z'],
      ['2026-10-21T22:00Z', '2026-10-28T23:00Z'],
    ] as const)
      for (const [instant] of shown(from, to, 8, 'Europe/Berlin'))
        expect(new Date(`2026-${instant}Z`).toLocaleTimeString('de-DE', { timeZone: 'Europe/Berlin' })).toBe(
          '00:00:00',
        )
  })

  it('begin a day later where its midnight does not exist', () => {
    expect(shown('2026-04-22T22:00Z', '2026-04-25T21:00Z', 5, 'Africa/Cairo')).toContainEqual([
      '04-23T22:00',
      '04-24',
    ])
  })

  it.each([1, 3, 24, 72, 168, 720, 8760])(
    'never repeat a text of one day and never exceed the limit in %i hours',
    (hours) => {
      const from = at('2026-11-15T03:17Z')
      for (const zone of ['Asia/Shanghai', 'Asia/Kathmandu', 'America/St_Johns'])
        for (const most of [3, 6, 12]) {
          const found = timeTicks(from, from + hours * 3_600_000, most, zone).map(({ text }) => text)
          expect(found.length).toBeLessThanOrEqual(most)
          const days = found.join(' ').split(/ (?=\d\d-\d\d)/)
          for (const day of days) expect(new Set(day.split(' ')).size).toBe(day.split(' ').length)
          expect(new Set(found).size > 1 || found.length < 2).toBe(true)
          if (hours <= 720 && most > 3) expect(found.length).toBeGreaterThan(1)
        }
    },
  )

  it('an empty range has none', () => {
    expect(timeTicks(5, 5, 6, 'UTC')).toEqual([])
  })
})
