import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { limits } from '../limits.ts'
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

it('keeps the newest message of a topic although there was no room to wait for Redis', async () => {
  const stored = new Map<string, string>()
  /** Commands wait for the connection in the order of their call, as those of a client do. */
  const waiting: (() => void)[] = []
  const line = Object.assign(new EventEmitter(), {
    open: false,
    eval: (_script: string, _keys: number, _key: string, _owners: string, topic: string, value: Buffer) =>
      new Promise<number>((done) => {
        const run = () => {
          stored.set(topic, value.subarray(-3).toString())
          done(1)
        }
        if (line.open) run()
        else waiting.push(run)
      }),
  })
  const kept = openKept(line as unknown as Line, () => undefined)
  const retain = (name: string, text: string) =>
    kept.retain({ topic: `v1/SN-1/up/${name}`, payload: Buffer.from(text), qos: 1 })
  await retain('a', 'old')
  for (const name of ['b', 'c']) await retain(name, 'x'.repeat(limits.retainedBytes / 2 - 1_000))
  const direct = retain('a', `${'x'.repeat(4_000)}new`)
  line.open = true
  for (const run of waiting) run()
  line.emit('ready')
  await direct
  await vi.advanceTimersByTimeAsync(1_000)
  expect(stored.get('v1/SN-1/up/a')).toBe('new')
  expect(stored.size).toBe(3)
})
