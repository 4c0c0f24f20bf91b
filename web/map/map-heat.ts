/** Where the signal is weak, as a smooth layer: tiles of a quarter of the resolution, computed in the map's worker. */
import { type Datum, toMap } from './map-datum.ts'
import { TILE } from './map-labels.ts'
import { projectRing, type Ring } from './map-land.ts'

/** Cells of a tile per side: the browser smooths what is between. */
export const HEAT_CELLS = 64
const BLUR = 3
const PASSES = 3
/** What a tile needs of its neighbours so that no edge is visible. */
const MARGIN = BLUR * PASSES + 1
const SIDE = HEAT_CELLS + 2 * MARGIN
const CELL = TILE / HEAT_CELLS
/** Below it devices barely stay connected: the weight is 1. */
const WORST_DBM = -110
/** How much of the weight of one device at the centre of its own spot is full heat. */
const FULL = 0.008
const ALPHA_MAX = 200
/** From little to much; the colours are those of a warning and of a critical alarm. */
const COOL = [244, 177, 63] as const
const HOT = [196, 30, 42] as const

export type WeakPoints = { longitudes: number[]; latitudes: number[]; dbm: number[] }

/** 0.2 where a signal begins to be poor, 1 where devices barely stay connected. */
export const weakness = (dbm: number, poorDbm: number) =>
  0.2 + 0.8 * Math.min(1, Math.max(0, (poorDbm - dbm) / (poorDbm - WORST_DBM)))

let places: Ring = new Float64Array()
let weights = new Float64Array()

/** Positions in degrees. @param poorDbm below it a signal is poor. */
export function loadHeat({ longitudes, latitudes, dbm }: WeakPoints, datum: Datum, poorDbm: number): void {
  const drawn = longitudes.map((longitude, i) => toMap({ longitude, latitude: latitudes[i] ?? 0 }, datum))
  places = projectRing(drawn.map(({ longitude, latitude }) => [longitude, latitude]))
  weights = Float64Array.from(dbm, (value) => weakness(value, poorDbm))
}

/** One running mean along rows or columns. */
function blur(from: Float64Array, to: Float64Array, step: number, line: number) {
  for (let i = 0; i < SIDE; i++) {
    let sum = 0
    for (let j = -BLUR; j < SIDE; j++) {
      if (j + BLUR < SIDE) sum += from[i * line + (j + BLUR) * step] ?? 0
      if (j - BLUR - 1 >= 0) sum -= from[i * line + (j - BLUR - 1) * step] ?? 0
      if (j >= 0) to[i * line + j * step] = sum / (2 * BLUR + 1)
    }
  }
}

/** Pixels of a tile, 4 bytes each; null if there is no weak signal in it. */
export function heatTile(zoom: number, x: number, y: number): Uint8ClampedArray<ArrayBuffer> | null {
  const scale = (TILE * 2 ** zoom) / CELL
  const heat = new Float64Array(SIDE * SIDE)
  let any = false
  for (let i = 0; i < weights.length; i++) {
    const column = Math.floor((places[i * 2] ?? 0) * scale - x * HEAT_CELLS + MARGIN)
    const row = Math.floor((places[i * 2 + 1] ?? 0) * scale - y * HEAT_CELLS + MARGIN)
    if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) continue
    const at = row * SIDE + column
    heat[at] = (heat[at] ?? 0) + (weights[i] ?? 0)
    any = true
  }
  if (!any) return null
  const spare = new Float64Array(SIDE * SIDE)
  for (let pass = 0; pass < PASSES; pass++) {
    blur(heat, spare, 1, SIDE)
    blur(spare, heat, SIDE, 1)
  }
  const pixels = new Uint8ClampedArray(HEAT_CELLS * HEAT_CELLS * 4)
  for (let row = 0; row < HEAT_CELLS; row++)
    for (let column = 0; column < HEAT_CELLS; column++) {
      const value = heat[(row + MARGIN) * SIDE + column + MARGIN] ?? 0
      const share = 1 - Math.exp(-value / FULL)
      const at = (row * HEAT_CELLS + column) * 4
      for (let c = 0; c < 3; c++) pixels[at + c] = (COOL[c] ?? 0) + ((HOT[c] ?? 0) - (COOL[c] ?? 0)) * share
      pixels[at + 3] = share * ALPHA_MAX
    }
  return pixels
}
