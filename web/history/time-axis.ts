/** The rules of the axis of time of a gateway, without drawing. */
import type { timelineKinds } from '#schema/device/timeline'

export type Kind = (typeof timelineKinds)[number]
export const lanes = ['connection', 'configuration', 'alarms', 'commands'] as const
export type Lane = (typeof lanes)[number]
export const laneOf: Readonly<Record<Kind, Lane>> = {
  online: 'connection',
  offline: 'connection',
  sim: 'connection',
  task: 'configuration',
  operation: 'configuration',
  firmware: 'configuration',
  backup: 'configuration',
  alarm: 'alarms',
  warning: 'alarms',
  command: 'commands',
  schedule: 'commands',
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const spans = ['hour', 'sixHours', 'day', 'week'] as const
export type Span = (typeof spans)[number]
export const spanMs: Readonly<Record<Span, number>> = {
  hour: HOUR_MS,
  sixHours: 6 * HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
}
/** Buckets of variables that suit it. */
export const stepOf = { hour: 'minute', sixHours: 'minute', day: 'quarter', week: 'hour' } as const
/** What is shown about the selected time. */
export const NEAR_MS = 5 * MINUTE_MS

/** The selected time is in the middle, but the axis does not extend beyond the present. */
export function windowOf(momentMs: number, span: Span, nowMs: number): { fromMs: number; toMs: number } {
  const toMs = Math.min(momentMs + spanMs[span] / 2, nowMs)
  return { fromMs: toMs - spanMs[span], toMs }
}

/** The end of what is asked for; a window that ends now has none, so that it is asked for in the same words each minute. */
export const untilOf = (toMs: number, nowMs: number): { until?: string } =>
  toMs + NEAR_MS < nowMs ? { until: new Date(toMs + NEAR_MS).toISOString() } : {}

type Presence = { at: string; kind: Kind }
export type Stretch = { fromMs: number; toMs: number; state: 'online' | 'offline' | 'unknown' }

/** Connected, not connected, or not known. @param events in any order, also from before the window */
export function stretches(events: readonly Presence[], fromMs: number, toMs: number): Stretch[] {
  const changes = events
    .flatMap(({ at, kind }) =>
      kind === 'online' || kind === 'offline' ? [{ ms: new Date(at).getTime(), state: kind }] : [],
    )
    .sort((one, other) => one.ms - other.ms)
  const found: Stretch[] = []
  let state: Stretch['state'] = 'unknown'
  let since = fromMs
  for (const { ms, state: next } of changes) {
    if (ms > toMs) break
    if (ms > since && state !== next) {
      found.push({ fromMs: since, toMs: ms, state })
      since = ms
    }
    state = next
  }
  if (toMs > since) found.push({ fromMs: since, toMs, state })
  return found
}
