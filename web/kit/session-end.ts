/** A login that ended while a page is open: the shell asks for the password over it, and the page goes on. */
import { useSyncExternalStore } from 'react'
import { clearStored } from './session.ts'

/** `renewing`: the password was right, the shell is asking for the user's rights. */
type State = 'alive' | 'ended' | 'renewing'
let state: State = 'alive'
const watchers = new Set<() => void>()

function put(next: State) {
  state = next
  for (const watcher of watchers) watcher()
}

/** [§8] Clears what is stored, at once. False: no page is open that could ask, the login page must. */
export function endInPlace(): boolean {
  if (watchers.size === 0) return false
  clearStored()
  if (state === 'alive') put('ended')
  return true
}

/** While it has ended nothing is sent, whoever may have logged in from another tab meanwhile. */
export const isSilenced = () => state === 'ended'
export const hasEnded = () => state !== 'alive'
export const renewSession = () => put('renewing')
export const failRenewal = () => put('ended')
/** Renewed, or left for the login page. */
export const settleSession = () => put('alive')

/** The shell watches it; as long as it does, a session ends in place. */
export const useSessionEnd = () =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => state !== 'alive',
  )
