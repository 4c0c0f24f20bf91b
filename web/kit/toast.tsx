/** Short messages in the corner. The library is loaded with the first one. */
import { Suspense, useSyncExternalStore } from 'react'
import { lazy } from './chunk.ts'

type Tone = 'success' | 'warning' | 'error'
const colors = { success: 'teal', warning: 'yellow', error: 'red' } as const

let wanted = false
const watchers = new Set<() => void>()

/** Loads and mounts the library. */
export async function openToaster() {
  wanted = true
  for (const watcher of watchers) watcher()
  return await import('./toaster.tsx')
}

export async function toast(tone: Tone, message: string) {
  const { notifications } = await openToaster()
  notifications.show({
    // The same message twice in a row is shown once.
    id: `${tone}:${message}`,
    message,
    color: colors[tone],
    autoClose: tone === 'success' ? 4000 : 8000,
  })
}

const Toaster = lazy(() => import('./toaster.tsx').then(({ Notifications }) => ({ default: Notifications })))

/** Rendered once at the root, so that a message survives the following navigation. */
export function ToastHost() {
  const shown = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => wanted,
  )
  return <Suspense>{shown ? <Toaster position="top-right" limit={4} /> : null}</Suspense>
}
