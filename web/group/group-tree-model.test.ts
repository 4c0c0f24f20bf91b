import { expect, it } from 'vitest'
import { threadMs } from '#test/thread-time'
import { buildTree, matching, pathTo, rowsOf } from './group-tree-model.ts'

const group = (
  gid: number,
  parentGroupId: number | null,
  deviceTotal: number,
  deviceOnline = 0,
  cid = 1,
) => ({
  gid,
  groupName: `Group ${gid}`,
  level: parentGroupId === null ? 1 : 2,
  parentGroupId,
  cid,
  isDefault: gid === 1,
  deviceTotal,
  deviceOnline,
})
const one = { cid: 1, customerName: 'Acme' }
const names = (rows: { node: { name: string }; depth: number }[]) =>
  rows.map(({ node, depth }) => `${'-'.repeat(depth)}${node.name}`)

it('a group counts the devices below it too', () => {
  const [top] = buildTree({
    customers: [one],
    list: [group(1, null, 2, 1), group(2, 1, 3, 3), group(3, 2, 4, 0)],
  })
  expect(top).toMatchObject({ total: 9, online: 4, children: [{ total: 7, online: 3 }] })
})

it('several customers are the first level, a single one is not shown; groups with a hidden parent stay visible', () => {
  const list = [group(1, null, 1), group(5, 99, 2, 0, 2)]
  expect(buildTree({ customers: [one], list: list.slice(0, 1) })[0]?.name).toBe('Group 1')
  const tree = buildTree({ customers: [one, { cid: 2, customerName: 'Bolt' }], list })
  expect(names(rowsOf(tree, () => true))).toEqual(['Acme', '-Group 1', 'Bolt', '-Group 5'])
})

it('a search keeps the path to its results', () => {
  const tree = buildTree({
    customers: [one],
    list: [group(1, null, 1), group(2, 1, 1), group(3, 2, 1), group(4, null, 1)],
  })
  expect(names(rowsOf(matching(tree, 'group 3'), () => true))).toEqual(['Group 1', '-Group 2', '--Group 3'])
  expect(names(rowsOf(tree, () => false))).toEqual(['Group 1', 'Group 4'])
  expect(pathTo(tree, 'g3').map(({ name }) => name)).toEqual(['Group 1', 'Group 2', 'Group 3'])
  expect(pathTo(tree, 'g9')).toEqual([])
})

it('names are sorted naturally, the default group first', () => {
  const list = [group(10, null, 0), group(2, null, 0), group(1, null, 0)]
  const [, second] = buildTree({ customers: [one], list })
  expect(second?.name).toBe('Group 2')
})

it('a thousand groups are built and flattened within a frame', () => {
  const list = Array.from({ length: 1000 }, (_, i) => group(i + 1, i < 100 ? null : (i % 100) + 1, 100, 90))
  const took = Array.from({ length: 3 }, () => {
    const began = threadMs()
    expect(rowsOf(buildTree({ customers: [one], list }), () => true)).toHaveLength(1000)
    return threadMs() - began
  })
  // The first time the code is not compiled yet.
  expect(Math.min(...took)).toBeLessThan(50)
})
