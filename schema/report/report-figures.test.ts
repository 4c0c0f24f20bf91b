import { expect, it } from 'vitest'
import { averageDbm, dbm } from './report-figures.ts'

it('a single precision sample is rounded to the shown precision', () => {
  expect([dbm(Math.fround(-103.35)), dbm(-60), dbm(null)]).toEqual([-103.3, -60, null])
  expect(averageDbm(-200.1, 3)).toBe(-66.7)
})
