/**
 * Whether a row is as a logged call set it: only then was it his doing. The platform itself changes rows, too (a channel
 * whose receiver is gone, memberships of a deleted group), and nobody is to be named for that [decisions/059].
 */

type Values = Readonly<Record<string, unknown>>

/** The log struck it out, cut it, or it is nothing to compare. */
const untold = (value: unknown): boolean =>
  value === undefined ||
  value === '***' ||
  value === '…' ||
  (Array.isArray(value) ? value.length >= LISTED_MAX : typeof value === 'object' && value !== null)

/** Lists are cut to so many when they are logged (api/kit/operation-log.ts). */
export const LISTED_MAX = 50

const blank = (value: unknown) => value === null || value === '' || value === 0 || value === false
function textOf(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify([...new Set(value.map(String))].sort())
  return blank(value) ? '' : String(value)
}

function same(logged: unknown, now: unknown): boolean {
  if (untold(logged) || untold(now)) return true
  const [then, present] = [textOf(logged), textOf(now)]
  return then.endsWith('…') ? present.startsWith(then.slice(0, -1)) : then === present
}

/** `logged`: the body in the operation log; `now`: the fields, by the names that bodies have; `by`: which of them tell. */
export const isBorneOut = (
  logged: Values | null,
  now: Values,
  by: readonly string[] = Object.keys(now),
): boolean =>
  Object.entries(logged ?? {}).every(([name, value]) => !by.includes(name) || same(value, now[name]))
