import { expect, it } from 'vitest'
import { hasValue, qualities, qualityCode } from './fields.ts'

it('the codes of qualities are those of the protocol, and stored: they never move', () => {
  expect(Object.fromEntries(qualities.map((quality) => [quality, qualityCode(quality)]))).toEqual({
    good: 0,
    timeout: 1,
    crc: 2,
    slaveOffline: 3,
    noPath: 4,
    uncertainTime: 5,
    badAddress: 6,
    deviceError: 7,
    noValue: 8,
    badData: 9,
    outOfRange: 10,
    formulaError: 11,
  })
})

it('only a good value, one of uncertain time and one out of range are values', () => {
  expect(qualities.filter(hasValue)).toEqual(['good', 'uncertainTime', 'outOfRange'])
})
