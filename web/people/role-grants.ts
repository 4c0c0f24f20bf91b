/** What a role grants, as the console edits it: leaves of the permission tree, each a menu or a function. */
import { installationFunctionIds, installationMenuIds } from '#schema/people/functions'
import { functionNames, menuNames, parentNames } from '#schema/people/permission-names'
import { permissionTree } from '#schema/people/permission-tree'
import { t } from '../kit/i18n.ts'
import { can, holdsMenu, language } from '../kit/session.ts'

export type Grants = { readonly functionIds: readonly number[]; readonly menuIds: readonly number[] }
export const NO_GRANTS: Grants = { functionIds: [], menuIds: [] }

/** `m14` or `f1400`: menus and functions share some numbers. */
export type LeafKey = `m${number}` | `f${number}`
export type Leaf = { key: LeafKey; name: string }
export type PageNode = { name: string; leaves: readonly Leaf[] }
export type SectionNode = { name: string; pages: readonly PageNode[] }

/** The whole tree in the reader's language. */
export function namedTree(): readonly SectionNode[] {
  const speech = language()
  return permissionTree.map(({ section, pages }) => ({
    name: section === 'account' ? t('role:account') : parentNames[section][speech],
    pages: pages.map(({ page, menuId, functions }) => ({
      name: page === 'account' ? t('role:account') : menuNames[page][speech],
      leaves: [
        ...(menuId === null ? [] : [{ key: `m${menuId}` as const, name: t('role:openPage') }]),
        ...functions.map(({ id, name }) => ({ key: `f${id}` as const, name: functionNames[name][speech] })),
      ],
    })),
  }))
}

const idOf = (key: LeafKey) => Number(key.slice(1))

/** Why this leaf cannot be granted; null: it can. */
export function whyNotGranted(key: LeafKey, forCustomer: boolean): string | null {
  const id = idOf(key)
  const menu = key.startsWith('m')
  if (forCustomer && (menu ? installationMenuIds : installationFunctionIds).includes(id))
    return t('role:ofInstallation')
  return (menu ? holdsMenu(id) : can(id)) ? null : t('role:notHeld')
}

export const toKeys = ({ functionIds, menuIds }: Grants): ReadonlySet<LeafKey> =>
  new Set<LeafKey>([...menuIds.map((id) => `m${id}` as const), ...functionIds.map((id) => `f${id}` as const)])

export function toGrants(keys: ReadonlySet<LeafKey>): Grants {
  const ids = (letter: string) => [...keys].filter((key) => key.startsWith(letter)).map(idOf)
  return { functionIds: ids('f'), menuIds: ids('m') }
}

/** Ticks or clears leaves. A function is of no use where its page does not open, so ticking it opens the page. */
export function withLeaves(
  keys: ReadonlySet<LeafKey>,
  page: PageNode,
  leaves: readonly Leaf[],
  on: boolean,
  allowed: (key: LeafKey) => boolean,
): ReadonlySet<LeafKey> {
  const next = new Set(keys)
  for (const { key } of leaves) {
    if (!allowed(key)) continue
    if (on) next.add(key)
    else next.delete(key)
  }
  const door = page.leaves.find(({ key }) => key.startsWith('m'))
  if (on && door && allowed(door.key)) next.add(door.key)
  return next
}

export type Tick = { checked: boolean; indeterminate: boolean; held: number; of: number }

export function tickOf(keys: ReadonlySet<LeafKey>, leaves: readonly Leaf[]): Tick {
  const held = leaves.filter(({ key }) => keys.has(key)).length
  return {
    checked: held > 0 && held === leaves.length,
    indeterminate: held > 0 && held < leaves.length,
    held,
    of: leaves.length,
  }
}

/** The part of the tree that matches what is searched: a section or page by its name keeps all below it. */
export function searchTree(tree: readonly SectionNode[], search: string): readonly SectionNode[] {
  const wanted = search.trim().toLowerCase()
  if (wanted === '') return tree
  const matches = (name: string) => name.toLowerCase().includes(wanted)
  return tree.flatMap((section) => {
    if (matches(section.name)) return section
    const pages = section.pages.flatMap((page) => {
      if (matches(page.name)) return page
      const leaves = page.leaves.filter(({ name }) => matches(name))
      return leaves.length > 0 ? { ...page, leaves } : []
    })
    return pages.length > 0 ? { ...section, pages } : []
  })
}

export type Change = { page: string; added: readonly string[]; removed: readonly string[] }

/** What saving would change, page by page. */
export function changesBetween(before: ReadonlySet<LeafKey>, after: ReadonlySet<LeafKey>): readonly Change[] {
  return namedTree()
    .flatMap(({ pages }) => pages)
    .map(({ name, leaves }) => ({
      page: name,
      added: leaves.filter(({ key }) => after.has(key) && !before.has(key)).map((leaf) => leaf.name),
      removed: leaves.filter(({ key }) => before.has(key) && !after.has(key)).map((leaf) => leaf.name),
    }))
    .filter(({ added, removed }) => added.length + removed.length > 0)
}
