import { expect, test } from 'vitest'
import { type Chosen, renewed } from './list-selection.ts'

type Row = { id: number; online?: boolean }
const keyOf = ({ id }: Row) => String(id)
const chosen = (...held: [Row, string][]): Chosen<Row> =>
  new Map(held.map(([row, page]) => [keyOf(row), { row, page }]))
const shown = (held: Chosen<Row>) => [...held.values()].map(({ row }) => row)

test('a selected row that was deleted is not selected any more', () => {
  const before = chosen([{ id: 1 }, 'page 1'], [{ id: 2 }, 'page 1'])
  expect(shown(renewed(before, [{ id: 2 }, { id: 3 }], 'page 1', keyOf))).toEqual([{ id: 2 }])
})

test('rows that were selected on other pages stay selected', () => {
  const before = chosen([{ id: 1 }, 'page 1'], [{ id: 11 }, 'page 2'])
  expect(shown(renewed(before, [{ id: 11 }, { id: 12 }], 'page 2', keyOf))).toEqual([{ id: 1 }, { id: 11 }])
})

test('an action is told the newest values of the selected rows', () => {
  const before = chosen([{ id: 1, online: true }, 'page 1'])
  expect(shown(renewed(before, [{ id: 1, online: false }], 'page 1', keyOf))).toEqual([
    { id: 1, online: false },
  ])
})

test('a row that moved to the page that is shown belongs to it from then on', () => {
  const moved = renewed(chosen([{ id: 1 }, 'page 1']), [{ id: 1 }], 'page 2', keyOf)
  expect(shown(moved)).toEqual([{ id: 1 }])
  expect(renewed(moved, [], 'page 2', keyOf).size).toBe(0)
})

test('an answer that changes nothing leaves the selection as it is', () => {
  const row = { id: 1 }
  const before = chosen([row, 'page 1'], [{ id: 11 }, 'page 2'])
  expect(renewed(before, [row, { id: 2 }], 'page 1', keyOf)).toBe(before)
})
