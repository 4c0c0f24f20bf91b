/** Short messages in a lane below everything, where they cover no control. The library is loaded with the first one. */
import { Suspense, useSyncExternalStore } from 'react'
import { inTime, lazy } from './chunk.ts'
import classes from './kit.module.css'
import { bottomLane } from './lane.ts'

type Tone = 'success' | 'warning' | 'error'
const colors = { success: 'teal', warning: 'yellow', error: 'red' } as const

let wanted = false
const watchers = new Set<() => void>()

/** Loads and mounts the library. */
export async function openToaster() {
  wanted = true
  for (const watcher of watchers) watcher()
  return await inTime(() => import('./toaster.tsx'))
}

/** Ids of messages with a button that acts in the name of the user. */
export const offers = new Set<string>()
/** At logout: the next user must not press them. */
export async function forgetOffers() {
  if (offers.size === 0) return
  const { notifications } = await openToaster()
  for (const id of offers) notifications.hide(id)
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

type Failure = {
  text: string
  /** To quote to support. */
  requestId?: string | undefined
  /** Repeats the action. */
  again?: (() => void) | undefined
}

/** Stays long enough to read it and to copy the id; with a button, until it is closed. */
export async function toastError({ text, requestId, again }: Failure) {
  const { notifications, ErrorMessage } = await openToaster()
  // Several errors with the same text are one message, the newest.
  const id = `error:${text}`
  const retry = again
    ? () => {
        notifications.hide(id)
        again()
      }
    : undefined
  notifications.hide(id)
  if (retry) offers.add(id)
  notifications.show({
    id,
    message: <ErrorMessage text={text} requestId={requestId} onRetry={retry} />,
    color: colors.error,
    autoClose: again ? false : 12_000,
    onClose: () => offers.delete(id),
  })
}

const Toaster = lazy(() => import('./toaster.tsx').then(({ Toaster: Loaded }) => ({ default: Loaded })))

/** Rendered once at the root, so that a message survives the following navigation. */
export function ToastHost() {
  const shown = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => wanted,
  )
  return (
    <div className={classes['bottomLane']} ref={bottomLane}>
      <Suspense>{shown ? <Toaster /> : null}</Suspense>
    </div>
  )
}
