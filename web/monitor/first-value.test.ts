import { describe, expect, it } from 'vitest'
import { lackOf } from './first-value.ts'

const fine = {
  variables: 3,
  good: 0,
  bad: 0,
  online: true,
  collection: 'running',
  hidden: false,
  slave: 'answering',
} as const

describe('what a terminal lacks before its first value', () => {
  it.each([
    [{ good: 1, online: false }, null],
    [{ variables: 0, online: false }, 'noVariables'],
    [{ hidden: true }, 'hidden'],
    [{ online: false, collection: 'waiting', slave: 'silent' }, 'offline'],
    [{ collection: 'refused' }, 'refused'],
    [{ collection: 'waiting', slave: 'silent' }, 'planWaiting'],
    [{ collection: 'none', slave: null }, 'planWaiting'],
    [{ slave: 'silent', bad: 3 }, 'silent'],
    [{ slave: 'noPath' }, 'noPath'],
    [{ bad: 2 }, 'bad'],
    [{ slave: null }, 'waiting'],
  ] as const)('%o: %s', (facts, lack) => {
    expect(lackOf({ ...fine, ...facts })).toBe(lack)
  })
})
