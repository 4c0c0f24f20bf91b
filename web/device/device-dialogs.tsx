/** Dialogs about devices, opened by list rows, bulk bars, detail pages and the map; one host per page. */
import { Suspense, useEffect, useSyncExternalStore } from 'react'
import { commandQuestion } from '../command/commands.ts'
import { lazy } from '../kit/chunk.ts'
import { usePage } from '../kit/page/page.tsx'
import type { CommandedDevices, ManyDevices, OneDevice } from './chosen-devices.ts'

export type Wanted =
  | { kind: 'delete' | 'move'; many: ManyDevices }
  | { kind: 'command'; many: CommandedDevices; command: string }
  | { kind: 'swap' | 'edit' | 'place'; device: OneDevice }

type Shown = { wanted: Wanted; opened: boolean; turn: number }
let shown: Shown | null = null
let turns = 0
const watchers = new Set<() => void>()
function put(next: Shown | null) {
  shown = next
  for (const watcher of watchers) watcher()
}

export function openDeviceDialog(wanted: Wanted) {
  turns += 1
  put({ wanted, opened: true, turn: turns })
}
/** It stays mounted, so that the closing animation is seen and a new secret does not vanish with its form. */
const close = (turn: number) => {
  // The answer to one that was left meanwhile must not close another one.
  if (shown?.turn === turn) put({ ...shown, opened: false })
}

const CommandMany = lazy(() => import('../task/command-many.tsx').then((m) => ({ default: m.CommandMany })))
const CommandDialog = lazy(() =>
  import('../command/command-dialog.tsx').then((m) => ({ default: m.CommandDialog })),
)
const DeviceDelete = lazy(() => import('./device-delete.tsx').then((m) => ({ default: m.DeviceDelete })))
const DeviceMove = lazy(() => import('./device-move.tsx').then((m) => ({ default: m.DeviceMove })))
const DeviceSwap = lazy(() => import('./device-swap.tsx').then((m) => ({ default: m.DeviceSwap })))
const DeviceEdit = lazy(() => import('./device-edit.tsx').then((m) => ({ default: m.DeviceEdit })))
const DevicePlace = lazy(() => import('./device-place.tsx').then((m) => ({ default: m.DevicePlace })))

function dialogOf({ wanted, opened, turn }: Shown) {
  const common = { opened, onClose: () => close(turn) }
  switch (wanted.kind) {
    case 'delete':
      return <DeviceDelete {...common} many={wanted.many} />
    case 'move':
      return <DeviceMove {...common} many={wanted.many} />
    case 'command':
      return <CommandMany {...common} many={wanted.many} command={wanted.command} />
    case 'swap':
      return <DeviceSwap {...common} device={wanted.device} />
    case 'edit':
      return <DeviceEdit {...common} device={wanted.device} />
    case 'place':
      return <DevicePlace {...common} device={wanted.device} />
  }
}

/** Pages behind other tabs are mounted too: only the visible one shows the dialog. */
export function DeviceDialogs() {
  const { active } = usePage()
  const now = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => shown,
  )
  const command = commandQuestion.useOpened()
  // What a page has asked ends with it: on another one, or after another login, it would be about the wrong devices.
  useEffect(
    () => () => {
      put(null)
      commandQuestion.close()
    },
    [],
  )
  if (!active) return null
  return (
    <>
      {now ? <Suspense key={now.turn}>{dialogOf(now)}</Suspense> : null}
      {command ? (
        <Suspense key={`command ${command.turn}`}>
          <CommandDialog opened={command.shown} onClose={commandQuestion.close} question={command.what} />
        </Suspense>
      ) : null}
    </>
  )
}
