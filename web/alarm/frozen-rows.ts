/** Rows that a user is working on keep their places: new rows wait, and removed ones stay, marked as gone. */
import { useState } from 'react'

type Keyed = { id: number; lastAt: string; gone?: boolean; away?: boolean }
export type Frozen<R> = {
  rows: readonly R[]
  /** Number of new rows that are not shown yet. */
  waiting: number
  adopt: () => void
}

/**
 * `shown` are the rows on the page, `fresh` the newest response, of at most `limit` rows. Rows keep their places and
 * get new values; one that no longer matches keeps its last values, marked as gone. Rows that newer ones pushed off
 * the end of a full page are not gone. From a later page a row also vanishes by coming again, which moves it to the first
 * one: it is away, and may well be active.
 */
export function mergeFrozen<R extends Keyed>(
  shown: readonly R[],
  fresh: readonly R[],
  limit: number,
  page: number,
): { rows: R[]; waiting: number } {
  const byId = new Map(fresh.map((row) => [row.id, row]))
  const known = new Set(shown.map(({ id }) => id))
  const oldest = fresh.length < limit ? '' : (fresh.at(-1)?.lastAt ?? '')
  return {
    rows: shown.map(
      (row) => byId.get(row.id) ?? { ...row, [page === 1 ? 'gone' : 'away']: row.lastAt > oldest },
    ),
    waiting: fresh.filter(({ id }) => !known.has(id)).length,
  }
}

/** @param question identifies filter, page and order: when it changes, the old list is discarded. */
export function useFrozenRows<R extends Keyed>(
  fresh: readonly R[] | undefined,
  question: string,
  limit: number,
  page: number,
): Frozen<R> {
  const [held, setHeld] = useState<{ question: string; rows: readonly R[] } | null>(null)
  if (fresh && held?.question !== question) setHeld({ question, rows: fresh })
  if (!fresh || held?.question !== question) return { rows: fresh ?? [], waiting: 0, adopt: () => undefined }
  const merged = mergeFrozen(held.rows, fresh, limit, page)
  // The list was empty: new rows are shown immediately.
  if (held.rows.length === 0 && fresh.length > 0) setHeld({ question, rows: fresh })
  return { ...merged, adopt: () => setHeld({ question, rows: fresh }) }
}
