import { expect, it } from 'vitest'
import { sparkPath } from './spark-line.tsx'

it('draws a gap where values are unknown', () => {
  expect(sparkPath([0, 10, null, 5, 10], 100, 10)).toBe('M0.0 10.0L25.0 0.0M75.0 5.0L100.0 0.0')
})

it('draws nothing from fewer than two known values, and a flat line without dividing by zero', () => {
  expect(sparkPath([null, 3, null], 100, 10)).toBe('')
  expect(sparkPath([3, 3], 100, 10)).toBe('M0.0 10.0L100.0 10.0')
})
