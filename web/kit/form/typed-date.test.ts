import { expect, it } from 'vitest'
import { typedDate } from './typed-date.ts'

it.each([
  ['2026-01-05', '2026-01-05'],
  [' 2026/01/05 ', '2026-01-05'],
  ['2028-02-29', '2028-02-29'],
  // Not complete: the 1st of January is not meant.
  ['2026', null],
  ['2026-01-1', null],
  ['2026-02-29', null],
  ['2026-13-01', null],
  ['05.01.2026', null],
  ['2026-01-05 10:00', null],
])('the day "%s" is %s', (text, day) => expect(typedDate(text, false)).toBe(day))

it.each([
  ['2026-01-05 09:30', '2026-01-05 09:30:00'],
  ['2026-01-05T09:30', '2026-01-05 09:30:00'],
  ['2026-01-05', null],
  ['2026-01-05 9:30', null],
  ['2026-01-05 24:00', null],
  ['2026-01-05 23:60', null],
])('the moment "%s" is %s', (text, moment) => expect(typedDate(text, true)).toBe(moment))
