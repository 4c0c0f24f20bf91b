import { expect, it } from 'vitest'
import { runsOf } from './register-probe.tsx'

it('registers are counted by their bytes, and neighbours are one range', () => {
  const found = [
    { address: 0, data: '0'.repeat(40) },
    { address: 10, data: '0'.repeat(20) },
    { address: 20, data: '0000' },
  ]
  expect(runsOf(found, false)).toEqual([
    { address: 0, count: 15 },
    { address: 20, count: 1 },
  ])
})

it('of three coils no fourth is offered', () => {
  const found = [
    { address: 0, data: '03', count: 2 },
    { address: 2, data: '01', count: 1 },
  ]
  expect(runsOf(found, true)).toEqual([{ address: 0, count: 3 }])
})

it('of a gateway that does not count bits, what surely exists', () => {
  const found = [
    { address: 0, data: 'FF03' },
    { address: 10, data: '03' },
    { address: 12, data: '01' },
  ]
  expect(runsOf(found, true)).toEqual([
    { address: 0, count: 11 },
    { address: 12, count: 1 },
  ])
})
