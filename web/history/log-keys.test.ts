import { expect, it } from 'vitest'
import { withKeys } from './log-keys.ts'

const line = (at: string, text: string) => ({ at, tag: 'kernel', text })
const keys = (lines: Parameters<typeof withKeys>[0]) => withKeys(lines).map(({ key }) => key)

it('a line of a log keeps its key when newer lines come and older ones leave the list', () => {
  const before = keys([line('1', 'a'), line('2', 'b'), line('3', 'c')])
  const after = keys([line('2', 'b'), line('3', 'c'), line('4', 'd')])
  expect(after.slice(0, 2)).toEqual(before.slice(1))
})

it('equal lines of one time have keys of their own, also when one of them is cut off', () => {
  const whole = keys([line('1', 'a'), line('1', 'a'), line('2', 'b')])
  expect(new Set(whole).size).toBe(3)
  expect(keys([line('1', 'a'), line('2', 'b')])).toEqual(whole.slice(1))
})
