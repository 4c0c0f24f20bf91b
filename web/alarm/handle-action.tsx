/** The dialog that handles alarms, for lists: their row actions are no components, and cannot hold it. */
import { useState, useSyncExternalStore } from 'react'
import type { AlarmRow } from './alarm-chips.tsx'
import { HandleDialog } from './alarm-handle.tsx'

let asked: readonly AlarmRow[] = []
const watchers = new Set<() => void>()
export function handle(rows: readonly AlarmRow[]) {
  asked = rows
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
/** The dialog is in the header, where hooks may be used. */
export function HandleAction() {
  const rows = useSyncExternalStore(watch, () => asked)
  useState(() => handle([]))
  return <HandleDialog rows={rows} onClose={() => handle([])} />
}
