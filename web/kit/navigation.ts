/** Navigation from code outside React, and the signal that cancels requests of the page being left. */

let go: (path: string) => void = (path) => location.assign(path)
let wanted: string | null = null
let leaving = new AbortController()

/** Where links to big screens lead; their token is the fragment, which no server sees. */
export const KIOSK_PATH = '/kiosk'

export function setNavigator(navigate: (path: string) => void) {
  go = navigate
}
/** Set by the router: the target while it navigates. */
export function setWanted(path: string | null) {
  wanted = path
}
export const wantedPath = () => wanted
export const goTo = (path: string) => go(path)

/** [§4] Each navigation cancels requests still in flight: those of the page being left. */
export function leavePage() {
  leaving.abort()
  leaving = new AbortController()
}
export const leavingSignal = () => leaving.signal

/** The page to return to after a login; null for anything but a path of ours (open redirect). */
export function safeReturnTo(path: string | null): string | null {
  if (!path?.startsWith('/') || path.startsWith('//') || path.includes('\\')) return null
  return path.startsWith('/login') ? null : path
}

export const loginPath = (reason?: 'expired', here = location.pathname + location.search) => {
  const query = new URLSearchParams()
  if (reason) query.set('reason', reason)
  const back = safeReturnTo(here)
  if (back && back !== '/' && back !== '/404') query.set('returnTo', back)
  return `/login${query.size > 0 ? `?${query}` : ''}`
}
