import { expect, it } from 'vitest'
import { pictureName } from './initials.ts'

it.each([
  ['王海涛', '王'],
  ['𠮷田太郎', '𠮷'],
  ['Li Na', 'Li Na'],
  ['ops_zhang', 'ops_zhang'],
])('%s is abbreviated as %s', (name, shown) => {
  expect(pictureName(name)).toBe(shown)
})
