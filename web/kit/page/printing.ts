/** While the page is printed: always with light colours, and with charts drawn on white. */
import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

const SCHEME = 'data-mantine-color-scheme'

let printing = false
let scheme: string | null = null
const watchers = new Set<() => void>()

export const isPrinting = () => printing

/** `watcher` runs before the browser measures the page. */
export function watchPrinting(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function change(next: boolean) {
  if (next === printing) return
  printing = next
  const root = document.documentElement
  if (next) {
    scheme = root.getAttribute(SCHEME)
    root.setAttribute(SCHEME, 'light')
  } else if (scheme !== null) root.setAttribute(SCHEME, scheme)
  // At once: the browser prints what the document contains when this returns.
  flushSync(() => {
    for (const watcher of watchers) watcher()
  })
}

/** Call once. */
export function startPrinting() {
  addEventListener('beforeprint', () => change(true))
  addEventListener('afterprint', () => change(false))
  // The same for a preview that only switches the medium.
  matchMedia('print').addEventListener('change', ({ matches }) => change(matches))
}

export const usePrinting = () => useSyncExternalStore(watchPrinting, isPrinting)
