/** Groups as a tree with counts including subgroups, and as visible rows. */

import type { getGroupTree } from '#schema/group/group'
import type { ReplyOf } from '#schema/kit/call'

export type GroupNode = {
  /** `g5` for a group, `c2` for a customer. */
  key: string
  gid: number | null
  cid: number
  name: string
  isDefault: boolean
  /** Devices of the group and its subgroups. */
  total: number
  online: number
  children: GroupNode[]
}
export type TreeRow = { node: GroupNode; depth: number; place: number; of: number; open: boolean }

export const groupKey = (gid: number | string) => `g${gid}`
export const customerKey = (cid: number | string) => `c${cid}`

/** "Site 2" before "Site 10"; the default group first. */
const byName = new Intl.Collator(undefined, { numeric: true })
const inOrder = (a: GroupNode, b: GroupNode) =>
  Number(b.isDefault) - Number(a.isDefault) || byName.compare(a.name, b.name)

/** Customers are nodes only if there are several. A group whose parent is not visible is at the top level. */
export function buildTree({ customers, list }: ReplyOf<typeof getGroupTree>): GroupNode[] {
  const nodes = new Map<number, GroupNode>()
  for (const group of list)
    nodes.set(group.gid, {
      key: groupKey(group.gid),
      gid: group.gid,
      cid: group.cid,
      name: group.groupName,
      isDefault: group.isDefault,
      total: group.deviceTotal,
      online: group.deviceOnline,
      children: [],
    })
  const tops: GroupNode[] = []
  for (const group of list) {
    const node = nodes.get(group.gid)
    if (!node) continue
    const parent = group.parentGroupId === null ? undefined : nodes.get(group.parentGroupId)
    if (parent) parent.children.push(node)
    else tops.push(node)
  }
  for (const top of tops) sumUp(top)
  tops.sort(inOrder)
  if (customers.length < 2) return tops
  const byCustomer = Map.groupBy(tops, ({ cid }) => cid)
  return customers.map(({ cid, customerName }) => {
    const children = byCustomer.get(cid) ?? []
    return {
      key: customerKey(cid),
      gid: null,
      cid,
      name: customerName,
      isDefault: false,
      total: children.reduce((sum, { total }) => sum + total, 0),
      online: children.reduce((sum, { online }) => sum + online, 0),
      children,
    }
  })
}

function sumUp(node: GroupNode): void {
  for (const child of node.children) {
    sumUp(child)
    node.total += child.total
    node.online += child.online
  }
  node.children.sort(inOrder)
}

/** Nodes whose name matches, with their ancestors; all nodes for an empty search. */
export function matching(nodes: readonly GroupNode[], search: string): GroupNode[] {
  const text = search.trim().toLowerCase()
  if (text === '') return [...nodes]
  return nodes.flatMap((node) => {
    if (node.name.toLowerCase().includes(text)) return [node]
    const children = matching(node.children, text)
    return children.length > 0 ? [{ ...node, children }] : []
  })
}

/** The rows in order; children of open nodes only. */
export function rowsOf(
  nodes: readonly GroupNode[],
  isOpen: (node: GroupNode) => boolean,
  depth = 0,
): TreeRow[] {
  return nodes.flatMap((node, i) => {
    const open = node.children.length > 0 && isOpen(node)
    return [
      { node, depth, place: i + 1, of: nodes.length, open },
      ...(open ? rowsOf(node.children, isOpen, depth + 1) : []),
    ]
  })
}

/** The ancestors of a node, outermost first; empty if it does not exist. */
export function pathTo(nodes: readonly GroupNode[], key: string): GroupNode[] {
  for (const node of nodes) {
    if (node.key === key) return [node]
    const below = pathTo(node.children, key)
    if (below.length > 0) return [node, ...below]
  }
  return []
}
