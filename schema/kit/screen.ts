import { ofKind } from './kind.ts'
import type { Permission, TemplateRole } from './permission.ts'

/** A page of the console. Router, guard, side menu, visited tabs, the menu call and the role editor read this value. */
export type Screen = {
  readonly kind: 'screen'
  /** The page file in web/pages; its title is `screen.<name>` in a language file. */
  readonly name: string
  /** React Router path, e.g. `/device/particulars/:id/:did`. */
  readonly path: string
  /** [§2] The menu id that must be in the user's list, else /404. Absent: login is enough. */
  readonly menuId?: number
  /** The lowest template role whose users open it; goes with a menu id. 'systemAdmin': the installation's alone. */
  readonly role?: TemplateRole
  /** [§4 Route guard] A permission also required, else /404. */
  readonly permission?: Permission
  /** The part of the side menu that it stands in, and where: smaller places first. Absent: reached from other pages. */
  readonly parent?: MenuParent
  readonly place?: number
  /** The name of the screen that it is reached from; without a menu id of its own it opens with that one's. */
  readonly under?: string
  readonly area: Area
}

/** [§7 getMenu] 0 devices management, 1 cloud monitoring. */
export const areas = { management: 0, monitor: 1 } as const
export type Area = keyof typeof areas

/** [§3 Menu response] The parents of the side menu, in order; their names are `menu:section.<name>`. */
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

type Common = { name: string; path: string; area: Area; permission?: Permission }
type Declaration = Common &
  (
    | { menuId: number; role: TemplateRole; parent: MenuParent; place: number; under?: never }
    /** Has a menu id of its own, but is reached from a page: device details. */
    | { menuId: number; role: TemplateRole; under: Screen; parent?: never; place?: never }
    | { under: Screen; menuId?: never; role?: never; parent?: never; place?: never }
    | { menuId?: never; role?: never; parent?: never; place?: never; under?: never }
  )

/** The menu id that a declared page opens with, as a type. */
type MenuIdOf<D> = D extends { menuId: infer I extends number }
  ? I
  : D extends { under: { menuId: infer I extends number } }
    ? I
    : undefined

/** Declares one page. Gathering refuses a second one of the same name, path, menu id or place. */
export function screen<const D extends Declaration>(d: D): Screen & { readonly menuId: MenuIdOf<D> } {
  const { under, ...own } = d
  const opened = under ? { under: under.name, menuId: d.menuId ?? under.menuId } : {}
  return { kind: 'screen', ...own, ...opened } as Screen & { readonly menuId: MenuIdOf<D> }
}

export const isScreen = ofKind<Screen>('screen')
