/** Somebody else was there first [decisions/059]: what he made of it, and what becomes of both edits. Pure. */

import type { EditConflict } from '#schema/kit/edition'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { ApiError } from '../api.ts'

type Values = Readonly<Record<string, unknown>>

/** What the refusal says, when it is this one. */
export const conflictOf = (error: unknown): EditConflict | null =>
  error instanceof ApiError && error.code === editionRefusals.changedMeanwhile.code
    ? (error.data as EditConflict)
    : null

/** Of choices of many the order says nothing. */
const textOf = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
export const same = (a: unknown, b: unknown) => textOf(a) === textOf(b)

/** A field of the body as the form holds it: blanks are '', choices are texts, switches are on or off. */
export function asShown(value: unknown, like: unknown): unknown {
  if (Array.isArray(like) || Array.isArray(value)) {
    const list = Array.isArray(value) ? value : []
    return Array.isArray(like) && like.length > 0 && typeof like[0] !== 'string' ? list : list.map(String)
  }
  if (typeof like === 'boolean') return value === true || value === 1
  if (value === null || value === undefined) return ''
  return typeof like === 'string' && typeof value === 'number' ? String(value) : value
}

/** The form as it would have opened by now. What the refusal does not name is as it was. */
export const theirsOf = (base: Values, now: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(base).map(([name, value]) => [name, name in now ? asShown(now[name], value) : value]),
  )

/** What he changed. Where nothing of it is shown here it was something that nobody is shown. */
export const changedNames = (base: Values, theirs: Values): string[] =>
  Object.keys(base).filter((name) => !same(base[name], theirs[name]))

/** Mine: what I changed, upon what he saved. What only he changed is kept too. */
export const merged = (base: Values, theirs: Values, mine: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(mine).map((name) => [name, same(base[name], mine[name]) ? theirs[name] : mine[name]]),
  )

/** The same for choices of many: what I added is added to his, what I took away is taken from his. */
export function mergedSets<T>(base: ReadonlySet<T>, theirs: ReadonlySet<T>, mine: ReadonlySet<T>): Set<T> {
  const kept = [...theirs].filter((one) => mine.has(one) || !base.has(one))
  return new Set([...kept, ...[...mine].filter((one) => !base.has(one))])
}
