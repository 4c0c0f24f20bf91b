/** [§6] Where every menu and function stands in the tree that a role is edited in: section → page → functions. */

import type { MenuParent } from '../kit/screen.ts'
import { type FunctionName, functions, type MenuName, menus } from './functions.ts'

/** Pages of each section in the order of the side menu; `account` is what everybody has for himself. */
const sections = {
  device: ['deviceList', 'deviceDetail', 'groups', 'unusualDevices', 'printers', 'terminals'],
  fault: ['alarms', 'alarmHistory', 'alarmRules', 'contacts'],
  report: ['onlineReport', 'trafficReport', 'signalReport', 'versionReport'],
  configuration: [],
  software: ['packages', 'upgrades'],
  system: [
    'customers',
    'users',
    'roles',
    'parameters',
    'n2nServers',
    'printerDrivers',
    'operationLog',
    'loginLog',
    'mailOutbox',
  ],
  monitor: [],
} as const satisfies Record<MenuParent, readonly MenuName[]>

/** Ids that the specification gave, and so do not tell their page. */
const placed: Readonly<Record<number, MenuName | 'account'>> = {
  [functions.remoteOperation]: 'deviceDetail',
  [functions.deviceDetail]: 'deviceDetail',
  [functions.profile]: 'account',
  [functions.editProfile]: 'account',
  [functions.changePassword]: 'account',
  [functions.bindEmail]: 'account',
  [functions.apiTokens]: 'account',
}

export type TreePage = {
  /** `account` has no page: its dialogs hang on the user menu. */
  page: MenuName | 'account'
  menuId: number | null
  functions: readonly { name: FunctionName; id: number }[]
}
export type TreeSection = { section: MenuParent | 'account'; pages: readonly TreePage[] }

const entries = Object.entries(functions) as [FunctionName, number][]
const pageOf = (id: number): MenuName | 'account' | undefined =>
  placed[id] ??
  (Object.entries(menus) as [MenuName, number][]).find(([, menu]) => menu === Math.floor(id / 100))?.[0]
const functionsOf = (page: MenuName | 'account') =>
  entries.filter(([, id]) => pageOf(id) === page).map(([name, id]) => ({ name, id }))

export const permissionTree: readonly TreeSection[] = [
  {
    section: 'account' as const,
    pages: [{ page: 'account' as const, menuId: null, functions: functionsOf('account') }],
  },
  ...(Object.entries(sections) as [MenuParent, readonly MenuName[]][]).map(([section, pages]) => ({
    section,
    pages: pages.map((page) => ({ page, menuId: menus[page], functions: functionsOf(page) })),
  })),
].filter(({ pages }) => pages.length > 0)

/** Names of functions in the order of their ids, as the operation log and differences tell them. */
export const functionName = (id: number): FunctionName | undefined =>
  entries.find(([, known]) => known === id)?.[0]
export const menuName = (id: number): MenuName | undefined =>
  (Object.entries(menus) as [MenuName, number][]).find(([, known]) => known === id)?.[0]
