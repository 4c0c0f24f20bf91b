import { expect, it } from 'vitest'
import { faultsIn, fullTrial, type Verdict } from './several.ts'
import { uncovered, watched } from './verdict.ts'

it.each([
  ['nothing recorded', { from: 10, to: 40 }, [], 30],
  ['one record', { from: 10, to: 40 }, [{ from: 9, to: 41 }], 0],
  ['it begins late', { from: 10, to: 40 }, [{ from: 17, to: null }], 7],
  ['it ends early', { from: 10, to: null }, [{ from: 10, to: 88 }], 12],
  [
    'a gap between two, in any order',
    { from: 10, to: 40 },
    [
      { from: 30, to: 50 },
      { from: 0, to: 21 },
    ],
    9,
  ],
  [
    'another time',
    { from: 10, to: 40 },
    [
      { from: 60, to: 70 },
      { from: 0, to: 5 },
    ],
    30,
  ],
])('how long a connection is not recorded: %s', (_name, span, records, expected) => {
  expect(uncovered(span, records, 100)).toBe(expected)
})

it('after a broker fell silent nothing is claimed, until the next record; after any other end there is', () => {
  const span = { from: 0, to: null }
  const records = (reason: string) => [
    { from: 0, to: 30, reason },
    { from: 50, to: null, reason: null },
  ]
  expect(uncovered(span, watched(records('brokerLost')), 100)).toBe(0)
  expect(uncovered(span, watched(records('socketClosed')), 100)).toBe(20)
})

const good: Verdict = {
  drainedSeconds: 0,
  samples: { acknowledged: 10, stored: 12, lost: 0, doubled: 0, foreign: 0 },
  presence: { shownOffline: 0, shownOnline: 0, openTwice: 0, unknown: 3 },
  upgraded: { kills: 8, items: 600, flashedOnce: 600 },
  balance: [990, 1010],
  ratio: 0.98,
  endedByThemselves: [],
}

it('names everything that went wrong', () => {
  const wrong = (over: Partial<Verdict>) => faultsIn({ ...good, ...over }, fullTrial(2_000))
  expect(wrong({})).toEqual([])
  const { samples, presence, upgraded } = good
  expect(wrong({ samples: { ...samples, lost: 1 } })).toEqual(['1 acknowledged samples are not stored'])
  expect(wrong({ samples: { ...samples, acknowledged: 0 } })).toHaveLength(1)
  expect(wrong({ samples: { ...samples, doubled: 2, foreign: 1 } })).toHaveLength(2)
  expect(wrong({ presence: { ...presence, shownOffline: 1, shownOnline: 1, openTwice: 1 } })).toHaveLength(3)
  expect(wrong({ upgraded: { ...upgraded, flashedOnce: 599 } })).toHaveLength(1)
  expect(wrong({ upgraded: { ...upgraded, kills: 0 } })).toHaveLength(1)
  expect(wrong({ balance: [600, 1_400] })).toEqual(['the fleet is not balanced: 600 + 1400'])
  expect(wrong({ balance: [2_000] })).toHaveLength(1)
  // As few too many as brokers leave alone.
  expect(wrong({ balance: [17, 24] })).toEqual([])
  expect(wrong({ balance: [10, 30] })).toHaveLength(1)
  expect(wrong({ endedByThemselves: ['broker1'] })).toHaveLength(1)
})
