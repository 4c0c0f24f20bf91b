import { ofKind } from './kind.ts'
/** A page of the console. Router, guard, side menu, visited tabs and the menu call all read this value. */
export type Screen = {
  readonly kind: 'screen'
  /** The page file in web/pages and the locale key `menu.<name>`. */
  readonly name: string
  /** React Router path, e.g. `/device/particulars/:id/:did`. */
  readonly path: string
  /** [§2] The menu id that must be in the user's list, else /404. Absent: login is enough. */
  readonly menuId?: number
  /** [§4 Route guard] A function id also required, else /404. */
  readonly functionId?: number
  /** The side-menu parent this page hangs under; absent: reached from other pages only, or the home page. */
  readonly parent?: MenuParent
  readonly area: Area
}

/** [§7 getMenu] 0 devices management, 1 cloud monitoring. */
export const areas = { management: 0, monitor: 1 } as const
export type Area = keyof typeof areas

/** [§3 Menu response] The parents of the side menu, in order. */
export const menuParents = {
  device: { id: 1, area: 'management' },
  fault: { id: 2, area: 'management' },
  report: { id: 3, area: 'management' },
  configuration: { id: 4, area: 'management' },
  software: { id: 5, area: 'management' },
  system: { id: 6, area: 'management' },
  monitor: { id: 7, area: 'monitor' },
} as const satisfies Record<string, { id: number; area: Area }>
export type MenuParent = keyof typeof menuParents

export function screen(d: Omit<Screen, 'kind'>): Screen {
  return { kind: 'screen', ...d }
}

export const isScreen = ofKind<Screen>('screen')
