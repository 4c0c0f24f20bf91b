import { permissions, screens } from '#infra/rights'
import { nameOf } from '#infra/texts'
import { ofInstallation, permissionTree } from '#schema/kit/rights'
import { getPermissionTree } from '#schema/people/role'
import { handler } from '../kit/handler.ts'

const tree = permissionTree({ permissions, screens })

export const getPermissionTreeHandler = handler(getPermissionTree, async ({ language }) => ({
  list: tree.map(({ section, pages }) => ({
    name: nameOf('section', section, language),
    pages: pages.map(({ page, permissions: held }) => ({
      name: page ? nameOf('screen', page.name, language) : nameOf('section', section, language),
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
