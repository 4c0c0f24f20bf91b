import { expect, it } from 'vitest'
import { mismatch } from './gather.ts'

it.each<[string, string[], string[], string[]]>([
  ['one handler each', ['a', 'b'], ['b', 'a'], []],
  ['a declaration without a handler', ['a', 'b'], ['a'], ['b has no handler']],
  ['two handlers', ['a'], ['a', 'a'], ['a has two handlers']],
  ['a handler of something undeclared', ['a'], ['a', 'b'], ['b is handled but not declared']],
  ['two declarations of one name', ['a', 'a'], ['a'], ['a is declared twice']],
])('%s: every room reports it at start', (_what, declared, handled, faults) => {
  expect(mismatch(declared, handled)).toEqual(faults)
})
