/** The visited tabs of this browser window. */
import { useSyncExternalStore } from 'react'
import { screens } from './screens.ts'
import { restore, type Tab } from './tabs.ts'

const STORED = 'visitedTabs'
let tabs: readonly Tab[] | undefined
const listeners = new Set<() => void>()

/** Read late: the storage is emptied by a login, after this module is loaded. */
export function openTabs(): readonly Tab[] {
  tabs ??= restore(sessionStorage.getItem(STORED), (name) => screens.some((screen) => screen.name === name))
  return tabs
}

export function changeTabs(change: (tabs: readonly Tab[]) => readonly Tab[]) {
  const next = change(openTabs())
  if (next === tabs) return
  tabs = next
  sessionStorage.setItem(STORED, JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** At logout: the next user starts with his own. */
export function forgetTabs() {
  tabs = undefined
}

export const useTabs = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, openTabs)
