/**
 * Whether the server can be reached. The console's own requests tell; while they cannot reach it, it is asked again
 * every few seconds, and writes are refused at once instead of being sent later, when the user no longer expects them.
 */
import { useSyncExternalStore } from 'react'

/** Responds without a login and without the database. */
const PROBE_PATH = '/healthz'
const PROBE_TIMEOUT_MS = 5_000
const PROBE_PAUSES_MS = [1_000, 1_000, 2_000, 3_000, 5_000] as const
/** How long "back online" stays. */
const BACK_MS = 5_000
/** From a proxy whose server does not respond. */
const PROXY_STATUSES: readonly number[] = [502, 503, 504]

export type Connection =
  | { readonly state: 'up' }
  /** Reachable again since a moment ago. */
  | { readonly state: 'back'; readonly sinceMs: number }
  /** Since when, and when it responded last; both by the browser's clock. */
  | { readonly state: 'down'; readonly sinceMs: number; readonly heardMs: number }

let connection: Connection = { state: 'up' }
let heardMs = Date.now()
const watchers = new Set<() => void>()
const backWatchers = new Set<() => void>()
let probing: Promise<boolean> | null = null
let timer: ReturnType<typeof setTimeout> | undefined
let backTimer: ReturnType<typeof setTimeout> | undefined

function put(next: Connection) {
  connection = next
  for (const watcher of watchers) watcher()
}

export const isDown = () => connection.state === 'down'

function planProbe(attempt: number) {
  clearTimeout(timer)
  const pause = PROBE_PAUSES_MS[Math.min(attempt, PROBE_PAUSES_MS.length - 1)]
  timer = setTimeout(() => {
    void isReachable().then((reached) => {
      if (!reached && isDown()) planProbe(attempt + 1)
    })
  }, pause)
}

function lose() {
  if (isDown()) return
  clearTimeout(backTimer)
  put({ state: 'down', sinceMs: Date.now(), heardMs })
  planProbe(0)
}

/** The server has responded. */
export function heardServer() {
  heardMs = Date.now()
  if (!isDown()) return
  clearTimeout(timer)
  put({ state: 'back', sinceMs: heardMs })
  for (const watcher of backWatchers) watcher()
  backTimer = setTimeout(() => put({ state: 'up' }), BACK_MS)
}

async function probe(): Promise<boolean> {
  try {
    const response = await fetch(PROBE_PATH, {
      cache: 'no-store',
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    })
    if (response.ok) heardServer()
    else lose()
    return response.ok
  } catch {
    lose()
    return false
  }
}

/** Asks the server now; several callers share one request. */
export function isReachable(): Promise<boolean> {
  probing ??= probe().finally(() => {
    probing = null
  })
  return probing
}

/** A request did not reach the server: a single broken connection is not yet a lost one. */
export const suspectLoss = () => void isReachable()

/** A response that a proxy wrote because the server is away: it is restarting, or was moved. */
export const isProxyFault = (status: number) => PROXY_STATUSES.includes(status)

/** Calls `watcher` whenever the server is reachable again. */
export const onBackOnline = (watcher: () => void) => void backWatchers.add(watcher)

/** Resolves when it is reachable again; after the next loss, if it is reachable now. */
export const backOnline = () =>
  new Promise<void>((done) => {
    const once = () => {
      backWatchers.delete(once)
      done()
    }
    onBackOnline(once)
  })

/** The browser knows at once that a cable or a radio is gone; whether the server is back, only the server knows. */
export function watchNetwork(): () => void {
  const again = () => {
    if (isDown()) void isReachable()
  }
  addEventListener('offline', lose)
  addEventListener('online', again)
  document.addEventListener('visibilitychange', again)
  if (!navigator.onLine) suspectLoss()
  return () => {
    removeEventListener('offline', lose)
    removeEventListener('online', again)
    document.removeEventListener('visibilitychange', again)
  }
}

export const useConnection = (): Connection =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => connection,
  )
