/** Questions before something that cannot be taken back. The dialog is fetched with the first question. */
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { lazy } from './chunk.ts'
import type { Asked, Question } from './question.ts'

let asked: Asked | null = null
const watchers = new Set<() => void>()
function put(next: Asked | null) {
  asked = next
  for (const watcher of watchers) watcher()
}

/** Answers false when dismissed, or when another question takes its place. */
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
 * Escape is the question's alone. Every drawer and dialog below listens for it too; this listener was there first,
 * because it stands in the shell.
 */
function dismiss(event: KeyboardEvent) {
  if (event.key !== 'Escape' || event.isComposing || !asked) return
  event.stopImmediatePropagation()
  event.preventDefault()
  asked.answer(false)
}

/** Stands once in the shell. */
export function ConfirmHost() {
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
