import { expect, it } from 'vitest'
import { isInWindow, isQuiet } from './quiet.ts'

it.each([
  ['22:00', '07:00', 'UTC', '2026-11-21T23:00:00Z', true],
  ['22:00', '07:00', 'UTC', '2026-11-21T06:59:00Z', true],
  ['22:00', '07:00', 'UTC', '2026-11-21T07:00:00Z', false],
  ['22:00', '07:00', 'Asia/Shanghai', '2026-11-21T14:00:00Z', true],
  ['12:00', '13:00', 'UTC', '2026-11-21T12:30:00Z', true],
  ['12:00', '12:00', 'UTC', '2026-11-21T12:00:00Z', false],
  [null, null, 'UTC', '2026-11-21T12:00:00Z', false],
])('quiet from %s to %s in %s at %s: %s', (quietFrom, quietTo, timeZone, at, quiet) => {
  expect(isQuiet(new Date(at), { quietFrom, quietTo, timeZone })).toBe(quiet)
})

const window = {
  startsAt: new Date('2026-03-20T21:00:00Z'),
  endsAt: new Date('2026-03-20T23:00:00Z'),
  timeZone: 'Europe/Berlin',
}
it.each([
  ['once', '2026-03-20T22:00:00Z', true],
  ['once', '2026-03-21T22:00:00Z', false],
  ['daily', '2026-03-20T20:00:00Z', false],
  ['daily', '2026-03-21T22:00:00Z', true],
  // Summer time: 22:00 in Berlin is an hour earlier by UTC.
  ['daily', '2026-04-01T20:30:00Z', true],
  ['daily', '2026-04-01T22:30:00Z', false],
  ['weekly', '2026-03-27T22:00:00Z', true],
  ['weekly', '2026-03-28T22:00:00Z', false],
] as const)('maintenance %s at %s: %s', (repeats, at, open) => {
  expect(isInWindow(new Date(at), { ...window, repeats })).toBe(open)
})

it.each([
  // From ten to six by the clock, in the night in which the clocks are put back or forward.
  ['2026-10-31T22:00:00-04:00', '2026-11-01T06:00:00-05:00'],
  ['2026-03-07T22:00:00-05:00', '2026-03-08T06:00:00-04:00'],
])(
  'maintenance that begins in the night of a clock change, at %s, lasts as long by the clock as was planned',
  (from, to) => {
    const planned = { startsAt: new Date(from), endsAt: new Date(to), timeZone: 'America/New_York' }
    for (const repeats of ['daily', 'weekly'] as const) {
      const nights = repeats === 'daily' ? 3 : 14
      const end = planned.endsAt.getTime() + nights * 86_400_000
      const isOpen = (ms: number) => isInWindow(new Date(end + ms), { ...planned, repeats })
      expect([isOpen(-60_000), isOpen(0)]).toEqual([true, false])
    }
  },
)
