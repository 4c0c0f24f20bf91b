/** Selected alarms, on this page and on others. Another filter clears the selection. */
import { useState } from 'react'

type Keyed = { id: number }

/** @param rows of the page @param question identifies the filter, whatever the page */
export function useAlarmSelection<R extends Keyed>(rows: readonly R[], question: string) {
  const [held, setHeld] = useState<{ question: string; chosen: ReadonlyMap<number, R> }>({
    question,
    chosen: new Map(),
  })
  if (held.question !== question) setHeld({ question, chosen: new Map() })
  const chosen: ReadonlyMap<number, R> = held.question === question ? held.chosen : new Map()
  const set = (changed: readonly R[], on: boolean) => {
    const next = new Map(chosen)
    for (const row of changed)
      if (on) next.set(row.id, row)
      else next.delete(row.id)
    setHeld({ question, chosen: next })
  }
  const fresh = new Map(rows.map((row) => [row.id, row]))
  return {
    /** With the newest values of those on the page. */
    selected: [...chosen.values()].map((row) => fresh.get(row.id) ?? row),
    has: ({ id }: Keyed) => chosen.has(id),
    toggle: (row: R) => set([row], !chosen.has(row.id)),
    set,
    clear: () => setHeld({ question, chosen: new Map() }),
  }
}
