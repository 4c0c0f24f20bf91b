import { describe, expect, it } from 'vitest'
import {
  freePlace,
  inReading,
  layoutFault,
  overlaps,
  PANEL_COLUMNS,
  PANEL_ROWS,
  type Placed,
  placed,
  snapped,
} from './panel-layout.ts'

const at = (key: string, x: number, y: number, w = 4, h = 3): Placed => ({ key, x, y, w, h })
const spots = (list: readonly Placed[] | null) => list?.map(({ key, x, y }) => `${key} ${x},${y}`)

describe('a widget that is moved', () => {
  const list = [at('a', 0, 0), at('b', 4, 0), at('c', 0, 3)]

  it('pushes down widgets that it would cover, recursively', () => {
    expect(spots(placed(list, 'b', at('b', 0, 0)))).toEqual(['a 0,3', 'b 0,0', 'c 0,6'])
  })

  it('does not move other widgets', () => {
    expect(spots(placed(list, 'a', at('a', 10, 10)))).toEqual(['a 10,10', 'b 4,0', 'c 0,3'])
  })

  it('does not push others out of the grid', () => {
    const full = [at('a', 0, 0), at('b', 0, PANEL_ROWS - 3)]
    expect(placed(full, 'a', at('a', 0, PANEL_ROWS - 4))).toBeNull()
  })

  it('never covers another one, whatever is moved where', () => {
    let random = 7
    const next = (most: number) => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return random % most
    }
    let all: Placed[] = Array.from({ length: 12 }, (_, i) => at(`w${i}`, (i % 6) * 4, Math.floor(i / 6) * 3))
    for (let i = 0; i < 300; i++) {
      const one = all[next(all.length)] ?? at('', 0, 0)
      const to = snapped({ x: next(30) - 3, y: next(20) - 3, w: 2 + next(12), h: 2 + next(8) }, 'figure')
      all = placed(all, one.key, to) ?? all
      for (const [n, a] of all.entries())
        for (const b of all.slice(n + 1)) expect(overlaps(a, b), `${a.key} ${b.key}`).toBe(false)
    }
  })
})

it('a place is whole, inside the grid and not smaller than its kind', () => {
  expect(snapped({ x: -2.4, y: 3.4, w: 1, h: 0 }, 'gauge')).toEqual({ x: 0, y: 3, w: 3, h: 3 })
  expect(snapped({ x: 23, y: 500, w: 40, h: 4 }, 'figure')).toEqual({
    x: 0,
    y: PANEL_ROWS - 4,
    w: PANEL_COLUMNS,
    h: 4,
  })
})

it('a new widget takes the first free place from the top', () => {
  expect(freePlace([at('a', 0, 0, 22, 3)], { w: 4, h: 3 })).toEqual({ x: 0, y: 3, w: 4, h: 3 })
  expect(freePlace([at('a', 0, 0, 24, PANEL_ROWS)], { w: 2, h: 2 })).toBeNull()
})

it('on a phone they are in reading order', () => {
  expect(inReading([at('c', 0, 3), at('b', 4, 0), at('a', 0, 0)]).map(({ key }) => key)).toEqual([
    'a',
    'b',
    'c',
  ])
})

it.each([
  [[at('a', 0, 0), at('a', 8, 8)], 'twice'],
  [[at('a', 0, 0), at('b', 3, 2)], 'overlap'],
  [[at('a', 22, 0)], 'misfit'],
  [[at('a', 0, PANEL_ROWS - 1)], 'misfit'],
  [[at('a', 0, 0, 1, 1)], 'misfit'],
] as const)('of %o the fault is %s', (list, fault) => {
  const widgets = list.map((one) => ({ ...one, kind: 'figure' as const, variables: [] }))
  expect(layoutFault(widgets)?.fault).toBe(fault)
})

it('a figure of two variables does not fit, a table of two does', () => {
  const of = (kind: 'figure' | 'table') => layoutFault([{ ...at('a', 0, 0), kind, variables: [1, 2] }])
  expect([of('figure')?.fault, of('table')]).toEqual(['misfit', null])
})
