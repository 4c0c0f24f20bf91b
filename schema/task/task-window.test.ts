import { expect, it } from 'vitest'
import { isOpen } from './task-window.ts'

const night = { from: '22:00', to: '05:00' }
it.each([
  ['2026-01-15T21:59:00Z', 'UTC', false],
  ['2026-01-15T22:00:00Z', 'UTC', true],
  ['2026-01-16T04:59:00Z', 'UTC', true],
  ['2026-01-16T05:00:00Z', 'UTC', false],
  // The same instant is night in Shanghai and afternoon in London.
  ['2026-01-15T15:30:00Z', 'Asia/Shanghai', true],
  ['2026-01-15T15:30:00Z', 'Europe/London', false],
  // Summer time in New York began on 8 March 2026 at 2:00: 4:59 local is 8:59 UTC instead of 9:59.
  ['2026-03-08T08:59:00Z', 'America/New_York', true],
  ['2026-03-08T09:00:00Z', 'America/New_York', false],
  ['2026-03-07T09:59:00Z', 'America/New_York', true],
])('22:00 to 5:00 at %s in %s: open %s', (at, zone, open) => {
  expect(isOpen(night, zone, Date.parse(at))).toBe(open)
})

it('after midnight the day on which it opened counts', () => {
  const friday = { ...night, weekdays: [5] }
  expect(isOpen(friday, 'UTC', Date.parse('2026-01-16T23:00:00Z'))).toBe(true)
  expect(isOpen(friday, 'UTC', Date.parse('2026-01-17T03:00:00Z'))).toBe(true)
  expect(isOpen(friday, 'UTC', Date.parse('2026-01-17T23:00:00Z'))).toBe(false)
  expect(isOpen(friday, 'UTC', Date.parse('2026-01-16T03:00:00Z'))).toBe(false)
})

it('equal times mean the whole day', () => {
  expect(isOpen({ from: '08:00', to: '08:00' }, 'UTC', Date.parse('2026-01-16T07:59:00Z'))).toBe(true)
})
