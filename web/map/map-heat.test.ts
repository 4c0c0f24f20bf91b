import { beforeEach, expect, it } from 'vitest'
import { HEAT_CELLS, heatTile, loadHeat, weakness } from './map-heat.ts'

const opacity = (pixels: Uint8ClampedArray | null, column: number, row: number) =>
  pixels?.[(row * HEAT_CELLS + column) * 4 + 3] ?? 0

beforeEach(() => loadHeat({ longitudes: [0.1], latitudes: [-0.1], dbm: [-110] }, 'wgs84', -85))

it('is strongest where the device is, and fades', () => {
  const south = heatTile(8, 128, 128)
  const here = opacity(south, 4, 4)
  expect(here).toBeGreaterThan(100)
  expect(opacity(south, 8, 8)).toBeLessThan(here)
  expect(opacity(south, 40, 40)).toBe(0)
})

it('continues in the next tile without an edge', () => {
  const [east, west] = [heatTile(8, 128, 128), heatTile(8, 127, 128)]
  expect(opacity(west, HEAT_CELLS - 1, 4)).toBeGreaterThan(0)
  expect(Math.abs(opacity(west, HEAT_CELLS - 1, 4) - opacity(east, 0, 4))).toBeLessThan(60)
  expect(heatTile(8, 120, 128)).toBeNull()
})

it('a weaker signal is hotter', () => {
  expect(weakness(-86, -85)).toBeLessThan(weakness(-100, -85))
  expect(weakness(-110, -85)).toBe(1)
  expect(weakness(-140, -85)).toBe(1)
  const hot = opacity(heatTile(8, 128, 128), 4, 4)
  loadHeat({ longitudes: [0.1], latitudes: [-0.1], dbm: [-86] }, 'wgs84', -85)
  expect(opacity(heatTile(8, 128, 128), 4, 4)).toBeLessThan(hot)
})
