import { afterEach, expect, it, vi } from 'vitest'
import { CHUNK_TIMEOUT_MS, inTime, lateChunks, watchLate } from './chunk.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('a chunk that arrives in time is never late', async () => {
  vi.useFakeTimers()
  expect(await inTime(async () => 'page')).toBe('page')
  await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS)
  expect(lateChunks()).toBe(0)
})

it.each(['arrives', 'fails'] as const)('one that takes longer is late until it %s', async (end) => {
  vi.useFakeTimers()
  const watcher = vi.fn()
  const stop = watchLate(watcher)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const loaded = inTime(() => promise).catch(() => 'failed')
  await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS - 1)
  expect(lateChunks()).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(lateChunks()).toBe(1)
  if (end === 'arrives') resolve('page')
  else reject(new Error('Failed to fetch'))
  expect(await loaded).toBe(end === 'arrives' ? 'page' : 'failed')
  expect(lateChunks()).toBe(0)
  expect(watcher).toHaveBeenCalledTimes(2)
  stop()
})
