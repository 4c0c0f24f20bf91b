import { expect, it } from 'vitest'
import { landTiles, projectRing } from './map-land.ts'

const square = projectRing([
  [-90, 60],
  [90, 60],
  [90, -60],
  [-90, -60],
])
const tiles = landTiles([square])

it('projects the middle of the world to the middle of the map', () => {
  const [x, y] = projectRing([[0, 0]])
  expect([x, y]).toEqual([0.5, 0.5])
})

it('a tile inside the land is all land, its margin included', () => {
  const [ring] = tiles(3, 4, 3)
  expect(ring).toBeDefined()
  expect(Math.min(...(ring ?? []))).toBeCloseTo(-0.02)
  expect(Math.max(...(ring ?? []))).toBeCloseTo(1.02)
})

it('a tile in the sea is empty, one at the coast holds a part', () => {
  expect(tiles(3, 0, 3)).toEqual([])
  // The land begins at a quarter of the map's width: the left edge of the third of eight tiles.
  const [ring = new Float32Array()] = tiles(2, 1, 1)
  const xs = [...ring].filter((_, i) => i % 2 === 0)
  expect(Math.min(...xs)).toBeCloseTo(0)
  expect(Math.max(...xs)).toBeCloseTo(1.02)
})

it('stays small however deep the zoom', () => {
  for (const ring of tiles(18, 131_072, 131_071)) expect(ring.length).toBeLessThanOrEqual(16)
})
