import { expect, it } from 'vitest'
import { cutText } from './cut-text.ts'

it.each([
  ['Kiosk', 64, 'Kiosk'],
  ['Kiosk', 3, 'Kio'],
  ['ab😀', 4, 'ab😀'],
  // Half of the last one: a task with such a name would be refused.
  ['ab😀', 3, 'ab'],
  ['😀', 1, ''],
  ['', 5, ''],
])('“%s” cut to %i is “%s”', (text, max, wanted) => {
  expect(cutText(text, max)).toBe(wanted)
  expect(cutText(text, max).isWellFormed()).toBe(true)
})
