import { beforeEach, expect, it } from 'vitest'
import { settle } from './query.ts'
import { CHARACTERS_MAX, cachedResponse, clearResponseCache, RESPONSES_MAX } from './response-cache.ts'

beforeEach(clearResponseCache)

it('sends a tag that no response has, then the tag of the last response', () => {
  const first = cachedResponse('a')
  expect([first.headers['If-None-Match'], first.held]).toEqual(['W/"0"', undefined])
  const data = { list: [1] }
  first.keep('W/"x"', data, 10)
  const second = cachedResponse('a')
  expect(second.headers['If-None-Match']).toBe('W/"x"')
  expect(second.held?.data).toBe(data)
  expect(cachedResponse('b').held).toBeUndefined()
})

it('keeps no more responses than allowed, the least recently used go first', () => {
  for (let i = 0; i < RESPONSES_MAX; i += 1) cachedResponse(`a${i}`).keep('W/"x"', i, 10)
  cachedResponse('a0')
  cachedResponse('one more').keep('W/"x"', 1, 10)
  expect([cachedResponse('a0').held?.data, cachedResponse('a1').held]).toEqual([0, undefined])
})

it('limits the total length too, and never keeps a response longer than that', () => {
  cachedResponse('a').keep('W/"x"', 1, CHARACTERS_MAX)
  cachedResponse('b').keep('W/"x"', 2, 1)
  expect([cachedResponse('a').held, cachedResponse('b').held?.data]).toEqual([undefined, 2])
  cachedResponse('c').keep('W/"x"', 3, CHARACTERS_MAX + 1)
  expect([cachedResponse('b').held?.data, cachedResponse('c').held]).toEqual([2, undefined])
})

it('keeps nothing of the last login', () => {
  cachedResponse('a').keep('W/"x"', 1, 1)
  clearResponseCache()
  expect(cachedResponse('a').held).toBeUndefined()
})

it('after a 304 the same object is used, without another comparison', () => {
  const shown = { list: [{ id: 1 }], total: 1 }
  let compared = 0
  const same = () => {
    compared += 1
    return true
  }
  const answer = { list: [{ id: 1 }], total: 1 }
  expect(settle(shown, answer, same)).toBe(shown)
  expect(settle(shown, answer, same)).toBe(shown)
  expect(compared).toBe(1)
})

it('of a partly changed response, equal parts stay the same object', () => {
  const shown = { list: [{ id: 1 }, { id: 2 }] }
  const next = settle(shown, { list: [{ id: 1 }, { id: 3 }] }) as typeof shown
  expect([next.list[0] === shown.list[0], next.list[1]]).toEqual([true, { id: 3 }])
})
