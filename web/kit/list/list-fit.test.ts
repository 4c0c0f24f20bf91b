import { expect, it } from 'vitest'
import { actionsPx, drawn, fitting, iconsFor, widened } from './list-fit.ts'

const columns = [
  { key: 'state', width: 110, pinned: 'left' as const },
  { key: 'name', width: 150, pinned: 'left' as const },
  { key: 'sn', width: 140 },
  { key: 'model', width: 80 },
  { key: 'note' },
  { key: 'ip', width: 120 },
]
const keys = (room: number) => fitting(columns, room).map(({ key }) => key)

it.each([
  [2000, ['state', 'name', 'sn', 'model', 'note', 'ip']],
  [719, ['state', 'name', 'sn', 'model', 'note']],
  [604, ['state', 'name', 'sn', 'model', 'note']],
  // The borders do not fit.
  [603, ['state', 'name', 'sn', 'model']],
  [500, ['state', 'name', 'sn', 'model']],
  [479, ['state', 'name', 'sn']],
])('in %i px the last columns are hidden first: %j', (room, shown) => {
  expect(keys(room)).toEqual(shown)
})

it('keeps the pinned column and one more, however small the width is', () => {
  expect(keys(100)).toEqual(['state', 'name', 'sn'])
})

it('a state is hidden after the others', () => {
  const stated = [...columns, { key: 'synced', width: 110, card: 'beside' as const }]
  const names = (room: number) => fitting(stated, room).map(({ key }) => key)
  expect(names(600)).toEqual(['state', 'name', 'sn', 'model', 'synced'])
  expect(names(400)).toEqual(['state', 'name', 'synced'])
})

it.each([
  [400, 150],
  [450, 196],
  [5000, 420],
])('in %i px the title is %i px wide: it gets what the others and the borders leave', (room, width) => {
  const titled = columns.slice(0, 3).map((one) => (one.key === 'name' ? { ...one, card: 'title' } : one))
  expect(widened(titled, room).map((one) => one.width)).toEqual([110, width, 140])
})

it.each([
  [404, [110, 150, 140]],
  [600, [110, 150, 336]],
  [900, [110, 266, 520]],
  [5000, [110, 420, 520]],
])('in %i px prose gets what is left before the title does: %j', (room, widths) => {
  const written = columns
    .slice(0, 3)
    .map((one) =>
      one.key === 'name' ? { ...one, card: 'title' } : one.key === 'sn' ? { ...one, prose: true } : one,
    )
  expect(widened(written, room).map(({ width }) => width)).toEqual(widths)
})

it('columns of prose share what is left', () => {
  const written = columns.slice(0, 3).map((one) => ({ ...one, prose: one.key !== 'state' }))
  expect(widened(written, 504).map(({ width }) => width)).toEqual([110, 200, 190])
})

it('keeps all columns while the width is unknown', () => {
  expect(keys(0)).toHaveLength(6)
})

const sized = [
  { key: 'state', width: 100, pinned: 'left' as const },
  { key: 'name', width: 150, pinned: 'left' as const, card: 'title' },
  { key: 'sn', width: 120 },
  { key: 'group', width: 90 },
]
const SUM = 460
const room = (left: number) => SUM + 4 + left
const natural = (px: Record<string, number>, ...estimated: string[]) =>
  new Map(Object.entries(px).map(([key, one]) => [key, { px: one, exact: !estimated.includes(key) }]))

it.each([
  ['fits: the title gets what is left', 20, natural({ name: 140, sn: 100, group: 60 }), [100, 170, 120, 90]],
  [
    'a cut name takes what others do not need',
    0,
    natural({ name: 190, sn: 100, group: 60 }),
    [100, 190, 100, 70],
  ],
  ['no more than they can spare', 0, natural({ name: 400, sn: 100, group: 60 }), [100, 200, 100, 60]],
  ['a pinned column gives nothing', 0, natural({ state: 40, name: 190 }), [100, 150, 120, 90]],
  [
    'nor one whose content is not only text',
    0,
    natural({ name: 190, sn: 60, group: 60 }, 'sn'),
    [100, 180, 120, 60],
  ],
  [
    'what is left goes to a cut serial number before a name that fits',
    30,
    natural({ name: 140, sn: 140 }),
    [100, 160, 140, 90],
  ],
  ['a name comes first', 30, natural({ name: 170, sn: 140 }), [100, 170, 130, 90]],
  ['a sentence takes no more than its share', 500, natural({ name: 100, sn: 900 }), [100, 420, 300, 90]],
])('%s', (_, left, naturals, widths) => {
  expect(widened(sized, room(left), naturals).map(({ width }) => width)).toEqual(widths)
})

it('a number is whole before a name is: cut, it reads as another number', () => {
  const counted = sized.map((one) => (one.key === 'sn' ? { ...one, numeric: true } : one))
  const naturals = new Map([
    ['name', { px: 400, exact: false }],
    ['sn', { px: 180, exact: false }],
  ])
  expect(widened(counted, room(80), naturals).map(({ width }) => width)).toEqual([100, 170, 180, 90])
})

it('pinned columns are drawn first and last, wherever they are declared', () => {
  const declared = [
    { key: 'picture', width: 66 },
    { key: 'name', width: 150, pinned: 'left' as const },
    { key: 'end', width: 80, pinned: 'right' as const },
    { key: 'state', width: 105 },
  ]
  expect(drawn(declared).map(({ key }) => key)).toEqual(['name', 'picture', 'state', 'end'])
})

it('the column of actions is as wide as the row with the most needs, and never wider than two icons and the menu', () => {
  expect(actionsPx([1, 2, 1])).toBe(actionsPx([2]))
  expect(actionsPx([1])).toBeLessThan(actionsPx([2]))
  expect(actionsPx([3])).toBe(actionsPx([9]))
  // Rows are not known yet, or have no action now: no jump to nothing.
  expect(actionsPx([])).toBe(actionsPx([3]))
  expect(actionsPx([0])).toBe(actionsPx([1]))
})

it.each([
  // All columns take 720 px, their borders 4; two icons and the menu 104, an icon and the menu 74, the menu 44.
  [2000, 2],
  [828, 2],
  [827, 1],
  [797, 0],
  // Not even the menu alone makes room for a further column.
  [767, 2],
  [0, 2],
])('in %i px a row has %i icons: they give way to a column', (room, icons) => {
  expect(iconsFor(columns, room, [5, 3])).toBe(icons)
})

it('rows whose actions are all icons have no menu, and get none', () => {
  expect(iconsFor(columns, 780, [5, 3])).toBe(0)
  expect(iconsFor(columns, 780, [2, 1])).toBe(2)
})

it('in a wide list the icons stay, even if a column has no room', () => {
  const wide = [...columns, { key: 'place', width: 300 }]
  expect(iconsFor(wide, 1_090, [5])).toBe(2)
})
