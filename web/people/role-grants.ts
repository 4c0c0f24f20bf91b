/** The permissions of a role in the editor's tree: names, ticks, and what saving would change. */
import { useMemo } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import { getPermissionTree } from '#schema/people/role'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { heldRights, holdsMenu } from '../kit/session.ts'

export type Grants = { readonly functionIds: readonly number[]; readonly menuIds: readonly number[] }
export const NO_GRANTS: Grants = { functionIds: [], menuIds: [] }

/** `m14` or `f1400`: some menus and functions have the same number. */
export type LeafKey = `m${number}` | `f${number}`
export type Leaf = {
  key: LeafKey
  name: string /* Cannot be granted to a customer. */
  installation: boolean
}
export type PageNode = { name: string; leaves: readonly Leaf[] }
export type SectionNode = { name: string; pages: readonly PageNode[] }

type Page = ReplyOf<typeof getPermissionTree>['list'][number]['pages'][number]
const leavesOf = ({ menuId, installation, functions }: Page): readonly Leaf[] => [
  ...(menuId === null ? [] : [{ key: `m${menuId}` as const, name: t('role:openPage'), installation }]),
  ...functions.map(({ id, ...named }) => ({ key: `f${id}` as const, ...named })),
]

const toNodes = (reply: ReplyOf<typeof getPermissionTree> | undefined): readonly SectionNode[] =>
  (reply?.list ?? []).map(({ name, pages }) => ({
    name,
    pages: pages.map((page) => ({ name: page.name, leaves: leavesOf(page) })),
  }))

/** The whole tree in the reader's language; empty until it is loaded. */
export function usePermissionTree(): {
  tree: readonly SectionNode[]
  error: Error | null
  again: () => void
} {
  const { data, error, refetch } = useCall(getPermissionTree, {})
  return { tree: useMemo(() => toNodes(data), [data]), error, again: () => void refetch() }
}

const idOf = (key: LeafKey) => Number(key.slice(1))

/** Why this leaf cannot be granted; null: it can. */
export function whyNotGranted({ key, installation }: Leaf, forCustomer: boolean): string | null {
  if (forCustomer && installation) return t('role:ofInstallation')
  const id = idOf(key)
  return (key.startsWith('m') ? holdsMenu(id) : heldRights().has(id)) ? null : t('role:notHeld')
}

/** Why nothing of a page or a section can be granted; null: something of it can. */
export function whyNone(leaves: readonly Leaf[], why: (leaf: Leaf) => string | null): string | null {
  const reasons = leaves.map(why)
  return reasons.includes(null) ? null : (reasons[0] ?? null)
}

export const toKeys = ({ functionIds, menuIds }: Grants): ReadonlySet<LeafKey> =>
  new Set<LeafKey>([...menuIds.map((id) => `m${id}` as const), ...functionIds.map((id) => `f${id}` as const)])

export function toGrants(keys: ReadonlySet<LeafKey>): Grants {
  const ids = (letter: string) => [...keys].filter((key) => key.startsWith(letter)).map(idOf)
  return { functionIds: ids('f'), menuIds: ids('m') }
}

/** Ticks or clears leaves. A function is useless without its page, so ticking it also grants the page. */
export function withLeaves(
  keys: ReadonlySet<LeafKey>,
  page: PageNode,
  leaves: readonly Leaf[],
  on: boolean,
  allowed: (leaf: Leaf) => boolean,
): ReadonlySet<LeafKey> {
  const next = new Set(keys)
  for (const leaf of leaves) {
    if (!allowed(leaf)) continue
    if (on) next.add(leaf.key)
    else next.delete(leaf.key)
  }
  const door = page.leaves.find(({ key }) => key.startsWith('m'))
  if (on && door && allowed(door)) next.add(door.key)
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

/** The matching part of the tree: a section or page that matches by name keeps everything below it. */
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
export function changesBetween(
  tree: readonly SectionNode[],
  before: ReadonlySet<LeafKey>,
  after: ReadonlySet<LeafKey>,
): readonly Change[] {
  return tree
    .flatMap(({ pages }) => pages)
    .map(({ name, leaves }) => ({
      page: name,
      added: leaves.filter(({ key }) => after.has(key) && !before.has(key)).map((leaf) => leaf.name),
      removed: leaves.filter(({ key }) => before.has(key) && !after.has(key)).map((leaf) => leaf.name),
    }))
    .filter(({ added, removed }) => added.length + removed.length > 0)
}
