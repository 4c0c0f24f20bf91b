/** A window onto the world that fits given places at any scale, and the tiles of the base layer that are under it. */
import { MAP_ZOOM } from '#schema/device/device-map'
import { TILE } from './map-labels.ts'

/** In Mercator units: 0 to 1 from west to east and from north to south. */
export type Point = readonly [x: number, y: number]
export type Size = { width: number; height: number }
/** A tile, the pixel of the window where its upper left corner is, and how much larger than its own pixels it is drawn. */
export type WindowTile = { zoom: number; x: number; y: number; left: number; top: number; scale: number }

/** Part of the world's width that is shown at least: a single place still has cities around it. */
const SPAN_MIN = 0.02
/** How much more than the places is shown, so that none is at the edge. */
const MARGIN = 1.3

function ends(points: readonly Point[], axis: 0 | 1) {
  const all = points.map((point) => point[axis])
  return [Math.min(...all), Math.max(...all)] as const
}

/** @param points at least one */
export function fitWindow(points: readonly Point[], { width, height }: Size) {
  const [[west, east], [north, south]] = [ends(points, 0), ends(points, 1)]
  // Once round the world shows all from west to east; from north to south a wide window shows it more than once for that.
  const across = Math.min(1, (east - west) * MARGIN)
  const span = Math.max(SPAN_MIN, across, ((south - north) * MARGIN * width) / height)
  /** Pixels of the whole world's width. */
  const world = width / span
  const left = ((west + east) / 2) * world - width / 2
  const top = ((north + south) / 2) * world - height / 2
  const toPixels = ([x, y]: Point): Point => [x * world - left, y * world - top]

  function tiles(): WindowTile[] {
    const zoom = Math.max(0, Math.min(MAP_ZOOM.most, Math.floor(Math.log2(world / TILE))))
    const count = 2 ** zoom
    const scale = world / TILE / count
    const size = TILE * scale
    const found: WindowTile[] = []
    for (let row = Math.max(0, Math.floor(top / size)); row < count && row * size < top + height; row++)
      for (let column = Math.floor(left / size); column * size < left + width; column++)
        found.push({
          zoom,
          // East of the date line the world begins again.
          x: ((column % count) + count) % count,
          y: row,
          left: column * size - left,
          top: row * size - top,
          scale,
        })
    return found
  }
  return { toPixels, tiles }
}
