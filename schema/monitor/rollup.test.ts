/** Rollups of any division give what the samples give at once. */
import { describe, expect, it } from 'vitest'
import { type Bucket, mergeRollups } from './merge-rollups.ts'
import { grownBy, holdMsOf, isGlitch, type Rollup, rollUp, rollUpAll, type Sample, wrapOf } from './rollup.ts'

const HOLD_MS = 150_000
const MINUTE = 60_000
const divided = (samples: readonly Sample[], widthMs: number, endMs: number, meter = true): Rollup[] =>
  rollUpAll(samples, widthMs, { originMs: 0, endMs, holdMs: HOLD_MS, meter })
const merged = (rollups: readonly Rollup[], starts: readonly number[], endMs: number) =>
  mergeRollups(rollups, { starts, endMs, holdMs: HOLD_MS, meter: true })

const close = (value: number | null) => (value === null ? null : Number(value.toFixed(6)))
const rounded = (buckets: readonly Bucket[]) =>
  buckets.map((one) => ({ ...one, avg: close(one.avg), diff: close(one.diff) }))

/** A meter with glitches, resets, gaps and bad readings. */
function history(seed: number, count: number): Sample[] {
  let random = seed
  const next = () => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
    return random / 2_147_483_648
  }
  let [at, value]: [number, number] = [0, 100]
  return Array.from({ length: count }, () => {
    at += next() < 0.05 ? 400_000 : 1_000 + Math.floor(next() * 60_000)
    const kind = next()
    if (kind < 0.1) return [at, null] as const
    if (kind < 0.2) return [at, value * next()] as const
    value = kind < 0.25 ? next() * 5 : value + next()
    return [at, value] as const
  })
}

describe('rollups', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('add up to what the samples are, however divided (%i)', (seed) => {
    const samples = history(seed, 200)
    const endMs = Math.ceil((samples.at(-1)?.[0] ?? 0) / 3_600_000) * 3_600_000
    const starts = Array.from({ length: endMs / 3_600_000 }, (_, i) => i * 3_600_000)
    const whole = rounded(merged(divided(samples, 3_600_000, endMs), starts, endMs))
    for (const widthMs of [900_000, 300_000, MINUTE, 10_000])
      expect(rounded(merged(divided(samples, widthMs, endMs), starts, endMs))).toEqual(whole)
  })

  it('of a meter have the same increase as its good values one by one', () => {
    const samples = history(11, 300)
    const endMs = samples.at(-1)?.[0] ?? 0
    const goods = samples.flatMap(([, value]) => (value === null ? [] : [value]))
    const steady = goods.filter((value, i) => !isGlitch(goods[i - 1] ?? null, value, goods[i + 1] ?? null))
    const grown = steady.reduce((sum, value, i) => {
      const before = steady[i - 1]
      return sum + (before === undefined ? 0 : value >= before ? value - before : value)
    }, 0)
    const [bucket] = merged(divided(samples, 7_000, endMs + 1), [0], endMs + 1)
    expect(bucket?.diff).toBeCloseTo(grown, 6)
  })

  it('whose sum no number holds have no mean and no increase; the rest is known', () => {
    const samples: Sample[] = [0, 1, 2, 3].map((i) => [1_000 * i, i % 2 === 0 ? -1.7e308 : 1.7e308])
    for (const widthMs of [1_000, 4_000]) {
      const of = { originMs: 0, endMs: 4_000, holdMs: 1_000, meter: true }
      const [bucket] = merged(rollUpAll(samples.slice(1, 3), widthMs, of), [0], 4_000)
      expect(bucket).toMatchObject({ min: -1.7e308, max: 1.7e308, last: -1.7e308 })
      const [sum] = merged(
        rollUpAll(
          [
            [0, 1.7e308],
            [1_000, 1.7e308],
          ],
          widthMs,
          of,
        ),
        [0],
        4_000,
      )
      expect(sum).toMatchObject({ avg: null, max: 1.7e308, bad: 0 })
      const [grown] = merged(rollUpAll(samples.slice(0, 2), widthMs, of), [0], 4_000)
      expect(grown).toMatchObject({ diff: null, last: 1.7e308 })
    }
  })

  it('do not depend on the order in which samples arrive, once they are sorted', () => {
    const one = rollUp(history(3, 50), { startMs: 0, endMs: 9e6, holdMs: HOLD_MS, meter: true })
    const other = rollUp(
      history(3, 50)
        .toReversed()
        .toSorted(([a], [b]) => a - b),
      { startMs: 0, endMs: 9e6, holdMs: HOLD_MS, meter: true },
    )
    expect(other).toEqual(one)
  })

  it('weigh by time: 10 for 50 s, then 100', () => {
    const made = rollUp([[0, 10] as const, [50_000, 100] as const], {
      startMs: 0,
      endMs: MINUTE,
      holdMs: HOLD_MS,
      meter: false,
    })
    expect(made).toMatchObject({ integral: 1_500, knownS: 60, min: 10, max: 100, first: 10, last: 100 })
    expect(made?.steps).toBeNull()
  })

  it('without samples are none', () => {
    expect(rollUp([], { startMs: 0, endMs: 1, holdMs: 1, meter: true })).toBeNull()
  })
})

