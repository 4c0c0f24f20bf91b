/** Rows that people are working through stay where they are: what arrives waits, what is over stays and says so. */
import { useState } from 'react'

type Keyed = { id: number; lastAt: string; gone?: boolean }
export type Frozen<R> = {
  rows: readonly R[]
  /** Arrived since; not shown yet. */
  waiting: number
  adopt: () => void
}

/**
 * `shown` are the rows on the page, `fresh` the newest answer, of at most `limit` rows. Rows keep their places and
 * take new values; one that no longer matches stays as it was last known, marked as gone. What newer ones pushed off
 * the end of a full page is not gone.
 */
export function mergeFrozen<R extends Keyed>(
  shown: readonly R[],
  fresh: readonly R[],
  limit: number,
): { rows: R[]; waiting: number } {
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const known = new Set(shown.map(({ id }) => id))
  const oldest = fresh.length < limit ? '' : (fresh.at(-1)?.lastAt ?? '')
  return {
    rows: shown.map((row) => byId.get(row.id) ?? { ...row, gone: row.lastAt > oldest }),
    waiting: fresh.filter(({ id }) => !known.has(id)).length,
  }
}

/** @param question another question (filter, page, order) is another list: nothing of the old one stays. */
export function useFrozen<R extends Keyed>(
  fresh: readonly R[] | undefined,
  question: string,
  limit: number,
): Frozen<R> {
  const [held, setHeld] = useState<{ question: string; rows: readonly R[] } | null>(null)
  if (fresh && held?.question !== question) setHeld({ question, rows: fresh })
  if (!fresh || held?.question !== question) return { rows: fresh ?? [], waiting: 0, adopt: () => undefined }
  const merged = mergeFrozen(held.rows, fresh, limit)
  // Nothing is being looked at: what comes is shown at once.
  if (held.rows.length === 0 && fresh.length > 0) setHeld({ question, rows: fresh })
  return { ...merged, adopt: () => setHeld({ question, rows: fresh }) }
}
