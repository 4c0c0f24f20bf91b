/** Derived from all declared permissions and screens: the template roles, and the tree of the role editor. */
import { ACCOUNT, type Permission, type TemplateRole, templateRoles } from './permission.ts'
import { type Area, type MenuParent, menuParents, type Screen } from './screen.ts'

export type Declared = { readonly permissions: readonly Permission[]; readonly screens: readonly Screen[] }

/** A page that a role can open: its screen has its own menu id. */
export type Page = Screen & { readonly menuId: number; readonly role: TemplateRole }
const isPage = (screen: Screen): screen is Page => screen.menuId !== undefined && screen.role !== undefined

const sections = Object.keys(menuParents) as MenuParent[]

/** The pages in the order of the side menu; a page that is reached from another follows that one. */
export function pagesInOrder(screens: readonly Screen[]): readonly Page[] {
  const pages = screens.filter(isPage)
  const inMenu = pages
    .filter(({ parent }) => parent !== undefined)
    .sort(
      (one, other) =>
        sections.indexOf(one.parent ?? 'device') - sections.indexOf(other.parent ?? 'device') ||
        (one.place ?? 0) - (other.place ?? 0),
    )
  const below = (page: Page) =>
    pages
      .filter(({ under }) => under === page.name)
      .sort((one, other) => (one.place ?? 0) - (other.place ?? 0))
  return inMenu.flatMap((page) => [page, ...below(page)])
}

/** The entries of the side menu: the pages, and after each the screens that it shares its menu id with. */
export function entriesInOrder(
  screens: readonly Screen[],
): readonly (Screen & { readonly menuId: number })[] {
  return pagesInOrder(screens).flatMap((page) => [
    page,
    ...screens
      .filter(({ under, role, place }) => under === page.name && role === undefined && place !== undefined)
      .map((screen) => ({ ...screen, menuId: page.menuId })),
  ])
}

const reaches = (role: TemplateRole, needed: TemplateRole) =>
  templateRoles.indexOf(role) >= templateRoles.indexOf(needed)

/** [§6] The permissions of a template role: seeded, locked, to be duplicated instead of edited. */
export function grantsOf(role: TemplateRole, { permissions, screens }: Declared) {
  return {
    functionIds: permissions.filter((held) => reaches(role, held.role)).map(({ id }) => id),
    menuIds: pagesInOrder(screens)
      .filter((page) => reaches(role, page.role))
      .map(({ menuId }) => menuId),
  }
}

/** The ids of the permissions of pages of one area. */
export const functionIdsOf = (area: Area, { permissions, screens }: Declared): readonly number[] => {
  const pages = new Set(screens.filter((screen) => screen.area === area).map(({ name }) => name))
  return permissions.filter(({ under }) => pages.has(under)).map(({ id }) => id)
}

export const ofInstallation = ({ role }: { role: TemplateRole }) => role === 'systemAdmin'

export type TreePage = { readonly page: Page | null; readonly permissions: readonly Permission[] }
export type TreeSection = {
  readonly section: MenuParent | typeof ACCOUNT
  readonly pages: readonly TreePage[]
}

/** Section → page → permissions. The account has no page: its dialogs are in the user menu. */
export function permissionTree({ permissions, screens }: Declared): readonly TreeSection[] {
  const pages = pagesInOrder(screens)
  const under = (name: string) => permissions.filter((held) => held.under === name)
  const sectionOf = (page: Page) => page.parent ?? pages.find(({ name }) => name === page.under)?.parent
  const tree: TreeSection[] = [
    { section: ACCOUNT, pages: [{ page: null, permissions: under(ACCOUNT) }] },
    ...sections.map((section) => ({
      section,
      pages: pages
        .filter((page) => sectionOf(page) === section)
        .map((page) => ({ page, permissions: under(page.name) })),
    })),
  ]
  return tree.filter((section) => section.pages.length > 0)
}
