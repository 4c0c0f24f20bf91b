import type { GivenReplyOf } from '#schema/kit/call'
import { hasValue, qualities } from '#schema/monitor/fields'
import type { watchValues } from '#schema/monitor/live-values'
import type { Changed } from './live-reads.ts'

export type Shown = { variableId: number; slot: number; staleMs: number }
type LiveValue = GivenReplyOf<typeof watchValues>['values'][number]

const time = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString())

/** One value as JSON, from the arrays of its terminal. */
export function shownText(row: Changed, { variableId, slot, staleMs }: Shown, nowMs: number): string {
  const at = row.at?.[slot] ?? null
  const code = row.quality?.[slot] ?? 0
  const quality = at === null ? null : (qualities[code] ?? 'badData')
  const held = row.vals?.[slot] ?? null
  const shown: LiveValue = {
    terminalId: row.terminalId,
    variableId,
    at: time(at),
    value: quality !== null && hasValue(quality) ? held : null,
    text: at === null ? null : (row.texts?.[slot] ?? null),
    quality,
    stale: at !== null && nowMs - at > staleMs,
    goodAt: time(row.goodAt ? row.goodAt[slot] : at),
    goodValue: (row.goodVals ? row.goodVals[slot] : held) ?? null,
    deviceOnline: row.online,
    slaveState: row.slave,
  }
  return JSON.stringify(shown)
}
