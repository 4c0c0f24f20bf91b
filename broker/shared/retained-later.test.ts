import { expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { type Kept, RetainedLater } from './retained-later.ts'

const message = (topic: string, text: string): Kept => ({ topic, payload: Buffer.from(text), qos: 1 })

it('keeps the last message of each topic, and stores also what arrives while it stores', async () => {
  const later = new RetainedLater()
  for (const text of ['1', '2']) expect(later.add('A', message('a', text))).toBe(true)
  later.add('B', message('b', '1'))
  const stored: string[] = []
  await later.store(async (sn, { topic, payload }) => {
    stored.push(`${sn} ${topic} ${payload}`)
    if (String(payload) === '2') later.add('A', message('a', '3'))
  })
  expect(stored).toEqual(['A a 2', 'B b 1'])
  expect(later.isEmpty).toBe(false)
  await later.store(async (_, { payload }) => void stored.push(String(payload)))
  expect(stored.slice(2)).toEqual(['3'])
  expect(later.isEmpty).toBe(true)
})

it('keeps what could not be stored', async () => {
  const later = new RetainedLater()
  for (const topic of ['a', 'b']) later.add('A', message(topic, topic))
  const stored: string[] = []
  const failing = async (_: string, { topic }: Kept) => {
    if (topic === 'b') throw new Error('gone')
    stored.push(topic)
  }
  await expect(later.store(failing)).rejects.toThrow('gone')
  await later.store(async (_, { topic }) => void stored.push(topic))
  expect(stored).toEqual(['a', 'b'])
})

it('has no more room for a device than Redis has', () => {
  const later = new RetainedLater()
  for (let i = 0; i < limits.retainedMessages; i++) expect(later.add('A', message(`${i}`, 'x'))).toBe(true)
  expect(later.add('A', message('more', 'x'))).toBe(false)
  // In place of another.
  expect(later.add('A', message('0', 'y'))).toBe(true)
  expect(later.add('B', message('big', 'x'.repeat(limits.retainedBytes)))).toBe(false)
  expect(later.add('B', message('small', 'x'))).toBe(true)
})
