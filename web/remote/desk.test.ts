import { expect, it } from 'vitest'
import { SHELLS_MAX } from '#schema/remote/terminal-frame'
import { add, close, type Desk, deskOf, frontOf, show, split, step } from './desk.ts'

const shown = ({ left, right }: Desk) => [left, right]
const three = add(add(deskOf(1)))

it('shows a new terminal, up to the limit', () => {
  expect(three).toMatchObject({ ids: [1, 2, 3], left: 3, right: null })
  let desk = deskOf(1)
  for (let i = 0; i < 20; i++) desk = add(desk)
  expect(desk.ids).toHaveLength(SHELLS_MAX)
})

it('splits with a terminal that exists, or else with a new one, and goes back to the one with the keyboard', () => {
  expect(split(deskOf(1))).toMatchObject({ ids: [1, 2], left: 1, right: 2, side: 'right' })
  const both = split(three)
  expect(both).toMatchObject({ ids: [1, 2, 3], left: 3, right: 1, side: 'right' })
  expect(shown(split(both))).toEqual([1, null])
})

it('never shows one terminal twice', () => {
  const both = split(three)
  expect(show(both, 3)).toMatchObject({ left: 3, right: 1, side: 'left' })
  expect(show(both, 2)).toMatchObject({ left: 3, right: 2, side: 'right' })
  expect(show(both, 9)).toBe(both)
})

it('puts another terminal where one was closed; the split ends when none is left for it, and the last one stays', () => {
  const both = split(three)
  expect(close(both, 1)).toMatchObject({ ids: [2, 3], left: 3, right: 2 })
  const two = close(close(both, 1), 3)
  expect(two).toMatchObject({ ids: [2], left: 2, right: null, side: 'left' })
  expect(close(two, 2)).toBe(two)
  expect(shown(close(three, 3))).toEqual([2, null])
  expect(shown(close(three, 1))).toEqual([3, null])
  expect(add(close(three, 3)).left).toBe(4)
})

it('goes around the ends', () => {
  expect(frontOf(step(three, 1))).toBe(1)
  expect(frontOf(step(deskOf(1), -1))).toBe(1)
  expect(frontOf(step(three, -1))).toBe(2)
})

it('begins with the shells that a session has already', () => {
  expect(deskOf(0)).toEqual(deskOf(1))
  expect(deskOf(3)).toMatchObject({ ids: [1, 2, 3], next: 4, left: 3, right: null })
})
