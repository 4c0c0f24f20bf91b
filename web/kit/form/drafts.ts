/**
 * Unsaved input in local storage: it survives closing the tab, a reload and an expired session. Stored per user and
 * form, for 7 days; a logout deletes the user's own (docs/decisions/015).
 */

import { useEffect, useRef, useState } from 'react'
import type { FormField } from '#schema/kit/field'
import { serverNow } from '../server/server-clock.ts'
import { DRAFT_PREFIX, userId } from '../session.ts'

export const DRAFT_DAYS = 7
const DAY_MS = 86_400_000
/** Limit: for forms, not for file contents. */
const LONGEST = 64_000

type Values = Readonly<Record<string, unknown>>
/** `at`: time of the last input, in ms. `was`: the previous values of its fields. */
export type Draft = { at: number; values: Values; was?: Values }

const nameOf = (form: string) => {
  const user = userId()
  return user === null ? null : `${DRAFT_PREFIX}${user}:${form}`
}
/** Collected first, because deleting while iterating over the storage skips keys. */
const storedNames = (prefix: string) => Object.keys(localStorage).filter((name) => name.startsWith(prefix))

/** Anything unreadable, or too old, is not a draft. */
export function parseStored(stored: string | null, nowMs: number): Draft | null {
  try {
    const { at, values, was } = JSON.parse(stored ?? 'null') as Partial<Draft>
    const whole = typeof at === 'number' && typeof values === 'object' && values !== null
    const before = typeof was === 'object' && was !== null ? { was } : {}
    return whole && nowMs - at < DRAFT_DAYS * DAY_MS ? { at, values, ...before } : null
  } catch {
    // Edited manually, or written by another version.
    return null
  }
}

export function readDraft(form: string): Draft | null {
  const name = nameOf(form)
  return name === null ? null : parseStored(localStorage.getItem(name), serverNow())
}

export function storeDraft(form: string, values: Values, was?: Values) {
  const name = nameOf(form)
  const text = JSON.stringify({ at: serverNow(), values, ...(was ? { was } : {}) } satisfies Draft)
  if (name === null || text.length > LONGEST) return
  try {
    localStorage.setItem(name, text)
  } catch {
    // The storage is full or disabled: the form works without drafts.
  }
}

export function dropDraft(form: string) {
  const name = nameOf(form)
  if (name !== null) localStorage.removeItem(name)
}

/** At logout: all drafts of the current user. */
export function dropDrafts() {
  for (const name of storedNames(`${DRAFT_PREFIX}${userId()}:`)) localStorage.removeItem(name)
}

/** Deletes expired drafts of all users. */
export function sweepDrafts() {
  for (const name of storedNames(DRAFT_PREFIX))
    if (parseStored(localStorage.getItem(name), serverNow()) === null) localStorage.removeItem(name)
}

/** The names of the fields that are declared secret, or that contain one: a part of a draft cannot be restored. */
export const secretNames = (fields: readonly FormField[]): string[] =>
  fields.filter(hasSecret).map(({ name }) => name)
const hasSecret = ({ secret, fields = [], items }: FormField): boolean =>
  secret === true || fields.some(hasSecret) || (items !== undefined && hasSecret(items))

/** The values that differ from `initial`, except secrets. */
export function changedValues(
  values: Draft['values'],
  initial: Draft['values'],
  secrets: readonly string[],
): Draft['values'] {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => !secrets.includes(name) && JSON.stringify(value) !== JSON.stringify(initial[name]),
    ),
  )
}

type Form = {
  /** Identifies the form within the console: the call and the edited object. */
  name: string
  opened: boolean
  values: Draft['values']
  initial: Draft['values']
  /** Fields that are never stored, see `secretNames`. */
  secrets: readonly string[]
  restore: (values: Draft['values']) => void
}

const NOTHING = '{}'

/** Fields of a draft that another user has saved since, with their previous values; null: none. */
export function overtakenBy(initial: Values, { values, was = {} }: Draft): Values | null {
  const differ = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  const names = Object.keys(was).filter(
    (name) =>
      name in initial &&
      differ(was[name], initial[name]) &&
      name in values &&
      differ(values[name], initial[name]),
  )
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, was[name]])) : null
}

/**
 * Stores the draft of an open form, and restores it when the form opens. `restoredAt`: the shown values came from a
 * draft. `overtaken`: it was begun before another user saved these fields; `settle` records that the user has chosen.
 */
export function useDraft({ name, opened, values, initial, secrets, restore }: Form) {
  const [restoredAt, setRestoredAt] = useState<number | null>(null)
  const [overtaken, setOvertaken] = useState<Values | null>(null)
  const openedAs = useRef<string | null>(null)
  const stored = useRef(NOTHING)
  // The values are new objects at each rendering, so their text is compared.
  const changed = opened ? JSON.stringify(changedValues(values, initial, secrets)) : NOTHING
  // biome-ignore lint/correctness/useExhaustiveDependencies: `values`, `initial` and `restore` are new at each rendering
  useEffect(() => {
    if (!opened) {
      openedAs.current = null
      return
    }
    if (openedAs.current !== name) {
      openedAs.current = name
      const draft = readDraft(name)
      const known = Object.fromEntries(Object.entries(draft?.values ?? {}).filter(([key]) => key in initial))
      stored.current = JSON.stringify(changedValues({ ...initial, ...known }, initial, secrets))
      const worth = draft !== null && stored.current !== NOTHING
      setRestoredAt(worth ? draft.at : null)
      setOvertaken(worth ? overtakenBy(initial, draft) : null)
      if (worth) restore(known)
      return
    }
    if (changed === stored.current) return
    stored.current = changed
    if (changed === NOTHING) dropDraft(name)
    else {
      const kept = JSON.parse(changed) as Values
      const was = Object.fromEntries(Object.keys(kept).map((key) => [key, initial[key]]))
      storeDraft(name, kept, { ...was, ...overtaken })
    }
  }, [name, opened, changed])
  const drop = () => {
    dropDraft(name)
    stored.current = NOTHING
    setRestoredAt(null)
    setOvertaken(null)
  }
  return { restoredAt, drop, overtaken, settle: () => setOvertaken(null) }
}
