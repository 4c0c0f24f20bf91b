import { expect, it } from 'vitest'
import { sendOnce } from './in-flight.ts'

it('sends the same once while it is on its way, and again afterwards', async () => {
  const open = new Map<string, Promise<number>>()
  const answers: ((value: number) => void)[] = []
  const send = () => new Promise<number>((answer) => answers.push(answer))
  const both = [sendOnce(open, 'a', send), sendOnce(open, 'a', send)]
  const other = sendOnce(open, 'b', send)
  expect(answers).toHaveLength(2)
  answers[0]?.(1)
  answers[1]?.(2)
  expect(await Promise.all([...both, other])).toEqual([1, 1, 2])
  void sendOnce(open, 'a', send)
  expect(answers).toHaveLength(3)
})

it('does not keep what failed', async () => {
  const open = new Map<string, Promise<number>>()
  await expect(sendOnce(open, 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await sendOnce(open, 'a', () => Promise.resolve(3))).toBe(3)
})
