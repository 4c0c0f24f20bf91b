import { useHotkeys } from '@mantine/hooks'
import { Suspense, useSyncExternalStore } from 'react'
import { lazy } from '../kit/chunk.ts'
import { loadWords } from '../kit/i18n.ts'

const Palette = lazy(async () => {
  const [module] = await Promise.all([
    import('./palette.tsx'),
    loadWords(['palette', 'command', 'device-state', 'severity']),
  ])
  return { default: module.Palette }
})

let wanted = false
const watchers = new Set<() => void>()
function want(next: boolean) {
  wanted = next
  for (const watcher of watchers) watcher()
}

/** Text typed right after ⌘K is meant for the palette, even while its code is still loading. */
let text = ''
function onKey(event: KeyboardEvent) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') giveUp()
  else if (event.key === 'Backspace') text = text.slice(0, -1)
  else if (event.key.length === 1) text += event.key
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Ends collecting, and returns what was typed meanwhile. */
function takeTyped(): string {
  removeEventListener('keydown', onKey, true)
  removeEventListener('pointerdown', giveUp, true)
  return text
}

/** Escape, or a press elsewhere, while it is loading: what is typed from then on is not meant for it. */
function giveUp() {
  takeTyped()
  want(false)
}

/** Opens the palette; its code is loaded the first time. */
export async function openPalette() {
  if (!wanted) {
    text = ''
    addEventListener('keydown', onKey, true)
    addEventListener('pointerdown', giveUp, true)
  }
  want(true)
  try {
    const { openSpotlight } = await import('./palette.tsx')
    if (wanted) openSpotlight()
  } catch (error) {
    takeTyped()
    throw error
  }
}

/** Rendered once in the shell: ⌘K. */
export function PaletteHost() {
  useHotkeys([['mod+K', () => void openPalette()]], [])
  const shown = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => wanted,
  )
  return <Suspense>{shown ? <Palette typed={takeTyped} /> : null}</Suspense>
}
