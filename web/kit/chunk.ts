/** Lazily loaded chunks of the console. */
// biome-ignore lint/style/noRestrictedImports: this module defines the `lazy` that all others import
import { lazy as reactLazy } from 'react'
import { backOnline, isReachable } from './server/connection.ts'

/** [§9 Chunk load timeout] */
export const CHUNK_TIMEOUT_MS = 120_000

let late = 0
const watchers = new Set<() => void>()

function count(change: 1 | -1) {
  late += change
  for (const watcher of watchers) watcher()
}

/** Number of chunks that have been loading for more than 120 s. */
export const lateChunks = () => late
export function watchLate(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** While the server cannot be reached a chunk is waited for. Rejects if it can be: then the file is no longer there. */
async function arrival<T>(load: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await load()
    } catch (error) {
      if (await isReachable()) throw error
      await backOnline()
    }
}

/**
 * Loads a chunk; after 120 s it counts as late until it arrives or fails. It is not aborted: while a browser waits
 * for a module it does not request it again, so a retry is a reload (shell/late-chunk.tsx), and a late arrival is
 * still useful.
 */
export async function inTime<T>(load: () => Promise<T>): Promise<T> {
  let counted = false
  const timer = setTimeout(() => {
    counted = true
    count(1)
  }, CHUNK_TIMEOUT_MS)
  try {
    return await arrival(load)
  } finally {
    clearTimeout(timer)
    if (counted) count(-1)
  }
}

/** React's `lazy` with the timeout. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => inTime(load))
