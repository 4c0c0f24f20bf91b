/** The view of a map as text for the URL: latitude, longitude, zoom. */
import { MAP_CENTRE, MAP_ZOOM } from '#schema/device/device-map'

export type View = { latitude: number; longitude: number; zoom: number }
export const FIRST_VIEW: View = { ...MAP_CENTRE, zoom: MAP_ZOOM.first }

/** Decimal places of a degree: about a metre. */
const DIGITS = 5
const plain = (degrees: number) => String(Number(degrees.toFixed(DIGITS)))

/** null: the initial view, which is not stored. */
export function viewText({ latitude, longitude, zoom }: View): string | null {
  const text = [plain(latitude), plain(longitude), zoom].join(',')
  const first = [FIRST_VIEW.latitude, FIRST_VIEW.longitude, FIRST_VIEW.zoom].join(',')
  return text === first ? null : text
}

/** null: not a valid view. */
export function viewOf(text: string): View | null {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = numbers
  const fits =
    numbers.length === 3 &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 360 &&
    Number.isInteger(zoom) &&
    zoom >= MAP_ZOOM.least &&
    zoom <= MAP_ZOOM.most
  return fits ? { latitude, longitude, zoom } : null
}
