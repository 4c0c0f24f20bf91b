import { expect, it } from 'vitest'
import type { Say } from '../kit/say.ts'
import { figure, figureAt, lasted } from './alarm-text.ts'

const words: Record<string, string> = {
  'alarm:message.duration.day': 'd',
  'alarm:message.duration.hour': 'h',
  'alarm:message.duration.minute': 'min',
  'alarm:unit.minutes': 'min',
  'alarm:unit.dbm': 'dBm',
}
const say: Say = (key) => words[key] ?? key
const startedAt = '2026-11-29T14:00:00Z'
const at = (time: string) => Date.parse(`2026-11-29T${time}Z`)
const once = { startedAt, lastAt: '2026-11-29T14:01:06Z', endedAt: null, times: 1 }
const offline = { kind: 'offline' as const, value: 1.1, detail: null, ...once }

it.each([
  ['14:01:06', '1 min'],
  ['14:02:50', '2 min'],
  ['14:36:00', '36 min'],
  ['17:05:00', '3 h 5 min'],
])(
  'a device that went offline at 14:00 is offline at %s for %s, whatever was stored when the alarm began',
  (time, text) => {
    expect(figureAt(offline, at(time), say)).toBe(text)
  },
)

it('the duration in a notice is no other than the value beside it', () => {
  expect(lasted(170_000, say)).toBe(figureAt(offline, at('14:02:50'), say))
})

it('what is over has lasted until its end', () => {
  expect(figureAt({ ...offline, endedAt: '2026-11-29T14:20:00Z' }, at('20:00:00'), say)).toBe('20 min')
})

it('a device that was online in between is offline since it left the last time', () => {
  const again = { ...offline, value: 5, lastAt: '2026-11-29T16:05:00Z', times: 9 }
  expect(figureAt(again, at('16:05:10'), say)).toBe('5 min')
  expect(figureAt({ ...again, endedAt: '2026-11-29T16:12:00Z' }, at('20:00:00'), say)).toBe('12 min')
})

it('other values are those that were observed', () => {
  const weak = { ...offline, kind: 'signal' as const, value: -106.04 }
  expect(figureAt(weak, at('20:00:00'), say)).toBe(figure(weak, say))
})

it.each([
  ['4945.0 W', '4,945.0 W'],
  ['-1234567 W', '-1,234,567 W'],
  ['998.5 W … 12000.123456 W', '998.5 W … 12,000.123456 W'],
  ['0.123456 V', '0.123456 V'],
])('the value of a variable is written as it is elsewhere: %s', (detail, shown) => {
  expect(figure({ kind: 'variable', value: 1, detail }, say)).toBe(shown)
})
