/**
 * [§2 Layout] The strip of visited pages, pure: the home tab stays, one device detail at a time, restored on reload.
 */

export type Tab = {
  /** The path without the query: a page visited with other filters is the same tab. */
  readonly key: string
  readonly screen: string
  readonly search: string
  readonly title: string | null
}
export const HOME: Tab = { key: '/dashboard', screen: 'dashboard', search: '', title: null }
/** Only one tab of each of these screens is kept: the newest replaces the previous one. */
export const SINGLE: readonly string[] = ['device-detail']

/** Visits a page: its tab is added at the end, or keeps its place with the new query. */
export function visit(tabs: readonly Tab[], visited: Omit<Tab, 'title'>): readonly Tab[] {
  const same = tabs.findIndex((tab) => tab.key === visited.key)
  const at =
    same >= 0 || !SINGLE.includes(visited.screen)
      ? same
      : tabs.findIndex((tab) => tab.screen === visited.screen)
  const before = tabs[at]
  if (before === undefined) return [...tabs, { ...visited, title: null }]
  if (same >= 0 && before.search === visited.search) return tabs
  return tabs.with(at, { ...visited, title: same >= 0 ? before.title : null })
}

export function retitle(tabs: readonly Tab[], key: string, title: string): readonly Tab[] {
  const at = tabs.findIndex((tab) => tab.key === key)
  const tab = tabs[at]
  return tab === undefined || tab.title === title ? tabs : tabs.with(at, { ...tab, title })
}

type Closing = { tabs: readonly Tab[] /* The path to go to; null: stay. */; goTo: Tab | null }
export type CloseWhat = 'this' | 'others' | 'left' | 'right'

/** Closes around `key`; closing the active tab moves to the previous one. The home tab is never closed. */
export function close(tabs: readonly Tab[], key: string, what: CloseWhat, active: string): Closing {
  const at = tabs.findIndex((tab) => tab.key === key)
  if (at < 0) return { tabs, goTo: null }
  const goes = (i: number) =>
    (what === 'this' && i === at) ||
    (what === 'others' && i !== at) ||
    (what === 'left' && i < at) ||
    (what === 'right' && i > at)
  const kept = tabs.filter((tab, i) => tab.key === HOME.key || !goes(i))
  if (kept.some((tab) => tab.key === active)) return { tabs: kept, goTo: null }
  if (what !== 'this') return { tabs: kept, goTo: tabs[at] ?? HOME }
  return { tabs: kept, goTo: tabs.slice(0, at).findLast((tab) => kept.includes(tab)) ?? HOME }
}

/** For session storage; titles are texts of one language. */
export const store = (tabs: readonly Tab[], language: string) => JSON.stringify({ language, tabs })

/** What `store` wrote; anything unreadable, of an unknown screen, or titled in another language, is left out. */
export function restore(
  stored: string | null,
  known: (screen: string) => boolean,
  language: string,
): readonly Tab[] {
  let read: { language?: unknown; tabs?: unknown } | null
  try {
    read = JSON.parse(stored ?? 'null') as typeof read
  } catch {
    // Written by another version, or manually: start with an empty strip.
    read = null
  }
  const given = read?.tabs
  const isTab = (value: unknown): value is Tab => {
    const tab = value as Partial<Tab> | null
    return (
      typeof tab?.key === 'string' &&
      typeof tab.screen === 'string' &&
      typeof tab.search === 'string' &&
      (tab.title === null || typeof tab.title === 'string')
    )
  }
  const tabs = Array.isArray(given) ? given.filter(isTab).filter((tab) => known(tab.screen)) : []
  const isOurs = read?.language === language
  return [
    HOME,
    ...tabs.filter((tab) => tab.key !== HOME.key).map((tab) => (isOurs ? tab : { ...tab, title: null })),
  ]
}

/**
 * Pages kept alive, the most recently seen first: [now, ...before], only those with a tab, at most `max` and those that hold unsaved
 * changes, which would be lost with them.
 */
export function keepAlive(
  before: readonly string[],
  now: string,
  tabs: readonly Tab[],
  isUnsaved: (key: string) => boolean,
  max = 10,
): string[] {
  return [now, ...before.filter((key) => key !== now && tabs.some((tab) => tab.key === key))].filter(
    (key, i) => i < max || isUnsaved(key),
  )
}
