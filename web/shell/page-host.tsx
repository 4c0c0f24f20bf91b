/**
 * Renders the visible page and keeps visited ones alive: state and scroll position stay, polling and requests stop.
 */

import { Activity, memo, useCallback, useLayoutEffect, useMemo, useState } from 'react'
import { useLocation, useMatches, useParams } from 'react-router'
import type { Screen } from '#schema/kit/screen'
import { hasUnsaved } from '../kit/form/unsaved.ts'
import { type Me, useMe } from '../kit/me.ts'
import { PageProvider } from '../kit/page/page.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { pageOf } from './screens.ts'
import classes from './shell.module.css'
import { changeTabs, useTabs } from './tab-store.ts'
import { keepAlive, retitle, type Tab, visit } from './tabs.ts'

type Visit = { key: string; screen: string; search: string; params: Record<string, string | undefined> }

/** The visible page's tab, read from the router. */
export function useVisit(): Visit | null {
  const { pathname, search } = useLocation()
  // The router makes new objects of the same values, also while another page is loaded: a visit would seem to begin, and the tab
  // that was just closed would be back.
  const params = JSON.stringify(useParams())
  const matches = useMatches()
  const screen = (matches.at(-1)?.handle as { screen?: Screen } | undefined)?.screen
  return useMemo(
    () =>
      screen
        ? { key: pathname, screen: screen.name, search, params: JSON.parse(params) as Visit['params'] }
        : null,
    [screen, pathname, search, params],
  )
}

export const tabTitle = (tab: Pick<Tab, 'screen' | 'title'>) => tab.title ?? screenTitle({ name: tab.screen })

type PaneProps = {
  visited: Visit
  active: boolean
  /** Passed only to re-render when they change: buttons use `can`, which is not React state. */
  rights: Me | undefined
}

const Pane = memo(function Pane({ visited, active }: PaneProps) {
  const setTitle = useCallback(
    (title: string) => changeTabs((tabs) => retitle(tabs, visited.key, title)),
    [visited.key],
  )
  const address = useMemo(
    () => ({ pathname: visited.key, search: visited.search, params: visited.params, active, setTitle }),
    [visited, active, setTitle],
  )
  const Page = pageOf(visited.screen)
  return (
    <Activity mode={active ? 'visible' : 'hidden'}>
      <div className={classes['pane']}>
        <PageProvider address={address}>{Page ? <Page /> : null}</PageProvider>
      </div>
    </Activity>
  )
})

export function PageHost() {
  const now = useVisit()
  const tabs = useTabs()
  const rights = useMe()
  const [kept, setKept] = useState<readonly Visit[]>([])

  useLayoutEffect(() => {
    if (now) changeTabs((before) => visit(before, { key: now.key, screen: now.screen, search: now.search }))
  }, [now])

  // Derived during rendering, not in an effect: the previous page must be hidden in the same frame.
  if (now && kept[0] !== now) {
    const order = keepAlive(
      kept.map(({ key }) => key),
      now.key,
      [...tabs, { ...now, title: null }],
      hasUnsaved,
    )
    setKept(order.flatMap((key) => (key === now.key ? now : (kept.find((page) => page.key === key) ?? []))))
  }
  const drawn = kept.filter((page) => page.key === now?.key || tabs.some((tab) => tab.key === page.key))

  // In a fixed order: moving a pane in the document would lose its scroll position.
  return [...drawn]
    .sort((one, other) => one.key.localeCompare(other.key))
    .map((page) => <Pane key={page.key} visited={page} active={page.key === now?.key} rights={rights} />)
}
