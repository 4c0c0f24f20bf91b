/** The declared permissions and pages, gathered once when the process starts, and lists derived from them. */
import { isPermission, type TemplateRole } from '#schema/kit/permission'
import { entriesInOrder, functionIdsOf, grantsOf, ofInstallation, pagesInOrder } from '#schema/kit/rights'
import { isScreen } from '#schema/kit/screen'
import { gatherDeclared } from './gather.ts'

/** In the order of their ids. */
export const permissions = (await gatherDeclared(isPermission)).sort((one, other) => one.id - other.id)
export const screens = await gatherDeclared(isScreen)
/** Screens with a menu id of their own, in the order of the side menu. */
export const pages = pagesInOrder(screens)
/** Of the side menu. */
export const entries = entriesInOrder(screens)
/** [§6] Cloud Monitoring: withheld from users whose monState is not 1. */
export const monitorFunctionIds: ReadonlySet<number> = new Set(
  functionIdsOf('monitor', { permissions, screens }),
)

export const allFunctionIds: readonly number[] = permissions.map(({ id }) => id)
export const allMenuIds: readonly number[] = pages.map(({ menuId }) => menuId)
/** Permissions of the installation: never a customer's, whatever their role contains. */
export const installationFunctionIds: readonly number[] = permissions
  .filter(ofInstallation)
  .map(({ id }) => id)
export const installationMenuIds: readonly number[] = pages.filter(ofInstallation).map(({ menuId }) => menuId)

export const templateGrants = (role: TemplateRole) => grantsOf(role, { permissions, screens })

const byId = new Map(permissions.map((permission) => [permission.id, permission]))
export const permissionOf = (id: number) => byId.get(id)
export const pageOf = (menuId: number) => pages.find((page) => page.menuId === menuId)
