import { expect, it } from 'vitest'
import { asShown, changedNames, merged, mergedSets, theirsOf } from './edit-conflict.ts'

it.each([
  [null, '', ''],
  [7, '7', '7'],
  [7, 3, 7],
  [1, false, true],
  [0, true, false],
  [[4, 5], ['1'], ['4', '5']],
  [[4], [], ['4']],
  ['text', '', 'text'],
])('shows %j of the body as a form shows that holds %j: %j', (value, like, shown) => {
  expect(asShown(value, like)).toEqual(shown)
})

const base = { name: 'A', remark: '', groups: ['1'], on: true }

it('treats the same choices in another order as equal', () => {
  expect(changedNames({ groups: ['2', '1'] }, theirsOf({ groups: ['2', '1'] }, { groups: [1, 2] }))).toEqual(
    [],
  )
})

it('finds what the other user changed', () => {
  const theirs = theirsOf(base, { name: 'B', remark: null, groups: [1], elsewhere: 1 })
  expect(theirs).toEqual({ name: 'B', remark: '', groups: ['1'], on: true })
  expect(changedNames(base, theirs)).toEqual(['name'])
})

it('keeps mine where I changed it, and theirs where only they did', () => {
  const theirs = { ...base, name: 'his', groups: ['1', '2'] }
  const mine = { ...base, name: 'mine', remark: 'mine' }
  expect(merged(base, theirs, mine)).toEqual({ name: 'mine', remark: 'mine', groups: ['1', '2'], on: true })
})

it('merges choices of many one by one', () => {
  const set = (...ids: string[]) => new Set(ids)
  expect([...mergedSets(set('a', 'b'), set('a', 'b', 'c'), set('b', 'd'))].toSorted()).toEqual([
    'b',
    'c',
    'd',
  ])
  expect([...mergedSets(set('a', 'b'), set('b'), set('a', 'b', 'd'))].toSorted()).toEqual(['b', 'd'])
})
