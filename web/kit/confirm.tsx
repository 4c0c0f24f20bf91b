/** Questions before something that cannot be taken back. The dialog is fetched with the first question. */
import { lazy, type ReactNode, Suspense, useEffect, useSyncExternalStore } from 'react'

export type Question = {
  title: string
  text: ReactNode
  /** The verb on the button: what will happen, not "OK". */
  verb: string
  /** The other button, where "Cancel" could be taken for the verb. */
  dismiss?: string
  /** Something is lost or interrupted: the button is red. */
  danger?: boolean
  /** What must be typed first (a serial number, a count); for what cannot be undone. */
  typed?: string
}
export type Asked = { question: Question; answer: (yes: boolean) => void }

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
