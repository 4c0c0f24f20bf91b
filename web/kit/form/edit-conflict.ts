/** Two users edited the same row [decisions/059]: what the other one saved, and how to merge both edits. Pure. */

import type { EditConflict } from '#schema/kit/edition'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { ApiError } from '../api.ts'

type Values = Readonly<Record<string, unknown>>

/** The data of the refusal, if it is an edit conflict. */
export const conflictOf = (error: unknown): EditConflict | null =>
  error instanceof ApiError && error.code === editionRefusals.changedMeanwhile.code
    ? (error.data as EditConflict)
    : null

/** The order of multiple choices is irrelevant. */
const textOf = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : value)
export const same = (a: unknown, b: unknown) => textOf(a) === textOf(b)

/** A field of the body as the form holds it: blanks are '', choices are texts, switches are true or false. */
export function asShown(value: unknown, like: unknown): unknown {
  if (Array.isArray(like) || Array.isArray(value)) {
    const list = Array.isArray(value) ? value : []
    return Array.isArray(like) && like.length > 0 && typeof like[0] !== 'string' ? list : list.map(String)
  }
  if (typeof like === 'boolean') return value === true || value === 1
  if (value === null || value === undefined) return ''
  return typeof like === 'string' && typeof value === 'number' ? String(value) : value
}

/** The form as it would be opened now. Fields that the refusal does not contain are unchanged. */
export const theirsOf = (base: Values, now: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(base).map(([name, value]) => [name, name in now ? asShown(now[name], value) : value]),
  )

/** Fields changed by the other user. Empty if they changed only fields that this form does not show. */
export const changedNames = (base: Values, theirs: Values): string[] =>
  Object.keys(base).filter((name) => !same(base[name], theirs[name]))

/** My changes on top of theirs: fields that only they changed are kept too. */
export const merged = (base: Values, theirs: Values, mine: Values): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(mine).map((name) => [name, same(base[name], mine[name]) ? theirs[name] : mine[name]]),
  )

/** The same for multiple choices: what I added is added to theirs, what I removed is removed from theirs. */
export function mergedSets<T>(base: ReadonlySet<T>, theirs: ReadonlySet<T>, mine: ReadonlySet<T>): Set<T> {
  const kept = [...theirs].filter((one) => mine.has(one) || !base.has(one))
  return new Set([...kept, ...[...mine].filter((one) => !base.has(one))])
}
