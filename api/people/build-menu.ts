/** [§6] Which pages a set of rights opens, and the side menu made of them. */
import { gatherDeclared } from '#infra/gather'
import type { Language } from '#schema/kit/refusal'
import { type Area, areas, isScreen, menuParents, type Screen } from '#schema/kit/screen'
import { menus } from '#schema/people/functions'
import { parentNames } from '#schema/people/permission-names'
import { isPlatformType } from '#schema/people/session'
import type { Actor } from '../kit/actor.ts'

export type Rights = Pick<Actor, 'type' | 'customerId' | 'menuIds' | 'monState'>

let declared: Promise<Screen[]> | undefined
const screens = () => {
  declared ??= gatherDeclared(isScreen)
  return declared
}

/**
 * [§2] The system section is for customer-type users with a customer id, and for those who run the installation
 * (decision 018); Cloud Monitoring only with monState 1.
 */
function withheld(screen: Screen, rights: Rights): boolean {
  if (screen.area === 'monitor') return rights.monState !== 1
  return screen.parent === 'system' && rights.customerId === null && !isPlatformType(rights.type)
}

/** Menu ids for the route guard: those held, without the pages that are withheld. */
export async function openMenuIds(rights: Rights): Promise<number[]> {
  const closed = (await screens()).filter((screen) => withheld(screen, rights)).map(({ menuId }) => menuId)
  return [...rights.menuIds].filter((id) => !closed.includes(id))
}

const order: readonly number[] = Object.values(menus)

/** The reply of getMenu for one area. */
export async function buildMenu(rights: Rights, area: Area, language: Language) {
  const menuIds = await openMenuIds(rights)
  const shown = (await screens())
    .filter(
      (screen) =>
        screen.area === area &&
        screen.parent !== undefined &&
        screen.menuId !== undefined &&
        menuIds.includes(screen.menuId),
    )
    .sort((one, other) => order.indexOf(one.menuId ?? 0) - order.indexOf(other.menuId ?? 0))
  const parents = Object.entries(menuParents).filter(([name]) => shown.some(({ parent }) => parent === name))
  return {
    queryResult: parents.map(([name, { id }]) => ({
      parentId: id,
      name,
      parentName: parentNames[name as keyof typeof menuParents][language],
    })),
    sonId: shown.map((screen) => ({
      id: screen.menuId ?? 0,
      parentId: menuParents[screen.parent ?? 'device'].id,
      name: screen.name,
      path: screen.path,
    })),
    menuIds,
  }
}

export const areaOf = (funTag: number): Area => (funTag === areas.monitor ? 'monitor' : 'management')