describe('merging', () => {
  const at = (s: number, value: number | null) => [s * 1000, value] as const
  const minutes = (samples: readonly Sample[], count: number) =>
    merged(
      divided(samples, MINUTE, count * MINUTE),
      Array.from({ length: count }, (_, i) => i * MINUTE),
      count * MINUTE,
    )

  it('keeps a value valid over buckets without samples, but not for longer than its cycle implies', () => {
    expect(minutes([at(0, 5), at(540, 5)], 10).map(({ avg }) => avg)).toEqual([
      5,
      5,
      5,
      null,
      null,
      null,
      null,
      null,
      null,
      5,
    ])
  })

  it('ends what stood with a bad sample', () => {
    const buckets = minutes([at(0, 5), at(60, null), at(120, 5)], 3)
    expect(buckets.map(({ avg }) => avg)).toEqual([5, null, 5])
    expect(buckets.map(({ bad }) => bad)).toEqual([0, 1, 0])
  })

  it.each([
    ['the last value of a bucket', [at(0, 100), at(59, 3), at(60, 101)], [0, 1]],
    ['the first value of a bucket', [at(0, 100), at(60, 3), at(61, 101)], [0, 1]],
    ['the only value of a bucket', [at(0, 100), at(60, 3), at(120, 101)], [0, null, 1]],
  ])('leaves out a glitch that is %s', (_, samples, diffs) => {
    expect(minutes(samples, diffs.length).map(({ diff }) => diff)).toEqual(diffs)
  })

  it('counts a reset at the edge of a bucket from 0', () => {
    expect(minutes([at(0, 100), at(59, 3), at(60, 5)], 2).map(({ diff }) => diff)).toEqual([3, 2])
  })

  it('gives what grew while nothing was heard to the bucket in which the meter is back', () => {
    expect(minutes([at(0, 100), at(600, 160)], 11).at(-1)?.diff).toBe(60)
  })
})

it('a value reported on change is valid for two and a half heartbeats', () => {
  expect(holdMsOf({ cycleS: 5, reportType: 'cycle' })).toBe(12_500)
  expect(holdMsOf({ cycleS: 5, reportType: 'change' })).toBe(9_000_000)
})

describe('a meter whose registers hold no more', () => {
  const meter = {
    ioController: 'modbus',
    functionType: 'counter',
    dataType: 'uint16',
    length: null,
    powerAddress: null,
    factor: 1,
    addend: 0,
  } as const

  it.each([
    [{}, 65_536],
    [{ factor: 0.01 }, 655.36],
    [{ dataType: 'uint32' }, 2 ** 32],
    [{ dataType: 'bcd32' }, 100_000_000],
    [{ dataType: 'mod10k', length: 2 }, 100_000_000],
    [{ ioController: 'digitalInput', dataType: 'uint32' }, 2 ** 32],
    [{ functionType: 'gauge' }, null],
    [{ ioController: 'source' }, null],
    [{ dataType: 'int16' }, null],
    [{ dataType: 'uint64' }, null],
    [{ dataType: 'float32' }, null],
    [{ addend: 5 }, null],
    [{ factor: -1 }, null],
    [{ powerAddress: 3 }, null],
  ] as const)('%j begins again at %s', (more, wrapAt) => {
    const found = wrapOf({ ...meter, ...more })
    if (wrapAt === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(wrapAt, 6)
  })

  it.each([
    [65_000, 100, 636],
    [50_000, 16_000, 31_536],
    // Nobody overflows from the middle, or into it: a reset.
    [40_000, 100, 100],
    [65_000, 30_000, 30_000],
  ])('grows from %d to %d by %d', (before, value, grown) => {
    expect(grownBy(before, value, 65_536)).toBe(grown)
    expect(grownBy(before, value)).toBe(value)
  })

  it('has the same increase however it is divided', () => {
    const samples = Array.from({ length: 500 }, (_, n) => [n * MINUTE, (n * 3_001) % 65_536] as const)
    const endMs = samples.length * MINUTE
    for (const widthMs of [MINUTE, 7 * MINUTE, 3_600_000, endMs]) {
      const of = { holdMs: HOLD_MS, meter: true, wrapAt: 65_536 }
      const [bucket] = mergeRollups(rollUpAll(samples, widthMs, { originMs: 0, endMs, ...of }), {
        starts: [0],
        endMs,
        ...of,
      })
      expect(bucket?.diff).toBe(499 * 3_001)
    }
  })
})
