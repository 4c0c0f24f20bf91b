/** Requests that wait for the server: one that takes long is shown, and can be given up. */
import { useSyncExternalStore } from 'react'

/** Anything faster is normal on a slow connection. */
const LONG_MS = 5_000

type Waiting = { readonly sinceMs: number; readonly giveUp: AbortController; long: boolean }
const waiting = new Set<Waiting>()
const watchers = new Set<() => void>()
let oldest: number | null = null

function tell() {
  const since = Math.min(...[...waiting].filter(({ long }) => long).map(({ sinceMs }) => sinceMs))
  const next = Number.isFinite(since) ? since : null
  if (next === oldest) return
  oldest = next
  for (const watcher of watchers) watcher()
}

/** Counts a request until `end` is called; `signal` is aborted when the user gives it up. */
export function beginWaiting(): { signal: AbortSignal; end: () => void } {
  const one: Waiting = { sinceMs: Date.now(), giveUp: new AbortController(), long: false }
  waiting.add(one)
  const timer = setTimeout(() => {
    one.long = true
    tell()
  }, LONG_MS)
  return {
    signal: one.giveUp.signal,
    end: () => {
      clearTimeout(timer)
      waiting.delete(one)
      tell()
    },
  }
}

/** Gives up all requests that take long. */
export function giveUpWaiting() {
  for (const one of waiting) if (one.long) one.giveUp.abort()
}

/** Since when (browser's clock) the oldest of the long requests has been waiting; null: none. */
export const useLongWait = (): number | null =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => oldest,
  )
