/** Parts of the console that are fetched only when they are needed. */
// biome-ignore lint/style/noRestrictedImports: the `lazy` that everybody else imports is made here
import { lazy as reactLazy } from 'react'

/** [§9 Chunk load timeout] */
export const CHUNK_TIMEOUT_MS = 120_000

let late = 0
const watchers = new Set<() => void>()

function count(change: 1 | -1) {
  late += change
  for (const watcher of watchers) watcher()
}

/** How many parts have been waited for longer than 120 s and are not there yet. */
export const lateChunks = () => late
export function watchLate(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/**
 * Fetches a part; after 120 s it counts as late until it arrives or fails. It is not given up: while a browser waits for
 * a module it does not ask for it again, so another try is a reload (shell/late-chunk.tsx), and what arrives late is still
 * of use.
 */
export async function inTime<T>(load: () => Promise<T>): Promise<T> {
  let counted = false
  const timer = setTimeout(() => {
    counted = true
    count(1)
  }, CHUNK_TIMEOUT_MS)
  try {
    return await load()
  } finally {
    clearTimeout(timer)
    if (counted) count(-1)
  }
}

/** React's `lazy`, within the time. */
export const lazy: typeof reactLazy = (load) => reactLazy(() => inTime(load))
