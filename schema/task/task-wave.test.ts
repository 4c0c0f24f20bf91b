import { expect, it } from 'vitest'
import { assignWaves, waveVerdict } from './task-wave.ts'

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

it.each([
  [{ done: 0, failed: 0, open: 10, unreached: 0 }, 'wait'],
  [{ done: 8, failed: 0, open: 2, unreached: 0 }, 'wait'],
  [{ done: 9, failed: 0, open: 1, unreached: 0 }, 'next'],
  [{ done: 9, failed: 1, open: 0, unreached: 0 }, 'next'],
  [{ done: 0, failed: 2, open: 8, unreached: 0 }, 'short'],
  [{ done: 8, failed: 2, open: 0, unreached: 0 }, 'short'],
  // Those that are offline say nothing.
  [{ done: 5, failed: 0, open: 0, unreached: 5 }, 'next'],
  [{ done: 0, failed: 0, open: 0, unreached: 10 }, 'wait'],
] as const)('with a threshold of 90 %% a wave of %j means %s', (counts, verdict) => {
  expect(waveVerdict(counts, 90)).toBe(verdict)
})
