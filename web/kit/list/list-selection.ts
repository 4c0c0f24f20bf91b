import { type ReactNode, useCallback, useState } from 'react'
import type { Selection } from './list-types.ts'

/** Rows selected on this and other pages; `all` means all matching rows. Another filter clears the selection. */
export function useSelection<R>(keyOf: (row: R) => string, filter: Readonly<Record<string, unknown>>) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, R>>(new Map())
  const [all, setAll] = useState(false)
  const name = JSON.stringify(filter)
  const [heldFor, setHeldFor] = useState(name)
  if (heldFor !== name) {
    setHeldFor(name)
    setChosen(new Map())
    setAll(false)
  }
  const clear = () => {
    setChosen(new Map())
    setAll(false)
  }
  /** Sets the selected rows of the current page to `next`; other pages keep theirs. */
  const setPage = (page: readonly R[], next: readonly R[]) => {
    const kept = new Map(chosen)
    for (const row of page) kept.delete(keyOf(row))
    for (const row of next) kept.set(keyOf(row), row)
    setChosen(kept)
    setAll(false)
  }
  /** A new function whenever the selection changes. */
  const has = useCallback((row: R) => all || chosen.has(keyOf(row)), [all, chosen, keyOf])
  return {
    count: chosen.size,
    has,
    setPage,
    setAll,
    toggle: (row: R) => setPage([row], has(row) ? [] : [row]),
    asSelection: (total: number, preview: ReactNode): Selection<R> => ({
      rows: [...chosen.values()],
      all,
      count: all ? total : chosen.size,
      filter,
      preview: all ? preview : null,
      clear,
    }),
  }
}
