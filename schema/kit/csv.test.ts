import { expect, it } from 'vitest'
import { threadMs } from '#test/thread-time'
import { repeatedOffset, zonedClock, zonedLines } from './csv.ts'

it.each([
  ['Europe/Berlin', '2026-10-25T00:30:07Z', '2026-10-25 02:30:07+02:00'],
  ['Europe/Berlin', '2026-10-25T01:30:07Z', '2026-10-25 02:30:07+01:00'],
  ['Europe/Berlin', '2026-10-24T23:59:59Z', '2026-10-25 01:59:59'],
  ['Europe/Berlin', '2026-10-25T02:00:00Z', '2026-10-25 03:00:00'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
  ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01 01:30:00-04:00'],
  ['America/St_Johns', '2026-11-01T04:00:00Z', '2026-11-01 01:30:00-02:30'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05 01:30:00+10:30'],
  ['Australia/Lord_Howe', '2026-04-04T14:45:00Z', '2026-04-05 01:45:00+11:00'],
  ['Asia/Shanghai', '2026-10-25T00:30:07Z', '2026-10-25 08:30:07'],
])('a time that %s has twice, when its clocks are set back, has its offset: %s', (zone, at, text) => {
  expect(zonedLines(zone)([new Date(at)])).toBe(`${text}\r\n`)
  expect(zonedClock(zone)(Date.parse(at))).toBe(text)
})

it('knows the times of a year without asking the calendar for each', () => {
  const offset = repeatedOffset('Europe/Berlin')
  const began = threadMs()
  for (let n = 0; n < 100_000; n++) offset(Date.UTC(2026, 9, 20) + n * 5_000)
  expect(threadMs() - began).toBeLessThan(1_000)
})
