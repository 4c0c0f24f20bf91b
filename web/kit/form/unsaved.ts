/** Which pages have unsaved changes. A page stays marked while it is hidden behind another tab. */
import { useEffect, useSyncExternalStore } from 'react'
import { usePageAddress } from '../page/page.tsx'

/** Page path → its forms with changes. Forms of the shell itself have the path ''. */
let unsaved: ReadonlyMap<string, ReadonlySet<string>> = new Map()
const watchers = new Set<() => void>()

function put(next: typeof unsaved) {
  unsaved = next
  for (const watcher of watchers) watcher()
}

export function markUnsaved(page: string, form: string, dirty: boolean) {
  const forms = unsaved.get(page)
  if ((forms?.has(form) ?? false) === dirty) return
  const next = new Set(forms)
  if (dirty) next.add(form)
  else next.delete(form)
  const pages = new Map(unsaved)
  if (next.size > 0) pages.set(page, next)
  else pages.delete(page)
  put(pages)
}

/** Called when these pages are closed, or (without arguments) at logout. */
export function forgetUnsaved(pages: readonly string[] = [...unsaved.keys()]) {
  if (pages.some((page) => unsaved.has(page)))
    put(new Map([...unsaved].filter(([page]) => !pages.includes(page))))
}

export const hasUnsaved = (page?: string) => (page === undefined ? unsaved.size > 0 : unsaved.has(page))

/** Paths of the pages with unsaved changes. */
export const useUnsavedPages = () =>
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => unsaved,
  )

/**
 * Marks this page while `dirty` is true: a dot on its tab, and a question before the tab or the window is closed.
 * There is no cleanup, because an effect also ends when its page is only hidden. The returned function is for a form
 * that is removed while dirty.
 */
export function useUnsaved(form: string, dirty: boolean): () => void {
  const page = usePageAddress()?.pathname ?? ''
  useEffect(() => markUnsaved(page, form, dirty), [page, form, dirty])
  return () => markUnsaved(page, form, false)
}
