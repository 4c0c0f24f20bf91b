import { expect, it } from 'vitest'
import { PER_COLUMN, type Point, thinned } from './thin-samples.ts'

const wave = (count: number): Point[] =>
  Array.from({ length: count }, (_, i) => ({ atMs: i * 1000, value: Math.sin(i / 50), quality: 0 }))

it('keeps every peak, the beginning and the end', () => {
  const points = wave(100_000).map((one, i) => (i === 77_777 ? { ...one, value: 99 } : one))
  const few = thinned(points, 500)
  expect(few.length).toBeLessThanOrEqual(500 * PER_COLUMN)
  expect(few.some(({ value }) => value === 99)).toBe(true)
  expect(Math.min(...few.map(({ value }) => value ?? 0))).toBe(
    Math.min(...points.map(({ value }) => value ?? 0)),
  )
  expect([few[0], few.at(-1)]).toEqual([points[0], points.at(-1)])
  expect(few.every(({ atMs }, i) => atMs > (few[i - 1]?.atMs ?? -1))).toBe(true)
})

it('keeps gaps: a bad sample stays between good ones', () => {
  const points = wave(10_000).map((one, i) => (i === 5_003 ? { ...one, value: null, quality: 1 } : one))
  expect(thinned(points, 100).filter(({ value }) => value === null)).toEqual([points[5_003]])
})

it('leaves few samples as they are', () => {
  const points = wave(100)
  expect(thinned(points, 20)).toBe(points)
})
