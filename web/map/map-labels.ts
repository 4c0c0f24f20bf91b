/**
 * Where the names of countries and cities stand at each zoom. Placement is computed for the whole world and not for the
 * window, so that no name moves or disappears while the map is moved; what is shown at a zoom stays at the next one.
 */
import { projectRing } from './map-land.ts'

export const TILE = 256
/** Above a city's own zoom, countries are no landmarks any more. */
const COUNTRY_UNTIL = 7
/** Free pixels around each name. */
const GAP = 5
const CELL = 128
const HALF_LINE = 8
/** From the point of a city to its name. */
export const CITY_OFFSET = 7

export type Place = { name: string; longitude: number; latitude: number; from: number; country: boolean }
/** Pixels from the upper left corner of the tile: of a country its middle, of a city its point and where its name begins. */
export type TileLabel = { name: string; x: number; y: number; country: boolean; text: number }
/** `text`: where the name of a city begins, if not beside its point. */
type Placed = { place: Place; x: number; y: number; text?: number }
/** A marker on the map, in pixels of the whole map. */
export type Covering = { x: number; y: number; radius: number }

/** Estimated rather than measured, so that placement does not depend on fonts; generous, so that nothing overlaps. */
export function widthOf(name: string, country: boolean): number {
  let em = 0
  for (const sign of name)
    em += (sign.codePointAt(0) ?? 0) > 0x2e7f ? 1 : /[A-ZÀ-ÞMWmw]/.test(sign) ? 0.76 : 0.58
  return em * (country ? 14 : 12) + (country ? name.length : 0)
}

type Box = readonly [west: number, north: number, east: number, south: number]
export function boxOf({ place, x, y, text = x + CITY_OFFSET }: Placed): Box {
  const width = widthOf(place.name, place.country)
  return place.country
    ? [x - width / 2 - GAP, y - HALF_LINE - GAP, x + width / 2 + GAP, y + HALF_LINE + GAP]
    : [Math.min(text, x - 4) - GAP, y - HALF_LINE - GAP, text + width + GAP, y + HALF_LINE + GAP]
}

/** Whether the name is inside the window, or outside of it: not cut by its edge. Both in pixels of the tile. */
export function isWhole({ name, country, x, y, text }: TileLabel, window: Box): boolean {
  const width = widthOf(name, country)
  const [west, east] = country ? [x - width / 2, x + width / 2] : [Math.min(text, x - 4), text + width]
  const box: Box = [west, y - HALF_LINE, east, y + HALF_LINE]
  const inside = box[0] >= window[0] && box[1] >= window[1] && box[2] <= window[2] && box[3] <= window[3]
  return inside || !overlap(box, window)
}

const overlap = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]

function* cellsOf([west, north, east, south]: Box, size: number) {
  for (let row = Math.floor(north / size); row <= Math.floor(south / size); row++)
    for (let column = Math.floor(west / size); column <= Math.floor(east / size); column++)
      yield [column, row] as const
}

/** @param places the more important, the earlier. */
export function openLabels(places: readonly Place[], first = 3) {
  const at = projectRing(places.map(({ longitude, latitude }) => [longitude, latitude]))
  const zooms = new Map<number, number[]>()
  const tiles = new Map<number, Map<string, Placed[]>>()

  const placedAt = (i: number, zoom: number): Placed => ({
    place: places[i] as Place,
    x: (at[i * 2] ?? 0) * TILE * 2 ** zoom,
    y: (at[i * 2 + 1] ?? 0) * TILE * 2 ** zoom,
  })

  /** Indices of what is shown at a zoom. */
  function shown(zoom: number): number[] {
    if (zoom < first) return []
    const known = zooms.get(zoom)
    if (known) return known
    const taken = new Map<string, Box[]>()
    const kept: number[] = []
    const isThere = new Set<number>()
    const tryAt = (i: number) => {
      const box = boxOf(placedAt(i, zoom))
      const cells = [...cellsOf(box, CELL)].map(([column, row]) => `${column}/${row}`)
      if (cells.some((cell) => taken.get(cell)?.some((other) => overlap(other, box)))) return
      for (const cell of cells) taken.set(cell, [...(taken.get(cell) ?? []), box])
      isThere.add(i)
      kept.push(i)
    }
    const ends = (i: number) => places[i]?.country === true && zoom > COUNTRY_UNTIL
    for (const i of shown(zoom - 1)) if (!ends(i)) tryAt(i)
    for (const [i, { from }] of places.entries()) if (from <= zoom && !isThere.has(i) && !ends(i)) tryAt(i)
    zooms.set(zoom, kept)
    return kept
  }

  function tilesAt(zoom: number): Map<string, Placed[]> {
    const known = tiles.get(zoom)
    if (known) return known
    const made = new Map<string, Placed[]>()
    for (const i of shown(zoom)) {
      const placed = placedAt(i, zoom)
      for (const [column, row] of cellsOf(boxOf(placed), TILE)) {
        const key = `${column}/${row}`
        made.set(key, [...(made.get(key) ?? []), placed])
      }
    }
    tiles.set(zoom, made)
    return made
  }

  /** Right or left of the marker that covers the name's beginning; null: there is no room for it. */
  function beside(placed: Placed, covering: readonly Covering[], zoom: number): Placed | null {
    const { place, x, y } = placed
    if (place.country) return placed
    const over = covering.filter(
      (mark) =>
        Math.abs(mark.y - y) < mark.radius + HALF_LINE &&
        mark.x + mark.radius > x - 4 &&
        mark.x - mark.radius < x + CITY_OFFSET,
    )
    if (over.length === 0) return placed
    const width = widthOf(place.name, false)
    const right = Math.max(...over.map((mark) => mark.x + mark.radius)) + GAP
    const left = Math.min(...over.map((mark) => mark.x - mark.radius)) - GAP - width
    for (const text of [right, left]) {
      const moved = { ...placed, text }
      const box: Box = [text, y - HALF_LINE, text + width, y + HALF_LINE]
      const isFree =
        !covering.some((mark) =>
          overlap(box, [
            mark.x - mark.radius,
            mark.y - mark.radius,
            mark.x + mark.radius,
            mark.y + mark.radius,
          ]),
        ) &&
        ![...cellsOf(box, TILE)].some(([column, row]) =>
          tilesAt(zoom)
            .get(`${column}/${row}`)
            ?.some((other) => other.place !== place && overlap(box, boxOf(other))),
        )
      if (isFree) return moved
    }
    return null
  }

  return {
    /** All names at a zoom, in pixels of the whole map. */
    placed: (zoom: number): Placed[] => shown(zoom).map((i) => placedAt(i, zoom)),
    /** Names that a tile shows a part of; `covering` are the markers on it and on the tiles around it. */
    tile(zoom: number, x: number, y: number, covering: readonly Covering[] = []): TileLabel[] {
      const around = [-1, 0, 1].flatMap((step) => tilesAt(zoom).get(`${x + step}/${y}`) ?? [])
      const frame: Box = [x * TILE, y * TILE, (x + 1) * TILE, (y + 1) * TILE]
      return [...new Map(around.map((placed) => [placed.place, placed])).values()]
        .flatMap((placed) => beside(placed, covering, zoom) ?? [])
        .filter((placed) => overlap(boxOf(placed), frame))
        .map(({ place, x: px, y: py, text = px + CITY_OFFSET }) => ({
          name: place.name,
          country: place.country,
          x: px - x * TILE,
          y: py - y * TILE,
          text: text - x * TILE,
        }))
    },
  }
}
