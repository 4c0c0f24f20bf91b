/** Handles the global shortcuts and those of the visible page. Rendered once in the shell. */
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

/** The search field of the visible page's list, else the first one. Pages behind other tabs have no layout. */
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
      // Pressed again in the field, it triggers the browser's own search.
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
