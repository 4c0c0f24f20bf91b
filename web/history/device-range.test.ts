import { expect, it } from 'vitest'
import { chartBody } from './device-range.tsx'

const now = new Date(2026, 10, 22, 18, 7).getTime()
const own = (from: string, to: string) => chartBody({ range: 'custom', from, to }, now)

it('named ranges end now, in buckets no shorter than the time between two samples', () => {
  const of = (range: '24h' | '7d' | '30d') => chartBody({ range, from: '', to: '' }, now)
  expect(of('24h')).toEqual({ hours: 24, buckets: 144 })
  expect(of('7d')).toEqual({ hours: 168, buckets: 168 })
  expect(of('30d')).toEqual({ hours: 720, buckets: 180 })
})

it('an own range is whole days of the viewer’s zone', () => {
  expect(own('2026-11-18', '2026-11-19')).toEqual({
    from: new Date(2026, 10, 18).toISOString(),
    to: new Date(2026, 10, 20).toISOString(),
    buckets: 96,
  })
})

it('an own range that ends today is divided up to now', () => {
  expect(own('2026-11-22', '2026-11-22')).toMatchObject({ buckets: 109 })
})

it.each([
  ['', ''],
  ['2026-11-18', ''],
  ['', '2026-11-18'],
  ['yesterday', '2026-11-18'],
  ['2026-13-05', '2027-01-06'],
  ['2026-02-27', '2026-02-30'],
])('%j to %j is incomplete', (from, to) => {
  expect(own(from, to)).toBeNull()
})
