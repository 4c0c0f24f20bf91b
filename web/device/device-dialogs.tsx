/** Dialogs about devices, asked for by list rows, bulk bars, detail pages and the map alike; one host per page. */
import { lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react'
import type { DeviceSelection } from '#schema/device/device'
import { usePage } from '../kit/page.tsx'

export type OneDevice = {
  deviceId: number
  groupId: number
  deviceSn: string
  deviceName: string
  address: string | null
  longitude: number | null
  latitude: number | null
  edition: string
  pinEdition: string
}
/** Several devices: `name` while it is one, `selection` as the calls take it. */
export type ManyDevices = {
  name: string | null
  count: number
  selection: DeviceSelection
  /** Shown in the question: which they are, where a filter names them. */
  preview?: ReactNode
  after?: () => void
}
export type Wanted =
  | { kind: 'delete' | 'move'; many: ManyDevices }
  | { kind: 'command'; many: ManyDevices; command: string }
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
/** It stays drawn, so that closing is seen and a secret just made does not vanish with its form. */
const close = () => {
  if (shown) put({ ...shown, opened: false })
}

export const oneOf = (device: OneDevice): ManyDevices => ({
  name: device.deviceName,
  count: 1,
  selection: { dids: [device.deviceId] },
})

const CommandMany = lazy(() =>
  import('../command/command-many.tsx').then((m) => ({ default: m.CommandMany })),
)
const DeviceDelete = lazy(() => import('./device-delete.tsx').then((m) => ({ default: m.DeviceDelete })))
const DeviceMove = lazy(() => import('./device-move.tsx').then((m) => ({ default: m.DeviceMove })))
const DeviceSwap = lazy(() => import('./device-swap.tsx').then((m) => ({ default: m.DeviceSwap })))
const DeviceEdit = lazy(() => import('./device-edit.tsx').then((m) => ({ default: m.DeviceEdit })))
const DevicePlace = lazy(() => import('./device-place.tsx').then((m) => ({ default: m.DevicePlace })))

function dialogOf({ wanted, opened }: Shown) {
  const common = { opened, onClose: close }
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

/** Pages behind the visited tabs are alive as well: only the visible one shows the dialog. */
export function DeviceDialogs() {
  const { active } = usePage()
  const now = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => shown,
  )
  if (!active || !now) return null
  return <Suspense key={now.turn}>{dialogOf(now)}</Suspense>
}
