import { permissions, screens } from '#infra/rights'
import { sayIn } from '#infra/say'
import { nameOf } from '#infra/texts'
import { ACCOUNT } from '#schema/kit/permission'
import type { Language } from '#schema/kit/refusal'
import { ofInstallation, permissionTree, type TreeSection } from '#schema/kit/rights'
import { menuParents } from '#schema/kit/screen'
import { getPermissionTree } from '#schema/people/role'
import { handler } from '../kit/handler.ts'

const tree = permissionTree({ permissions, screens })

/** Both areas have a section for devices: in the tree they are listed one below the other. */
function nameOfSection(section: TreeSection['section'], language: Language): string {
  const name = nameOf('section', section, language)
  const ofMonitor = section !== ACCOUNT && menuParents[section].area === 'monitor'
  return ofMonitor ? sayIn(language)('monitor:section', { section: name }) : name
}

export const getPermissionTreeHandler = handler(getPermissionTree, async ({ language }) => ({
  list: tree.map(({ section, pages }) => ({
    name: nameOfSection(section, language),
    pages: pages.map(({ page, permissions: held }) => ({
      name: page ? nameOf('screen', page.name, language) : nameOfSection(section, language),
      menuId: page?.menuId ?? null,
      installation: page !== null && ofInstallation(page),
      functions: held.map((permission) => ({
        id: permission.id,
        name: nameOf('permission', permission.name, language),
        installation: ofInstallation(permission),
      })),
    })),
  })),
}))
