/** The expensive part of the map, off the main thread: clusters of up to 100,000 points, and tiles of the base layer. */
import Supercluster from 'supercluster'
import { baseTile, loadBase } from './map-base.ts'
import { type Datum, toMap } from './map-datum.ts'

/** Pixels that one marker needs. */
const RADIUS = 64
const MAX_ZOOM = 20

export type Points = {
  ids: Int32Array
  /** Degrees. */
  longitudes: Float64Array
  latitudes: Float64Array
  online: Uint8Array
}
export type Frame = { west: number; south: number; east: number; north: number }
/** A single device (`count` 1, `id` its own), or a cluster. */
export type Mark = { id: number; count: number; online: number; longitude: number; latitude: number }

type Props = { id: number; online: number }
type Sums = { online: number }
let clusters: Supercluster<Props, Sums> | null = null

function load(points: Points, datum: Datum): number {
  const made = new Supercluster<Props, Sums>({
    radius: RADIUS,
    maxZoom: MAX_ZOOM,
    map: ({ online }) => ({ online }),
    reduce: (sums, { online }) => {
      sums.online += online
    },
  })
  const features: Parameters<typeof made.load>[0] = []
  for (let i = 0; i < points.ids.length; i++) {
    const place = toMap({ longitude: points.longitudes[i] ?? 0, latitude: points.latitudes[i] ?? 0 }, datum)
    features.push({
      type: 'Feature',
      properties: { id: points.ids[i] ?? 0, online: points.online[i] ?? 0 },
      geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    })
  }
  clusters = made.load(features)
  return features.length
}

function marks(frame: Frame, zoom: number): Mark[] {
  const found = clusters?.getClusters([frame.west, frame.south, frame.east, frame.north], zoom) ?? []
  return found.map(({ properties, geometry }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    return 'cluster_id' in properties
      ? {
          id: properties.cluster_id as number,
          count: properties.point_count as number,
          online: properties.online,
          longitude,
          latitude,
        }
      : { id: (properties as Props).id, count: 1, online: properties.online, longitude, latitude }
  })
}

/** The zoom at which a cluster splits; null: never, its devices have the same position. */
function opensAt(cluster: number): number | null {
  const zoom = clusters?.getClusterExpansionZoom(cluster) ?? MAX_ZOOM
  return zoom > MAX_ZOOM ? null : zoom
}

const members = (cluster: number, limit: number): number[] =>
  (clusters?.getLeaves(cluster, limit) ?? []).map(({ properties }) => properties.id)

/** The first devices within the frame, up to `limit`. */
function within(frame: Frame, zoom: number, limit: number): { ids: number[]; total: number } {
  const ids: number[] = []
  let total = 0
  for (const mark of marks(frame, zoom)) {
    total += mark.count
    if (ids.length >= limit) continue
    if (mark.count === 1) ids.push(mark.id)
    else ids.push(...members(mark.id, limit - ids.length))
  }
  return { ids, total }
}

const methods = { load, marks, opensAt, members, within, loadBase, baseTile }
export type Methods = typeof methods
export type Asked = { turn: number; method: keyof Methods; args: unknown[] }
export type Answered = { turn: number; result?: unknown; error?: string }

self.onmessage = async ({ data: { turn, method, args } }: MessageEvent<Asked>) => {
  const answer = (message: Answered) => self.postMessage(message)
  try {
    answer({ turn, result: await (methods[method] as (...given: unknown[]) => unknown)(...args) })
  } catch (error) {
    answer({ turn, error: String(error) })
  }
}
