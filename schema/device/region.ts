/** A region of the map that selects devices: a rectangle or a polygon, as text, so that it fits into an address. */
import { z } from 'zod'
import { because } from '../kit/fault.ts'

/** Degrees, WGS-84. */
export type Corner = { longitude: number; latitude: number }
/** Three corners or more; the last is connected to the first. */
export type Region = readonly Corner[]

export const CORNERS_MAX = 64
const CORNERS_LEAST = 3
/** Decimal places of a degree: about ten metres. */
const DIGITS = 4

const plain = (degrees: number) => String(Number(degrees.toFixed(DIGITS)))
export const regionText = (region: Region): string =>
  region.map(({ longitude, latitude }) => `${plain(longitude)},${plain(latitude)}`).join(' ')

/** null: not a region. */
export function regionOf(text: string): Region | null {
  const corners = text
    .split(' ')
    .map((corner) => corner.split(',').map((part) => (part === '' ? Number.NaN : Number(part))))
  const fits =
    corners.length >= CORNERS_LEAST &&
    corners.length <= CORNERS_MAX &&
    corners.every(
      ([longitude = Number.NaN, latitude = Number.NaN, more]) =>
        more === undefined && Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90,
    )
  return fits ? corners.map(([longitude = 0, latitude = 0]) => ({ longitude, latitude })) : null
}

/** From two opposite corners. */
export function rectangle(a: Corner, b: Corner): Region {
  const [west, east] = [Math.min(a.longitude, b.longitude), Math.max(a.longitude, b.longitude)]
  const [south, north] = [Math.min(a.latitude, b.latitude), Math.max(a.latitude, b.latitude)]
  return [
    { longitude: west, latitude: north },
    { longitude: east, latitude: north },
    { longitude: east, latitude: south },
    { longitude: west, latitude: south },
  ]
}

/** Whether a position is inside, by the even-odd rule. */
export function isInside(region: Region, { longitude, latitude }: Corner): boolean {
  let inside = false
  for (const [i, a] of region.entries()) {
    const b = region[(i + region.length - 1) % region.length] ?? a
    if (a.latitude > latitude === b.latitude > latitude) continue
    const crossing =
      a.longitude + ((latitude - a.latitude) / (b.latitude - a.latitude)) * (b.longitude - a.longitude)
    if (longitude < crossing) inside = !inside
  }
  return inside
}

export const region = z
  .string()
  .max(CORNERS_MAX * 20)
  .refine((text) => regionOf(text) !== null, because({ reason: 'format', shape: 'region' }))
  .describe(
    'devices positioned inside a region of the map: its corners as "longitude,latitude", separated by spaces',
  )
