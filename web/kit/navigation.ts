/** The one place from which code outside React navigates, and the signal that ends a leaving page's requests. */

let go: (path: string) => void = (path) => location.assign(path)
let wanted: string | null = null
let leaving = new AbortController()

export function setNavigator(navigate: (path: string) => void) {
  go = navigate
}
/** Told by the router: where it is going, while it is. */
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

/** Where to return to after a login; null for anything that is not a path of ours (an open redirect). */
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
