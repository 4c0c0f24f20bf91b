/** Which drawer is open over a page, shared by rows, buttons and the page itself. */
import { useState, useSyncExternalStore } from 'react'

/** `turn` makes each opening a new drawer; a closed one stays mounted until then, because closing is animated. */
export type Opened<T> = { what: T; shown: boolean; turn: number }

export function opener<T>() {
  let open: Opened<T> | null = null
  const watchers = new Set<() => void>()
  const put = (next: Opened<T>) => {
    open = next
    for (const watcher of watchers) watcher()
  }
  const watch = (watcher: () => void) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }
  return {
    show: (what: T) => put({ what, shown: true, turn: (open?.turn ?? 0) + 1 }),
    close: () => {
      if (open) put({ ...open, shown: false })
    },
    /** A hook for one component of the page; null until something is opened. */
    useOpened: () => {
      // A newly opened page starts with everything closed.
      useState(() => {
        open = null
      })
      return useSyncExternalStore(watch, () => open)
    },
  }
}
