/**
 * Coastlines, waters and lines clipped to map tiles. Each tile is clipped from its parent, so that deep zooms stay
 * cheap.
 */

/** Points in Mercator units: x and y from 0 to 1, one after the other. A ring is closed, a line is not. */
export type Ring = Float64Array
/** Limit of the Mercator projection. */
const LATITUDE_MAX = 85.0511287798
/** Margin around a tile that is drawn as well, so that its edges are invisible. */
const MARGIN = 0.02
const KEPT_TILES = 2_000

type Box = { west: number; north: number; east: number; south: number }

export function projectRing(points: readonly (readonly number[])[]): Ring {
  const ring = new Float64Array(points.length * 2)
  points.forEach(([longitude = 0, latitude = 0], i) => {
    const sine = Math.sin((Math.max(-LATITUDE_MAX, Math.min(LATITUDE_MAX, latitude)) * Math.PI) / 180)
    ring[i * 2] = longitude / 360 + 0.5
    ring[i * 2 + 1] = 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI
  })
  return ring
}

/** Sutherland–Hodgman against one side: keeps the part with `sign` × coordinate ≥ `sign` × `at`. */
function cut(ring: Ring, axis: 0 | 1, at: number, sign: 1 | -1): Ring {
  const out: number[] = []
  const count = ring.length / 2
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = [ring[i * 2], ring[i * 2 + 1], ring[j * 2], ring[j * 2 + 1]]
    const [a, b] = axis === 0 ? [x1, x2] : [y1, y2]
    const inside = sign * (a - at) >= 0
    if (inside) out.push(x1, y1)
    if (inside === sign * (b - at) >= 0) continue
    const share = (at - a) / (b - a)
    if (axis === 0) out.push(at, y1 + (y2 - y1) * share)
    else out.push(x1 + (x2 - x1) * share, at)
  }
  return Float64Array.from(out)
}

function clipRing(ring: Ring, { west, north, east, south }: Box): Ring[] {
  const sides = [
    [0, west, 1],
    [0, east, -1],
    [1, north, 1],
    [1, south, -1],
  ] as const
  let part = ring
  for (const [axis, at, sign] of sides) {
    if (part.length < 6) return []
    part = cut(part, axis, at, sign)
  }
  return part.length >= 6 ? [part] : []
}

/** The runs of segments that may touch the box; the canvas cuts off what is outside. */
function clipLine(line: Ring, { west, north, east, south }: Box): Ring[] {
  const runs: Ring[] = []
  let run: number[] = []
  for (let i = 0; i + 3 < line.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = line.subarray(i, i + 4)
    const touches =
      Math.max(x1, x2) >= west &&
      Math.min(x1, x2) <= east &&
      Math.max(y1, y2) >= north &&
      Math.min(y1, y2) <= south
    if (touches) {
      if (run.length === 0) run.push(x1, y1)
      run.push(x2, y2)
    } else if (run.length > 0) {
      runs.push(Float64Array.from(run))
      run = []
    }
  }
  if (run.length > 0) runs.push(Float64Array.from(run))
  return runs
}

/** Returns a tile's shapes in its own units: 0 to 1 from its upper left corner. */
function tilesOf(shapes: readonly Ring[], clip: (shape: Ring, box: Box) => Ring[]) {
  const known = new Map<string, Ring[]>()
  function tile(zoom: number, x: number, y: number): Ring[] {
    if (zoom === 0) return [...shapes]
    const key = `${zoom}/${x}/${y}`
    const found = known.get(key)
    if (found) return found
    const size = 2 ** -zoom
    const edge = size * MARGIN
    const box = {
      west: x * size - edge,
      north: y * size - edge,
      east: (x + 1) * size + edge,
      south: (y + 1) * size + edge,
    }
    const made = tile(zoom - 1, x >> 1, y >> 1).flatMap((shape) => clip(shape, box))
    if (known.size >= KEPT_TILES) known.delete(known.keys().next().value ?? '')
    known.set(key, made)
    return made
  }
  return (zoom: number, x: number, y: number): Float32Array[] => {
    const scale = 2 ** zoom
    return tile(zoom, x, y).map((shape) =>
      Float32Array.from(shape, (value, i) => value * scale - (i % 2 === 0 ? x : y)),
    )
  }
}
export type Tiles = ReturnType<typeof tilesOf>

export const landTiles = (rings: readonly Ring[]): Tiles => tilesOf(rings, clipRing)
export const lineTiles = (lines: readonly Ring[]): Tiles => tilesOf(lines, clipLine)
