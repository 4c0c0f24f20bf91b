/** Confirmations before irreversible actions. The dialog is loaded with the first one. */
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { lazy } from './chunk.ts'
import type { Asked, Question } from './question.ts'

let asked: Asked | null = null
const watchers = new Set<() => void>()
function put(next: Asked | null) {
  asked = next
  for (const watcher of watchers) watcher()
}

/** Resolves to false when dismissed, or replaced by another question. */
export function ask(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    put({
      question,
      answer: (yes) => {
        put(null)
        resolve(yes)
      },
    })
  })
}

const Dialog = lazy(() =>
  import('./confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
)

/**
 * Escape closes only the question. Every drawer and dialog below listens for it too; this listener is registered
 * first, because it is in the shell.
 */
function dismiss(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.isComposing || !asked) return
  event.stopImmediatePropagation()
  event.preventDefault()
  asked.answer(false)
}

/** Rendered once in the shell. @param page a question ends with the page that asked it */
export function ConfirmHost({ page }: { page: string | undefined }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the page changes
  useEffect(() => () => asked?.answer(false), [page])
  useEffect(() => {
    addEventListener('keydown', dismiss, { capture: true })
    return () => removeEventListener('keydown', dismiss, { capture: true })
  }, [])
  const now = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => asked,
  )
  return <Suspense>{now ? <Dialog key={now.question.title} {...now} /> : null}</Suspense>
}
