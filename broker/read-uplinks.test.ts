import { expect, it } from 'vitest'
import { gone } from '#schema/device/gone'
import { uplinkFaults } from './read-uplinks.ts'

const handled = ['status']
const declared = [{ name: 'status', class: 'hot' } as const, gone]

it('every message of the broker has its handler', () => {
  expect(uplinkFaults(declared, handled)).toEqual([])
})

it.each(['hot', 'session', 'presence'] as const)(
  'a message of the class %s without a handler is refused',
  (kind) => {
    expect(uplinkFaults([...declared, { name: 'more', class: kind }], handled)).toEqual([
      'more has no handler',
    ])
  },
)

it('a handler of an undeclared message is refused', () => {
  expect(uplinkFaults(declared, ['status', 'more'])).toEqual(['more is handled but not declared'])
})

it('a report is left to the workers', () => {
  expect(uplinkFaults([...declared, { name: 'more', class: 'report' }], handled)).toEqual([])
})
