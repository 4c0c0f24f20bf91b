import { useHotkeys } from '@mantine/hooks'
import { Suspense, useSyncExternalStore } from 'react'
import { lazy } from '../kit/chunk.ts'
import { loadWords } from '../kit/i18n.ts'

const Palette = lazy(async () => {
  const [module] = await Promise.all([import('./palette.tsx'), loadWords(['palette'])])
  return { default: module.Palette }
})

let wanted = false
const watchers = new Set<() => void>()

/** Opens the palette; its code is loaded the first time. */
export async function openPalette() {
  wanted = true
  for (const watcher of watchers) watcher()
  const { openSpotlight } = await import('./palette.tsx')
  openSpotlight()
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
  return <Suspense>{shown ? <Palette /> : null}</Suspense>
}
