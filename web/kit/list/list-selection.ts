import { type ReactNode, useCallback, useState } from 'react'
import type { Selection } from './list-types.ts'

/** A selected row, and the question whose answer it was seen in; '': in none that is known. */
type Held<R> = { readonly row: R; readonly page: string }
export type Chosen<R> = ReadonlyMap<string, Held<R>>

/**
 * After an answer to the question `page`: selected rows of it have their new values, and those that it has no more are
 * not selected any more: they were deleted, do not match now or have moved to another page, and actions would be about
 * rows that nobody sees. What was selected on other pages stays.
 */
export function renewed<R>(
  chosen: Chosen<R>,
  rows: readonly R[],
  page: string,
  keyOf: (row: R) => string,
): Chosen<R> {
  if (chosen.size === 0) return chosen
  const answered = new Map(rows.map((row) => [keyOf(row), row]))
  const kept = new Map<string, Held<R>>()
  let isSame = true
  for (const [key, held] of chosen) {
    const row = answered.get(key)
    if (row === undefined && held.page === page) isSame = false
    else if (row === undefined || (row === held.row && held.page === page)) kept.set(key, held)
    else {
      isSame = false
      kept.set(key, { row, page })
    }
  }
  return isSame ? chosen : kept
}

type Answer<R> = {
  rows: readonly R[]
  /** The question that the rows answer; '': the answer to the present one is on its way. */
  page: string
}

/** Rows selected on this and other pages; `all` means all matching rows. Another filter clears the selection. */
export function useSelection<R>(keyOf: (row: R) => string, filter: Readonly<Record<string, unknown>>) {
  const [held, setHeld] = useState<Chosen<R>>(new Map())
  const [all, setAll] = useState(false)
  const name = JSON.stringify(filter)
  const [heldFor, setHeldFor] = useState(name)
  if (heldFor !== name) {
    setHeldFor(name)
    setHeld(new Map())
    setAll(false)
  }
  const clear = () => {
    setHeld(new Map())
    setAll(false)
  }
  /** Called with what is drawn, while it is drawn. */
  const follow = ({ rows, page }: Answer<R>) => {
    if (page === '' || heldFor !== name) return
    const next = renewed(held, rows, page, keyOf)
    if (next === held) return
    setHeld(next)
    if (next.size === 0) setAll(false)
  }
  /** Sets the selected rows of the current page to `next`; other pages keep theirs. */
  const setPage = ({ rows, page }: Answer<R>, next: readonly R[]) => {
    const kept = new Map(held)
    for (const row of rows) kept.delete(keyOf(row))
    for (const row of next) kept.set(keyOf(row), { row, page })
    setHeld(kept)
    setAll(false)
  }
  /** A new function whenever the selection changes. */
  const has = useCallback((row: R) => all || held.has(keyOf(row)), [all, held, keyOf])
  return {
    count: held.size,
    has,
    follow,
    setPage,
    setAll,
    asSelection: (total: number, preview: ReactNode): Selection<R> => ({
      rows: [...held.values()].map(({ row }) => row),
      all,
      count: all ? total : held.size,
      filter,
      preview: all ? preview : null,
      clear,
    }),
  }
}
