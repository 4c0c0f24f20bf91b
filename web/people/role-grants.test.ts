import { describe, expect, it } from 'vitest'
import {
  type Leaf,
  type LeafKey,
  searchTree,
  tickOf,
  toGrants,
  toKeys,
  whyNone,
  withLeaves,
} from './role-grants.ts'

const page = {
  name: 'Devices',
  leaves: [
    { key: 'm14', name: 'Open the page', installation: false },
    { key: 'f1400', name: 'See devices', installation: false },
    { key: 'f1405', name: 'Reboot devices', installation: false },
  ],
} as const
const other = {
  name: 'Groups',
  leaves: [{ key: 'm10', name: 'Open the page', installation: false }],
} as const
const tree = [{ name: 'Device management', pages: [page, other] }]
const all = () => true
const keys = (...list: LeafKey[]) => new Set(list)

describe('the tri-state tree', () => {
  it.each([
    [keys(), { checked: false, indeterminate: false, held: 0 }],
    [keys('m14'), { checked: false, indeterminate: true, held: 1 }],
    [keys('m14', 'f1400', 'f1405', 'm10'), { checked: true, indeterminate: false, held: 3 }],
  ])('counts %o', (held, tick) => {
    expect(tickOf(held, page.leaves)).toEqual({ ...tick, of: 3 })
  })

  it('grants the page with its first function, and keeps it when the function is cleared', () => {
    const on = withLeaves(keys(), page, [page.leaves[2]], true, all)
    expect(on).toEqual(keys('f1405', 'm14'))
    expect(withLeaves(on, page, [page.leaves[2]], false, all)).toEqual(keys('m14'))
  })

  it('says why nothing of a page can be granted, and nothing if a part can', () => {
    expect(whyNone(page.leaves, () => 'not held')).toBe('not held')
    expect(whyNone(page.leaves, ({ key }) => (key === 'f1405' ? null : 'not held'))).toBeNull()
  })

  it('neither grants nor removes permissions that the user does not have', () => {
    const allowed = ({ key }: Leaf) => key !== 'f1405' && key !== 'm14'
    expect(withLeaves(keys(), page, page.leaves, true, allowed)).toEqual(keys('f1400'))
    expect(withLeaves(keys('f1405', 'f1400'), page, page.leaves, false, allowed)).toEqual(keys('f1405'))
  })

  it('searches all names; a matching page or section keeps everything below it', () => {
    expect(searchTree(tree, 'reboot')).toEqual([
      { name: 'Device management', pages: [{ name: 'Devices', leaves: [page.leaves[2]] }] },
    ])
    expect(searchTree(tree, 'GROUPS')).toEqual([{ name: 'Device management', pages: [other] }])
    expect(searchTree(tree, 'management')).toEqual(tree)
    expect(searchTree(tree, 'nothing')).toEqual([])
  })

  it('is the role’s ids again when it is saved', () => {
    const grants = { functionIds: [1400, 53], menuIds: [14, 53] }
    expect(toGrants(toKeys(grants))).toEqual(grants)
  })
})
