import { expect, it, vi } from 'vitest'
import { threadMs } from '#test/thread-time'
import { csvCell, repeatedOffset, writtenIn, zonedClock, zonedLines } from './csv.ts'

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

it('the calendar is asked for a few times of each day, however many times a file has', () => {
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
  const offset = repeatedOffset('Europe/Berlin')
  const year = Date.parse('2026-01-01T00:00:00Z')
  // Times of a whole fleet, in no order.
  for (let n = 0; n < 20_000; n++) offset(year + ((n * 7_919_333) % (365 * 86_400)) * 1000)
  expect(asked.mock.calls.length).toBeLessThan(1_500)
  asked.mockRestore()
})

it.each(['-5', '-5.25', '-3e-7', '-5.5 °C', '-12 kvarh', '-3 %', '-3%', '-4 m³/h', '-3 V … 4 V', '-3 … -4'])(
  'an amount stays as it is: %s',
  (text) => expect(csvCell(text)).toBe(text),
)

it.each([
  '+8613800138000',
  '+5 °C',
  '-0012',
  '-5 A1',
  '-5+3',
  '-5 (x)',
  '-5 °C+cmd',
  '-5  °C',
  '-A',
  '- 5',
  '=5',
  '@5',
  '-5 V … =1',
  "-1+cmd|'/c calc'!A0",
])('what may be a formula gets an apostrophe: %s', (text) => expect(csvCell(text)).toBe(`"'${text}"`))

it.each(['=5', "'=5", "''-A", "'A", "'", '  +5 V', '\tA', '-5', 'A'])(
  '%j comes back from its cell',
  (text) => {
    const cell = csvCell(text)
    const unquoted = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
    expect(writtenIn(unquoted)).toBe(text)
  },
)
