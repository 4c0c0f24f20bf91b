import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openKept } from './kept.ts'
import type { Line } from './line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('stores retained messages of the time without Redis when it is back, and again what it refused then', async () => {
  const stored: string[] = []
  const errors: unknown[] = []
  let full = true
  const line = Object.assign(new EventEmitter(), {
    open: false,
    eval: async (_script: string, _keys: number, _key: string, _owners: string, topic: string) => {
      if (full) throw new Error('OOM command not allowed')
      stored.push(topic)
    },
  })
  line.on('error', (error) => errors.push(error))
  const kept = openKept(line as unknown as Line, () => undefined)
  const retain = (name: string) =>
    kept.retain({ topic: `v1/SN-1/up/${name}`, payload: Buffer.from('x'), qos: 1 })
  await retain('a')
  await retain('b')
  line.open = true
  line.emit('ready')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([stored, errors]).toEqual([
    [],
    [expect.objectContaining({ message: expect.stringContaining('OOM') })],
  ])
  full = false
  // Not before those that still wait.
  await retain('c')
  expect(stored).toEqual([])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(stored).toEqual(['v1/SN-1/up/a', 'v1/SN-1/up/b', 'v1/SN-1/up/c'])
  await retain('d')
  expect(stored).toHaveLength(4)
})
