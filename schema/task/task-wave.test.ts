import { expect, it } from 'vitest'
import { assignWaves, waveRules, waveVerdict } from './task-wave.ts'

const fleet = Array.from({ length: 200 }, (_, i) => ({ id: i + 1, groupId: i < 30 ? 7 : 8 }))
const sizes = (rules: Parameters<typeof assignWaves>[0]) =>
  assignWaves(rules, fleet, ({ value }) => [value]).map(({ by, deviceIds }) => `${by} ${deviceIds.length}`)

it('divides the devices by percent, number and group; the rest is the last wave', () => {
  expect(sizes([])).toEqual(['rest 200'])
  expect(
    sizes([
      { by: 'percent', value: 5 },
      { by: 'count', value: 40 },
    ]),
  ).toEqual(['percent 10', 'count 40', 'rest 150'])
  expect(
    sizes([
      { by: 'group', value: 7 },
      { by: 'percent', value: 100 },
    ]),
  ).toEqual(['group 30', 'percent 170'])
  expect(sizes([{ by: 'group', value: 99 }])).toEqual(['rest 200'])
})

it('a percentage ends at 100; a number of devices and the id of a group do not', () => {
  const isAccepted = (by: string, value: number) => waveRules.safeParse({ by, value }).success
  expect([100, 101].map((value) => isAccepted('percent', value))).toEqual([true, false])
  expect(['count', 'group'].map((by) => isAccepted(by, 101))).toEqual([true, true])
})

it('every device is in exactly one wave', () => {
  const waves = assignWaves(
    [
      { by: 'percent', value: 33 },
      { by: 'group', value: 7 },
    ],
    fleet,
    () => [7],
  )
  expect(waves.flatMap(({ deviceIds }) => deviceIds).toSorted((a, b) => a - b)).toEqual(
    fleet.map(({ id }) => id),
  )
})

const none = { done: 0, failed: 0, open: 0, unreached: 0, coming: 0, seen: 0 }
it.each([
  [{ open: 10 }, 'wait'],
  [{ done: 8, open: 2 }, 'wait'],
  [{ done: 9, open: 1 }, 'next'],
  [{ done: 9, failed: 1 }, 'next'],
  [{ failed: 2, open: 8 }, 'short'],
  [{ done: 8, failed: 2 }, 'short'],
  // Those that are offline say nothing.
  [{ done: 5, unreached: 5, coming: 5 }, 'next'],
  [{ unreached: 10, coming: 10 }, 'wait'],
  // All have ended, and nothing is proved: cancelled, or not come in time.
  [{}, 'short'],
  [{ unreached: 10 }, 'short'],
  // A user resumed it nevertheless.
  [{ seen: 10 }, 'next'],
  [{ seen: 9, open: 1 }, 'wait'],
  [{ seen: 9, unreached: 1, coming: 1 }, 'wait'],
] as const)('with a threshold of 90 %% a wave of %j means %s', (counts, verdict) => {
  expect(waveVerdict({ ...none, ...counts }, 90)).toBe(verdict)
})
