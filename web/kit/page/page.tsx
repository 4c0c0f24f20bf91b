/**
 * A page's own URL. Several pages are mounted at once (kept alive behind the visited tabs), so a page must read its
 * parameters and query from here and never from the router, whose URL belongs to the visible page.
 */
import { unstable_createAdapterProvider, type unstable_UseAdapterHook } from 'nuqs/adapters/custom'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { useNavigate } from 'react-router'

export type PageAddress = {
  pathname: string
  search: string
  params: Readonly<Record<string, string | undefined>>
  active: boolean
  /** Title of the page's tab and window, e.g. a device instead of "Device detail". */
  setTitle: (title: string) => void
}

const Address = createContext<PageAddress | null>(null)

/** null in the shell itself. */
export const usePageAddress = () => useContext(Address)

export function usePage(): PageAddress {
  const address = usePageAddress()
  if (!address) throw new Error('usePage is for pages inside the shell')
  return address
}

/** Sets the title of this page's tab as soon as it is known. */
export function usePageTitle(title: string | undefined) {
  const { setTitle } = usePage()
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

const useAdapter: unstable_UseAdapterHook = () => {
  const page = usePage()
  const navigate = useNavigate()
  const searchParams = useMemo(() => new URLSearchParams(page.search), [page.search])
  return {
    searchParams,
    pathname: page.pathname,
    getSearchParamsSnapshot: () => new URLSearchParams(page.active ? location.search : page.search),
    updateUrl: (search, options) => {
      // A late change from a page already left must not be written to another page's URL.
      if (location.pathname !== page.pathname) return
      const query = search.toString()
      navigate(
        { pathname: page.pathname, search: query === '' ? '' : `?${query}` },
        // Immediately: until the router has it, nuqs falls back to the old URL and the list fetches the old query.
        { replace: options.history !== 'push', preventScrollReset: true, flushSync: true },
      )
    },
  }
}
const UrlState = unstable_createAdapterProvider(useAdapter)

export function PageProvider({ address, children }: { address: PageAddress; children: ReactNode }) {
  return (
    <Address value={address}>
      <UrlState>{children}</UrlState>
    </Address>
  )
}
