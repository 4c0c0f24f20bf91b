import { expect, it } from 'vitest'
import { unitBeside } from './unit.ts'

it('a signal strength in CSQ is also shown in dBm, other numbers are not', () => {
  expect([0, 10, 30].map((csq) => unitBeside('CSQ', csq))).toEqual([
    'CSQ (\u2212113 dBm)',
    'CSQ (\u221293 dBm)',
    'CSQ (\u221253 dBm)',
  ])
  expect([unitBeside('CSQ', ''), unitBeside('CSQ', 1.5), unitBeside('ms', 10)]).toEqual(['CSQ', 'CSQ', 'ms'])
})
