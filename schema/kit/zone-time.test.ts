import { expect, it, vi } from 'vitest'
import { momentOf, offsetMs } from './zone-time.ts'

const HOUR_MS = 3_600_000
const at = (text: string) => Date.parse(text)

it.each([
  ['UTC', '2026-11-22T12:00:00Z', 0],
  ['Asia/Kolkata', '2026-11-22T12:00:00Z', 5.5],
  ['Europe/Berlin', '2026-03-29T00:59:59Z', 1],
  ['Europe/Berlin', '2026-03-29T01:00:00Z', 2],
])('the offset of %s at %s is %s hours', (zone, moment, hours) => {
  expect(offsetMs(zone, at(moment))).toBe(hours * HOUR_MS)
})

it.each([
  ['an ordinary time', 'Asia/Shanghai', '2026-11-22T08:00Z', '2026-11-22T00:00Z'],
  ['half an hour', 'Asia/Kolkata', '2026-11-22T00:00Z', '2026-11-21T18:30Z'],
  ['just after the change, east of Greenwich', 'Europe/Berlin', '2026-03-29T03:00Z', '2026-03-29T01:00Z'],
  ['just before the change, west of Greenwich', 'America/New_York', '2026-03-08T01:00Z', '2026-03-08T06:00Z'],
  ['a skipped hour is an hour later', 'Europe/Berlin', '2026-03-29T02:30Z', '2026-03-29T01:30Z'],
  ['also west of Greenwich', 'America/New_York', '2026-03-08T02:30Z', '2026-03-08T07:30Z'],
  ['a repeated hour is its first', 'Europe/Berlin', '2026-10-25T02:30Z', '2026-10-25T00:30Z'],
  ['also west of Greenwich', 'America/New_York', '2026-11-01T01:30Z', '2026-11-01T05:30Z'],
  ['a skipped midnight', 'Africa/Cairo', '2026-04-24T00:00Z', '2026-04-23T22:00Z'],
])('%s in %s', (_, zone, local, instant) => {
  expect(new Date(momentOf(at(local), zone)).toISOString()).toBe(new Date(at(instant)).toISOString())
})

it('keeps the formats of a limited number of names: a zone may be written in any letter case', () => {
  const zone = 'america/argentina/comodrivadavia'
  const written = (n: number) =>
    [...zone].map((letter, i) => ((n >> i) & 1 ? letter.toUpperCase() : letter)).join('')
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  offsetMs(zone, 0)
  offsetMs(zone, 0)
  expect(made).toHaveBeenCalledTimes(1)
  for (let n = 1; n < 2048; n++) offsetMs(written(n), 0)
  made.mockClear()
  offsetMs(zone, 0)
  expect(made).toHaveBeenCalledTimes(1)
})
