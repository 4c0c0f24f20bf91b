import { expect, it } from 'vitest'
import { isInside, rectangle, region, regionOf, regionText } from './region.ts'

const at = (longitude: number, latitude: number) => ({ longitude, latitude })
/** An L: the square from 0 to 2 without its north-eastern quarter. */
const angle = [at(0, 0), at(2, 0), at(2, 1), at(1, 1), at(1, 2), at(0, 2)]

it('a rectangle is the same whichever corners were dragged', () => {
  expect(rectangle(at(2, 0), at(0, 1))).toEqual(rectangle(at(0, 0), at(2, 1)))
  expect(isInside(rectangle(at(2, 0), at(0, 1)), at(1, 0.5))).toBe(true)
  expect(isInside(rectangle(at(2, 0), at(0, 1)), at(1, 1.5))).toBe(false)
})

it.each([
  [0.5, 1.5, true],
  [1.5, 0.5, true],
  [1.5, 1.5, false],
  [-0.5, 0.5, false],
  [2.5, 0.5, false],
])('%d, %d inside a polygon that is not convex: %s', (longitude, latitude, inside) => {
  expect(isInside(angle, at(longitude, latitude))).toBe(inside)
})

it('survives the address', () => {
  expect(regionText([at(113.123456, 22.5), at(114, 22.5), at(114, -23)])).toBe(
    '113.1235,22.5 114,22.5 114,-23',
  )
  expect(regionOf(regionText(angle))).toEqual(angle)
})

it.each([
  '',
  '1,2',
  '1,2 3,4',
  '1,2 3,4 5',
  '1,2 3,4 5,6,7',
  '1,2 3,4 181,6',
  '1,2 3,4 5,91',
  'a,b c,d e,f',
  '1,2 3,4 5,',
  Array.from({ length: 65 }, () => '1,2').join(' '),
])('refuses %j', (text) => {
  expect(regionOf(text)).toBeNull()
  expect(region.safeParse(text).success).toBe(false)
})
