import { describe, expect, it } from 'vitest'
import { type Fleet, findOutages, type Lost } from './alarm-outage.ts'

const carriers = ['Mobile', 'Unicom', 'Telecom']
let last = 0
/** Lost devices of a group, with the carriers in turn. */
const lose = (count: number, group: number, of: (string | null)[] = carriers): Lost[] =>
  Array.from({ length: count }, (_, i) => ({
    id: ++last,
    address: '127.0.0.1',
    carrier: of[i % of.length] ?? null,
    groupId: group,
    groupName: `G${group}`,
  }))
const fleet = (total: number, of: Record<string, number>): Fleet => ({
  total,
  of: new Map(Object.entries(of)),
})
const notified = (lost: Lost[], all: Fleet) =>
  findOutages(lost, all).map(({ ground, name, ids }) => [ground, name, ids.length])

describe('an outage', () => {
  const all = fleet(1400, {
    'group 1': 400,
    'group 2': 500,
    'group 3': 500,
    'carrier Mobile': 467,
    'carrier Unicom': 467,
    'carrier Telecom': 466,
  })

  it('is of the group that is entirely lost, not of the carrier with more lost devices', () => {
    // 400 + 400 are lost, 266 of them at each carrier.
    const lost = [...lose(400, 1), ...lose(200, 2), ...lose(200, 3)]
    expect(notified(lost, all)).toEqual([
      ['group', 'G1', 400],
      ['rule', '', 400],
    ])
  })

  it('is of the carrier that is lost in every group', () => {
    const lost = [...lose(150, 1, ['Mobile']), ...lose(160, 2, ['Mobile']), ...lose(150, 3, ['Mobile'])]
    expect(notified(lost, all)).toEqual([['carrier', 'Mobile', 460]])
  })

  it('is of a group with a much higher share lost than elsewhere, though not all', () => {
    expect(notified([...lose(200, 1), ...lose(4, 2)], all)).toEqual([['group', 'G1', 200]])
  })

  it('of a few devices is named by what they share, however common that is', () => {
    expect(notified(lose(6, 1, [null]), fleet(6000, { 'group 1': 6000 }))).toEqual([['group', 'G1', 6]])
    expect(notified(lose(4, 1), all)).toEqual([])
    expect(notified(lose(40, 1, [null]), fleet(100, { 'group 1': 100 }))).toEqual([['group', 'G1', 40]])
  })
})
