/** Drawers of a list that a link can open: `?open=new`, `?open=<row id>`, `?open=<name>`. */
import { parseAsString, useQueryState } from 'nuqs'
import { useState } from 'react'
import { goTo } from '../navigation.ts'

/** Opens a drawer from outside of components; search, filters and page of the list below it stay. */
export function openOver(path: string, parameter: string, value: string): void {
  const query = new URLSearchParams(location.search)
  query.set(parameter, value)
  goTo(`${path}?${query}`)
}
export const openDrawer = (path: string, name: string): void => openOver(path, 'open', name)

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
