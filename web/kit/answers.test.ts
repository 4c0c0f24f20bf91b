import { beforeEach, expect, it } from 'vitest'
import { ANSWERS_MAX, CHARACTERS_MAX, forgetAnswers, recall } from './answers.ts'
import { settle } from './query.ts'

beforeEach(forgetAnswers)

it('asks with a tag that no answer has, then with the tag of the last answer', () => {
  const first = recall('a')
  expect([first.headers['If-None-Match'], first.held]).toEqual(['W/"0"', undefined])
  const data = { list: [1] }
  first.keep('W/"x"', data, 10)
  const second = recall('a')
  expect(second.headers['If-None-Match']).toBe('W/"x"')
  expect(second.held?.data).toBe(data)
  expect(recall('b').held).toBeUndefined()
})

it('keeps no more answers than it may, the least recently asked go first', () => {
  for (let i = 0; i < ANSWERS_MAX; i += 1) recall(`a${i}`).keep('W/"x"', i, 10)
  recall('a0')
  recall('one more').keep('W/"x"', 1, 10)
  expect([recall('a0').held?.data, recall('a1').held]).toEqual([0, undefined])
})

it('bounds what is kept by its length too, and never keeps what is longer than all', () => {
  recall('a').keep('W/"x"', 1, CHARACTERS_MAX)
  recall('b').keep('W/"x"', 2, 1)
  expect([recall('a').held, recall('b').held?.data]).toEqual([undefined, 2])
  recall('c').keep('W/"x"', 3, CHARACTERS_MAX + 1)
  expect([recall('b').held?.data, recall('c').held]).toEqual([2, undefined])
})

it('knows nothing of the last login', () => {
  recall('a').keep('W/"x"', 1, 1)
  forgetAnswers()
  expect(recall('a').held).toBeUndefined()
})

it('after a 304 the same object is shown, and it was not compared again', () => {
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

it('of an answer that changed in part, what is equal stays the same object', () => {
  const shown = { list: [{ id: 1 }, { id: 2 }] }
  const next = settle(shown, { list: [{ id: 1 }, { id: 3 }] }) as typeof shown
  expect([next.list[0] === shown.list[0], next.list[1]]).toEqual([true, { id: 3 }])
})
