import { expect, it } from 'vitest'
import { isOlder } from './version-order.ts'

it.each([
  ['1.9.0', '1.10.0'],
  ['v2.6.1', 'v2.6.2'],
  ['1.2', '1.2.1'],
  ['R200-1.4-20250301', 'R200-1.4-20260301'],
  ['23.05.5-r4', '24.10.0-r1'],
  ['1.09', '1.10'],
  ['2.0-rc1', '2.0-rc2'],
  ['1.99999999999999999998', '1.99999999999999999999'],
])('%s is older than %s, and not the other way round', (older, newer) => {
  expect(isOlder(older, newer)).toBe(true)
  expect(isOlder(newer, older)).toBe(false)
})

it.each([
  ['1.2.0', '1.2.0'],
  ['1.02', '1.2'],
  // A release candidate is older than its release; a build after it newer. The text does not say which it is.
  ['2.0-rc1', '2.0'],
  ['2.0', '2.0-r3'],
  ['fe-1.2', 'be-1.3'],
  ['stable', 'nightly'],
  ['1.x', '1.2'],
  ['1.a.1', '1.b.2'],
])('whether %s or %s is older is not known', (one, other) => {
  expect(isOlder(one, other)).toBe(false)
  expect(isOlder(other, one)).toBe(false)
})
