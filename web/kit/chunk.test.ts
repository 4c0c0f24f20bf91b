import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { CHUNK_TIMEOUT_MS, inTime, lateChunks, watchLate } from './chunk.ts'

/** What the server says to the question whether it is there. */
const fetched = vi.spyOn(globalThis, 'fetch')

afterEach(() => {
  vi.useRealTimers()
  fetched.mockReset()
})
afterAll(() => fetched.mockRestore())

it('a chunk that arrives in time is never late', async () => {
  vi.useFakeTimers()
  expect(await inTime(async () => 'page')).toBe('page')
  await vi.advanceTimersByTimeAsync(CHUNK_TIMEOUT_MS)
  expect(lateChunks()).toBe(0)
})

it.each(['arrives', 'fails'] as const)('one that takes longer is late until it %s', async (end) => {
  vi.useFakeTimers()
  fetched.mockResolvedValue(new Response())
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

it('one that fails while the server cannot be reached is loaded again when it can', async () => {
  vi.useFakeTimers()
  fetched.mockRejectedValue(new TypeError('Failed to fetch'))
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new TypeError('Failed to fetch'))
  let loaded: string | undefined
  const loading = inTime(load).then((page) => {
    loaded = page
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(load).toHaveBeenCalledTimes(1)
  load.mockResolvedValue('page')
  fetched.mockResolvedValue(new Response())
  await vi.advanceTimersByTimeAsync(10_000)
  expect(loaded).toBe('page')
  expect(load).toHaveBeenCalledTimes(2)
  await loading
})
