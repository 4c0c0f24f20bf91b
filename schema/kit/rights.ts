/** What follows from all declared permissions and screens: the template roles, and the tree that a role is edited in. */
import { ACCOUNT, type Permission, type TemplateRole, templateRoles } from './permission.ts'
import { type MenuParent, menuParents, type Screen } from './screen.ts'

export type Declared = { readonly permissions: readonly Permission[]; readonly screens: readonly Screen[] }

/** A page that a role can open: its screen has a menu id of its own. */
export type Page = Screen & { readonly menuId: number; readonly role: TemplateRole }
const isPage = (screen: Screen): screen is Page => screen.menuId !== undefined && screen.role !== undefined

const sections = Object.keys(menuParents) as MenuParent[]

/** The pages in the order of the side menu; one that is reached from another stands behind that one. */
export function pagesInOrder(screens: readonly Screen[]): readonly Page[] {
  const pages = screens.filter(isPage)
  const inMenu = pages
    .filter(({ parent }) => parent !== undefined)
    .sort(
      (one, other) =>
        sections.indexOf(one.parent ?? 'device') - sections.indexOf(other.parent ?? 'device') ||
        (one.place ?? 0) - (other.place ?? 0),
    )
  return inMenu.flatMap((page) => [page, ...pages.filter(({ under }) => under === page.name)])
}

const reaches = (role: TemplateRole, needed: TemplateRole) =>
  templateRoles.indexOf(role) >= templateRoles.indexOf(needed)

/** [§6] What a template role holds: seeded, locked, to be duplicated rather than edited. */
export function grantsOf(role: TemplateRole, { permissions, screens }: Declared) {
  return {
    functionIds: permissions.filter((held) => reaches(role, held.role)).map(({ id }) => id),
    menuIds: pagesInOrder(screens)
      .filter((page) => reaches(role, page.role))
      .map(({ menuId }) => menuId),
  }
}

/** Never a customer's, whatever their role says. */
export const ofInstallation = ({ role }: { role: TemplateRole }) => role === 'systemAdmin'

export type TreePage = { readonly page: Page | null; readonly permissions: readonly Permission[] }
export type TreeSection = {
  readonly section: MenuParent | typeof ACCOUNT
  readonly pages: readonly TreePage[]
}

/** Section → page → permissions. The account has no page: its dialogs hang on the user menu. */
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
