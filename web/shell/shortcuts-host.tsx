/** Listens for the keys of every page and of the visible one. Stands once in the shell. */
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { lazy } from '../kit/chunk.ts'
import { isCovered, isTyping, shortcuts } from '../kit/shortcuts.ts'

const Sheet = lazy(() =>
  import('./shortcuts-sheet.tsx').then((module) => ({ default: module.ShortcutsSheet })),
)

let shown = false
const watchers = new Set<() => void>()
function show(next: boolean) {
  shown = next
  for (const watcher of watchers) watcher()
}
export const openShortcuts = () => show(true)

/** Of the page in view: its list's, else its first. Pages behind other tabs are not laid out. */
function searchField(): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main input[type=search]')].filter(
    (field) => field.offsetParent !== null,
  )
  return fields.find((field) => 'listSearch' in field.dataset) ?? fields[0]
}

function press(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.altKey || isCovered()) return
  const key = event.key.toLowerCase()
  const run = () => {
    if (event.ctrlKey || event.metaKey) {
      const field = key === 'f' && !event.shiftKey ? searchField() : undefined
      // Pressed again where it led: then the browser's own search is meant.
      return field && field !== document.activeElement ? () => field.select() : undefined
    }
    if (isTyping(event.target)) return undefined
    if (key === '?') return openShortcuts
    if (key === '/') {
      const field = searchField()
      return field && (() => field.select())
    }
    return event.shiftKey ? undefined : shortcuts().find((one) => one.key === key)?.run
  }
  const found = run()
  if (!found) return
  event.preventDefault()
  found()
}

export function ShortcutsHost() {
  useEffect(() => {
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', press)
      show(false)
    }
  }, [])
  const now = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => shown,
  )
  return <Suspense>{now ? <Sheet onClose={() => show(false)} /> : null}</Suspense>
}
