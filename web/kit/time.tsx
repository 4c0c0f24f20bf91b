import { createContext, useContext, useSyncExternalStore } from 'react'
import { ago, moment, momentIn, UNKNOWN } from './format.ts'
import { Hint } from './hint.tsx'
import { t } from './i18n.ts'
import classes from './kit.module.css'
import { serverNow } from './server/server-clock.ts'

/** One clock for the whole page, the server's, ticking once a second while it is used. */
let now = serverNow()
const STALE_MS = 1_500
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function watch(watcher: () => void) {
  watchers.add(watcher)
  timer ??= setInterval(() => {
    if (document.hidden) return
    now = serverNow()
    for (const one of watchers) one()
  }, 1000)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The timer stops while nothing shows a time or the window is hidden: then `now` may be minutes old. */
function current(): number {
  const real = serverNow()
  if (Math.abs(real - now) > STALE_MS) now = real
  return now
}

/**
 * The server's current time in ms, updated every `stepMs`, so that components that show minutes are not re-rendered every
 * second.
 */
export function useNow(stepMs = 1000): number {
  return useSyncExternalStore(watch, () => Math.floor(current() / stepMs) * stepMs)
}

/** The zone of the page's device, for all times on it. */
export const DeviceZone = createContext<string | null>(null)

/** The time in the viewer's zone, its age, and in the device's zone. */
function Moments({ at, zone }: { at: string; zone: string | null }) {
  const present = useNow()
  const there = zone === null ? null : momentIn(at, zone)
  return (
    <div className="tabular" style={{ whiteSpace: 'nowrap' }}>
      <div>{momentIn(at) ?? moment(at)}</div>
      <div>{ago(at, present)}</div>
      {there === null ? null : <div>{t('kit:deviceTime', { at: there })}</div>}
    </div>
  )
}

type WhenProps = {
  at: string | null | undefined
  absolute?: boolean
  /** The zone of the device; else the page's. */
  zone?: string | null | undefined
}

/** Relative ("3 min. ago") or absolute; both on hover and focus, with the zones. */
export function When({ at, absolute = false, zone }: WhenProps) {
  const present = Math.max(useNow(), 0)
  const pageZone = useContext(DeviceZone)
  if (!at) return UNKNOWN
  return (
    <Hint label={<Moments at={at} zone={zone ?? pageZone} />} everywhere>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches its tooltip too */}
      <span className={`tabular ${classes['when']}`} tabIndex={0}>
        <time dateTime={at}>{absolute ? moment(at) : ago(at, present)}</time>
      </span>
    </Hint>
  )
}
