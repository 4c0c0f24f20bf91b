import { expect, it } from 'vitest'
import { TILE } from './map-labels.ts'
import { fitWindow, type Point } from './map-window.ts'

const size = { width: 1000, height: 600 }

it.each<[string, Point[]]>([
  ['one place', [[0.8, 0.4]]],
  [
    'places of one country',
    [
      [0.76, 0.41],
      [0.84, 0.38],
      [0.8, 0.43],
    ],
  ],
  [
    'places of the whole world',
    [
      [0.1, 0.3],
      [0.95, 0.6],
    ],
  ],
])('%s are inside, and the tiles leave no pixel of the map free', (_, places) => {
  const view = fitWindow(places, size)
  for (const [x, y] of places.map(view.toPixels)) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(size.width)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(size.height)
  }
  const tiles = view.tiles()
  const covered = (x: number, y: number) =>
    tiles.some(
      ({ left, top, scale }) => x >= left && x < left + TILE * scale && y >= top && y < top + TILE * scale,
    )
  for (let x = 1; x < size.width; x += 50) expect(covered(x, size.height / 2)).toBe(true)
  for (const { scale } of tiles) {
    // Names are at least as large as on the map of the home page, and at most twice.
    expect(scale).toBeGreaterThanOrEqual(1)
    expect(scale).toBeLessThan(2)
  }
})

it('places far from north to south are inside of a wide window, too', () => {
  const wide = { width: 1400, height: 250 }
  // Oslo and Sydney.
  const places: Point[] = [
    [0.53, 0.29],
    [0.92, 0.6],
  ]
  const view = fitWindow(places, wide)
  for (const [x, y] of places.map(view.toPixels)) {
    expect(x).toBeGreaterThan(0)
    expect(x).toBeLessThan(wide.width)
    expect(y).toBeGreaterThan(0)
    expect(y).toBeLessThan(wide.height)
  }
  const last = Math.max(...view.tiles().map(({ left, scale }) => left + TILE * scale))
  expect(last).toBeGreaterThanOrEqual(wide.width)
})

it('a place is at the same pixel of its tile and of the window', () => {
  const place: Point = [0.8123, 0.4321]
  const view = fitWindow([place], size)
  const [x, y] = view.toPixels(place)
  const under = view
    .tiles()
    .find(
      (tile) =>
        tile.x === Math.floor(place[0] * 2 ** tile.zoom) && tile.y === Math.floor(place[1] * 2 ** tile.zoom),
    )
  expect(under).toBeDefined()
  const { zoom = 0, left = 0, top = 0, scale = 0 } = under ?? {}
  expect(left + ((place[0] * 2 ** zoom) % 1) * TILE * scale).toBeCloseTo(x, 6)
  expect(top + ((place[1] * 2 ** zoom) % 1) * TILE * scale).toBeCloseTo(y, 6)
})

it('the world begins again east of the date line', () => {
  const view = fitWindow([[0.999, 0.5]], size)
  const { zoom = 0 } = view.tiles()[0] ?? {}
  expect(new Set(view.tiles().map(({ x }) => x))).toContain(0)
  for (const { x } of view.tiles()) expect(x).toBeLessThan(2 ** zoom)
})
