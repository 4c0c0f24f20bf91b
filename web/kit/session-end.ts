/** A login that ended while a page is open: the shell asks for the password over it, and the page continues. */
import { useSyncExternalStore } from 'react'
import { clearStored, isTokenForeign } from './session.ts'

/** `renewing`: the password was correct, the shell fetches the user's permissions. */
type State = 'alive' | 'ended' | 'renewing'
let state: State = 'alive'
const watchers = new Set<() => void>()

function put(next: State) {
  state = next
  for (const watcher of watchers) watcher()
}

/** [§8] Clears stored data immediately. False: no page is open, so the login page must ask. */
export function endInPlace(): boolean {
  if (watchers.size === 0) return false
  clearStored()
  if (state === 'alive') put('ended')
  return true
}

/** As soon as another tab has logged in or out. The stored data is the other tab's, so it stays. */
export function noticeOtherTab(): void {
  if (state === 'alive' && watchers.size > 0 && isTokenForeign()) put('ended')
}

/** While the session has ended nothing is sent, even if another user has logged in from another tab. */
export function isSilenced(): boolean {
  noticeOtherTab()
  return state === 'ended' || isTokenForeign()
}
export const hasEnded = () => state !== 'alive'
export const renewSession = () => put('renewing')
/** Renewed, or left for the login page. */
export const settleSession = () => put('alive')

/** Used by the shell; while it is mounted, sessions are renewed in place. */
export const useSessionEnd = () =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => state !== 'alive',
  )
