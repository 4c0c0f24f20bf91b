/** [§6] Which pages a set of permissions opens, and the side menu built from them. */
import { entries, pages } from '#infra/rights'
import { nameOf } from '#infra/texts'
import type { Language } from '#schema/kit/refusal'
import { type Area, areas, type MenuParent, menuParents, type Screen } from '#schema/kit/screen'
import { isPlatformType } from '#schema/people/session'
import { type Actor, holds } from '../kit/actor.ts'

export type Rights = Pick<Actor, 'type' | 'customerId' | 'menuIds' | 'functionIds' | 'monState'>

/**
 * [§2] The system section is for customer-type users with a customer id, and for those who run the installation
 * (decision 018); Cloud Monitoring only with monState 1.
 */
function withheld(screen: Screen, rights: Rights): boolean {
  if (screen.area === 'monitor') return rights.monState !== 1
  return screen.parent === 'system' && rights.customerId === null && !isPlatformType(rights.type)
}

/** Menu ids for the route guard: the user's, without withheld pages. */
export function openMenuIds(rights: Rights): number[] {
  const closed = pages.filter((page) => withheld(page, rights)).map(({ menuId }) => menuId)
  return [...rights.menuIds].filter((id) => !closed.includes(id))
}

/** The reply of getMenu for one area. */
export function buildMenu(rights: Rights, area: Area, language: Language) {
  const menuIds = openMenuIds(rights)
  // As the route guard [§4]: no entry leads to /404.
  const opens = ({ menuId, permission }: (typeof entries)[number]) =>
    menuIds.includes(menuId) && (permission === undefined || holds(rights, permission))
  const sonId = entries.flatMap((page) => {
    const { name, path, menuId, place, area: own } = page
    // [§2] An entry may be below that of another page; without that page it is an entry of its own.
    const above = page.parent === undefined ? pages.find((one) => one.name === page.under) : undefined
    const parent = page.parent ?? above?.parent
    if (own !== area || parent === undefined || place === undefined || !opens(page)) return []
    const isBelow = above && above.menuId !== menuId && opens(above)
    const underId = isBelow ? above.menuId : null
    return [{ id: menuId, parentId: menuParents[parent].id, underId, name, path }]
  })
  const parents = (Object.keys(menuParents) as MenuParent[]).filter((name) =>
    sonId.some(({ parentId }) => parentId === menuParents[name].id),
  )
  return {
    queryResult: parents.map((name) => ({
      parentId: menuParents[name].id,
      name,
      parentName: nameOf('section', name, language),
    })),
    sonId,
    menuIds,
  }
}

export const areaOf = (funTag: number): Area => (funTag === areas.monitor ? 'monitor' : 'management')
