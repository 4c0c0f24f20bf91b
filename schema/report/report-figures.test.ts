import { expect, it } from 'vitest'
import { averageDbm, bucketPercent, dbm } from './report-figures.ts'

it('a single precision sample is rounded to the shown precision', () => {
  expect([dbm(Math.fround(-103.35)), dbm(-60), dbm(null)]).toEqual([-103.3, -60, null])
  expect(averageDbm(-200.1, 3)).toBe(-66.7)
})

it.each([
  ['most devices are unknown, and nobody was online', { devices: 10, knownS: 2 * 3600, onlineS: 0 }, null],
  ['most devices are known to be offline', { devices: 10, knownS: 9 * 3600, onlineS: 0 }, 0],
  ['some were online before the platform went down', { devices: 10, knownS: 7200, onlineS: 3600 }, 50],
  ['nothing is known', { devices: 10, knownS: 0, onlineS: 0 }, null],
  ['there was no device', { devices: null, knownS: null, onlineS: null }, null],
])('an hour in which %s', (_, row, percent) => {
  expect(bucketPercent(row, 3600)).toBe(percent)
})

it('an hour that has just begun', () => {
  expect(bucketPercent({ devices: 10, knownS: 600, onlineS: 0 }, 60)).toBe(0)
})
