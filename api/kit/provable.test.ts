import { expect, it } from 'vitest'
import { isBorneOut } from './provable.ts'

const many = Array.from({ length: 50 }, (_, i) => i)

it.each([
  ['what it set is there', { name: 'A', enabled: true }, { name: 'A', enabled: true, other: 1 }, true],
  ['the platform switched it off', { name: 'A', enabled: true }, { name: 'A', enabled: false }, false],
  ['a group of the list is gone', { groupIds: [3, 1] }, { groupIds: [1] }, false],
  ['a list in another order', { groupIds: [3, 1] }, { groupIds: [1, 3] }, true],
  ['blanks are kept as null', { address: '', uid: 0 }, { address: null, uid: 0 }, true],
  ['numbers that were sent as text', { port: '9001' }, { port: 9001 }, true],
  ['what was struck out says nothing', { secret: '***' }, { secret: 'x' }, true],
  ['a long text that was cut', { text: 'abc…' }, { text: 'abcdef' }, true],
  ['a long text that is another one', { text: 'abc…' }, { text: 'abX' }, false],
  ['a list that was cut', { ids: many }, { ids: [1] }, true],
  ['what it did not say', { edition: 'x' }, { name: 'A' }, true],
  ['a body that was not kept', null, { name: 'A' }, true],
])('%s', (_what, logged, now, borne) => {
  expect(isBorneOut(logged, now)).toBe(borne)
})
