import { ofKind } from './kind.ts'
import type { Permission, TemplateRole } from './permission.ts'

/**
 * A page of the console. Router, guard, side menu, visited tabs, the menu call and the role editor use this value.
 */
export type Screen = {
  readonly kind: 'screen'
  /** The page file in web/pages or web/monitor-pages; its title is `screen.<name>` in a language file. */
  readonly name: string
  /** React Router path, e.g. `/device/particulars/:id/:did`. */
  readonly path: string
  /** [§2] The menu id that must be in the user's list, else /404. Absent: a login is sufficient. */
  readonly menuId?: number
  /**
   * The lowest template role whose users can open it; required with a menu id. 'systemAdmin': only the installation.
   */
  readonly role?: TemplateRole
  /** [§4 Route guard] A permission also required, else /404. */
  readonly permission?: Permission
  /**
   * Its section and position in the side menu: smaller places first. Absent: reached from other pages. Only a place:
   * its entry is below that of `under`.
   */
  readonly parent?: MenuParent
  readonly place?: number
  /** The name of the screen that it is reached from; without its own menu id it opens with that one's. */
  readonly under?: string
  /**
   * The name of the screen whose entry of the side menu it keeps highlighted, for a page that a login opens: `under`
   * would also require that screen's menu id.
   */
  readonly belongsTo?: string
  /**
   * The name of a screen that shows the same with the same parameters: users who may open only that one are led there, because links in
   * mails and webhooks are written without knowing who follows them.
   */
  readonly elseAt?: string
  readonly area: Area
  /** The name of the list call whose rows it shows; the palette looks into it ("alarms of kiosks"). */
  readonly lists?: string
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
  monitorDevice: { id: 7, area: 'monitor' },
  monitorAlarm: { id: 8, area: 'monitor' },
  monitorReport: { id: 9, area: 'monitor' },
} as const satisfies Record<string, { id: number; area: Area }>
export type MenuParent = keyof typeof menuParents

type Common = {
  name: string
  path: string
  area: Area
  permission?: Permission
  elseAt?: Screen
  lists?: string
}
type Declaration = Common &
  (
    | { menuId: number; role: TemplateRole; parent: MenuParent; place: number; under?: never }
    /** Has its own menu id, but is reached from another page: device details. */
    | { menuId: number; role: TemplateRole; under: Screen; parent?: never; place?: never }
    /** [§2] "a menu shows it under 93": an entry of the side menu below that of another page. */
    | { menuId: number; role: TemplateRole; under: Screen; parent?: never; place: number }
    /** [§2] Two entries of the side menu with one menu id: the variables and the configuration of their collection. */
    | { under: Screen; place: number; menuId?: never; role?: never; parent?: never }
    | { under: Screen; menuId?: never; role?: never; parent?: never; place?: never }
    | { menuId?: never; role?: never; parent?: never; place?: never; under?: never; belongsTo?: Screen }
  )

/** The menu id of a declared page, as a type. */
type MenuIdOf<D> = D extends { menuId: infer I extends number }
  ? I
  : D extends { under: { menuId: infer I extends number } }
    ? I
    : undefined

/** Declares one page. Gathering refuses a duplicate name, path, menu id or place. */
export function screen<const D extends Declaration>(d: D): Screen & { readonly menuId: MenuIdOf<D> } {
  const { under, belongsTo, elseAt, ...own } = { belongsTo: undefined, elseAt: undefined, ...d }
  const opened = under
    ? { under: under.name, menuId: d.menuId ?? under.menuId }
    : belongsTo
      ? { belongsTo: belongsTo.name }
      : {}
  const led = elseAt ? { elseAt: elseAt.name } : {}
  return { kind: 'screen', ...own, ...opened, ...led } as Screen & { readonly menuId: MenuIdOf<D> }
}

export const isScreen = ofKind<Screen>('screen')
