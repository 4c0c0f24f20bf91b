import { expect, it } from 'vitest'
import { Interest } from './interest.ts'

it('finds who wants a topic: by device, and among those who want topics of all', () => {
  const interest = new Interest()
  interest.add('b1', 'v1/A/down/#')
  interest.add('b2', 'v1/A/down/#')
  interest.add('b2', 'v1/A/x')
  interest.add('b3', 'v1/+/up/status')
  interest.add('b4', '#')
  expect([...interest.of('v1/A/down/offer')].toSorted()).toEqual(['b1', 'b2', 'b4'])
  expect([...interest.of('v1/B/up/status')].toSorted()).toEqual(['b3', 'b4'])
  expect([...interest.of('other')]).toEqual(['b4'])
})

it('what is removed is wanted no more, and nothing of it is left', () => {
  const interest = new Interest()
  interest.add('b1', 'v1/A/down/#')
  interest.add('b1', 'v1/B/down/#')
  interest.add('b2', 'v1/A/down/#')
  interest.remove('b1', 'v1/A/down/#')
  expect([...interest.of('v1/A/down/x')]).toEqual(['b2'])
  interest.forget('b1')
  interest.forget('b2')
  expect([interest.wants('v1/A/down/x'), interest.wants('v1/B/down/x'), interest.has('b1')]).toEqual([
    false,
    false,
    false,
  ])
})
