/** Drawers of a list that a link can open: `?open=new`, `?open=<row id>`, `?open=<name>`. */
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import { goTo } from '../navigation.ts'

/** Opens one from outside of components, keeping the list's own parameters. */
export function openDrawer(path: string, name: string): void {
  const query = new URLSearchParams(location.search)
  query.set('open', name)
  goTo(`${path}?${query}`)
}

export function useUrlDrawers() {
  const [open, setOpen] = useQueryState('open', parseAsString.withDefault(''))
  // Once loaded they stay mounted, because closing is animated.
  const [fetched, setFetched] = useState<ReadonlySet<string>>(new Set())
  if (open !== '' && !fetched.has(open)) setFetched(new Set([...fetched, open]))
  return {
    show: (name: string) => void setOpen(name),
    has: (name: string) => fetched.has(name),
    /** Those of rows, by their id. */
    rows: [...fetched].filter((name) => /^\d+$/.test(name)),
    drawer: (name: string) => ({ opened: open === name, onClose: () => void setOpen(null) }),
  }
}
