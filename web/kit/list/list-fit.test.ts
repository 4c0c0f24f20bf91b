import { expect, it } from 'vitest'
import { fitting, widened } from './list-fit.ts'

const columns = [
  { key: 'state', width: 110, pinned: 'left' as const },
  { key: 'name', width: 150, pinned: 'left' as const },
  { key: 'sn', width: 140 },
  { key: 'model', width: 80 },
  { key: 'note' },
  { key: 'ip', width: 120 },
]
const keys = (room: number) => fitting(columns, room).map(({ key }) => key)

it.each([
  [2000, ['state', 'name', 'sn', 'model', 'note', 'ip']],
  [719, ['state', 'name', 'sn', 'model', 'note']],
  [600, ['state', 'name', 'sn', 'model', 'note']],
  [500, ['state', 'name', 'sn', 'model']],
  [479, ['state', 'name', 'sn']],
])('in %i px the last columns are hidden first: %j', (room, shown) => {
  expect(keys(room)).toEqual(shown)
})

it('keeps the pinned column and one more, however small the width is', () => {
  expect(keys(100)).toEqual(['state', 'name', 'sn'])
})

it('a state is hidden after the others', () => {
  const stated = [...columns, { key: 'synced', width: 110, card: 'beside' as const }]
  const names = (room: number) => fitting(stated, room).map(({ key }) => key)
  expect(names(600)).toEqual(['state', 'name', 'sn', 'model', 'synced'])
  expect(names(400)).toEqual(['state', 'name', 'synced'])
})

it.each([
  [400, 150],
  [450, 196],
  [5000, 420],
])('in %i px the title is %i px wide: it gets what the others and the borders leave', (room, width) => {
  const titled = columns.slice(0, 3).map((one) => (one.key === 'name' ? { ...one, card: 'title' } : one))
  expect(widened(titled, room).map((one) => one.width)).toEqual([110, width, 140])
})

it.each([
  [404, [110, 150, 140]],
  [600, [110, 150, 336]],
  [900, [110, 266, 520]],
  [5000, [110, 420, 520]],
])('in %i px prose gets what is left before the title does: %j', (room, widths) => {
  const written = columns
    .slice(0, 3)
    .map((one) =>
      one.key === 'name' ? { ...one, card: 'title' } : one.key === 'sn' ? { ...one, prose: true } : one,
    )
  expect(widened(written, room).map(({ width }) => width)).toEqual(widths)
})

it('columns of prose share what is left', () => {
  const written = columns.slice(0, 3).map((one) => ({ ...one, prose: one.key !== 'state' }))
  expect(widened(written, 504).map(({ width }) => width)).toEqual([110, 200, 190])
})

it('keeps all columns while the width is unknown', () => {
  expect(keys(0)).toHaveLength(6)
})
