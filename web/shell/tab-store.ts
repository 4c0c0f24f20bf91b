/** The visited tabs of this browser window. */
import { useSyncExternalStore } from 'react'
import { language } from '../kit/session.ts'
import { mayOpen } from './guard.ts'
import { screens } from './screens.ts'
import { restore, store, type Tab } from './tabs.ts'

const STORED = 'visitedTabs'
let tabs: readonly Tab[] | undefined
const listeners = new Set<() => void>()

/** Pages that exist and that this user may still open. */
const known = (name: string) => screens.some((screen) => screen.name === name) && mayOpen(name)

/** Read lazily: the storage is cleared by a login, after this module is loaded. */
export function openTabs(): readonly Tab[] {
  tabs ??= restore(sessionStorage.getItem(STORED), known, language())
  return tabs
}

export function changeTabs(change: (tabs: readonly Tab[]) => readonly Tab[]) {
  const next = change(openTabs())
  if (next === tabs) return
  tabs = next
  sessionStorage.setItem(STORED, store(next, language()))
  for (const listener of listeners) listener()
}

/** At logout: the next user starts with their own. */
export function forgetTabs() {
  tabs = undefined
}

export const useTabs = () =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, openTabs)
