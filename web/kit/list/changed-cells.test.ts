import { expect, it } from 'vitest'
import { changedCells, inPreviousOrder } from './changed-cells.ts'

const keyOf = (row: { id: string }) => row.id
const before = new Map([
  ['a', { id: 'a', online: true, gps: { x: 1 } }],
  ['b', { id: 'b', online: true, gps: { x: 2 } }],
])

it('a cell has changed when its value differs, however deep; a new row has not', () => {
  const rows = [
    { id: 'a', online: false, gps: { x: 1 } },
    { id: 'b', online: true, gps: { x: 3 } },
    { id: 'c', online: true, gps: { x: 4 } },
  ]
  expect([...changedCells(before, rows, keyOf)]).toEqual(['a:online', 'b:gps'])
})

it('the same rows keep their order under the pointer; others are taken as they are', () => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(inPreviousOrder(['a', 'b'], [b, a], keyOf)).toEqual([a, b])
  expect(inPreviousOrder(['a', 'b'], [b, c], keyOf)).toEqual([b, c])
  expect(inPreviousOrder(['a', 'b'], [b, a, c], keyOf)).toEqual([b, a, c])
})
