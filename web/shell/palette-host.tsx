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

/** Ends collecting, and returns what was typed meanwhile. */
let typedMeanwhile = () => ''

/** Text typed right after ⌘K is meant for the palette, even while its code is still loading. */
function collectKeys() {
  let text = ''
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Backspace') text = text.slice(0, -1)
    else if (event.key.length === 1) text += event.key
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', onKey, true)
  typedMeanwhile = () => {
    removeEventListener('keydown', onKey, true)
    return text
  }
}

/** Opens the palette; its code is loaded the first time. */
export async function openPalette() {
  if (!wanted) collectKeys()
  wanted = true
  for (const watcher of watchers) watcher()
  try {
    const { openSpotlight } = await import('./palette.tsx')
    openSpotlight()
  } catch (error) {
    typedMeanwhile()
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
  return <Suspense>{shown ? <Palette typed={typedMeanwhile} /> : null}</Suspense>
}
