/** Clusters of up to 100,000 devices, with their states and alarms summed up. Runs in the map's worker. */
import Supercluster from 'supercluster'
import type { DeviceState } from '#schema/device/device-state'
import { type Datum, toMap } from './map-datum.ts'
import { type Covering, TILE } from './map-labels.ts'
import { projectRing } from './map-land.ts'

const SINGLE_PX = 26
/** The diameter of a marker in pixels: of a single device, or of a cluster. */
export const markSize = (count: number) => (count > 1 ? 34 + Math.min(26, Math.log10(count) * 7) : SINGLE_PX)
/** Pixels that one marker needs. */
const RADIUS = 64
const MAX_ZOOM = 20

export type Points = {
  ids: Int32Array
  /** Degrees. */
  longitudes: Float64Array
  latitudes: Float64Array
  /** Places in `deviceStates`. */
  states: Uint8Array
  /** 1 + the place in `severities` of the highest active alarm; 0: none. */
  alarms: Uint8Array
}
export type Frame = { west: number; south: number; east: number; north: number }
export type Counts = Record<DeviceState, number>
/** A single device (`count` 1, `id` its own), or a cluster. */
export type Mark = {
  id: number
  count: number
  states: Counts
  /** As in `Points`, of the worst of them. */
  alarm: number
  /** How many have active alarms. */
  alarmed: number
  longitude: number
  latitude: number
}

type Sums = Counts & { alarm: number; alarmed: number }
type Props = { id: number; state: number; alarm: number }

/** `deviceStates`, passed by the page: a worker that imported the declaration would carry all that it is made of. */
let names: readonly DeviceState[] = []
const countsOf = (count: (state: DeviceState) => number) =>
  Object.fromEntries(names.map((state) => [state, count(state)])) as Counts
const sumsOf = ({ state, alarm }: Props): Sums => ({
  ...countsOf((name) => (name === names[state] ? 1 : 0)),
  alarm,
  alarmed: alarm > 0 ? 1 : 0,
})
/** 0 is no alarm, 1 the worst. */
const worse = (a: number, b: number) => (a === 0 || b === 0 ? a + b : Math.min(a, b))

let clusters: Supercluster<Props, Sums> | null = null

export function load(points: Points, datum: Datum, states: readonly DeviceState[]): void {
  names = states
  const made = new Supercluster<Props, Sums>({
    radius: RADIUS,
    maxZoom: MAX_ZOOM,
    map: sumsOf,
    reduce: (sums, more) => {
      for (const state of names) sums[state] += more[state]
      sums.alarm = worse(sums.alarm, more.alarm)
      sums.alarmed += more.alarmed
    },
  })
  const features: Parameters<typeof made.load>[0] = []
  for (let i = 0; i < points.ids.length; i++) {
    const place = toMap({ longitude: points.longitudes[i] ?? 0, latitude: points.latitudes[i] ?? 0 }, datum)
    features.push({
      type: 'Feature',
      properties: { id: points.ids[i] ?? 0, state: points.states[i] ?? 0, alarm: points.alarms[i] ?? 0 },
      geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    })
  }
  clusters = made.load(features)
}

export function marks(frame: Frame, zoom: number): Mark[] {
  const found = clusters?.getClusters([frame.west, frame.south, frame.east, frame.north], zoom) ?? []
  return found.map(({ properties, geometry }) => {
    const [longitude = 0, latitude = 0] = geometry.coordinates
    const isCluster = 'cluster_id' in properties
    const { alarm, alarmed, ...states } = isCluster ? (properties as Sums) : sumsOf(properties as Props)
    return {
      id: isCluster ? (properties.cluster_id as number) : (properties as Props).id,
      count: isCluster ? (properties.point_count as number) : 1,
      states: countsOf((state) => states[state]),
      alarm,
      alarmed,
      longitude,
      latitude,
    }
  })
}

/** The zoom at which a cluster splits; null: never, its devices have the same position. */
export function opensAt(cluster: number): number | null {
  const zoom = clusters?.getClusterExpansionZoom(cluster) ?? MAX_ZOOM
  return zoom > MAX_ZOOM ? null : zoom
}

const leaves = (cluster: number, limit: number) =>
  (clusters?.getLeaves(cluster, limit) ?? []).map(({ properties }) => properties as Props)

export const members = (cluster: number, limit: number): number[] =>
  leaves(cluster, limit).map(({ id }) => id)

export type Listed = { id: number; state: DeviceState; alarm: number }

/** The first devices within the frame, up to `limit`. */
export function within(frame: Frame, zoom: number, limit: number): { devices: Listed[]; total: number } {
  const devices: Listed[] = []
  let total = 0
  for (const { id, count, alarm, states } of marks(frame, zoom)) {
    total += count
    if (devices.length >= limit) continue
    if (count === 1)
      devices.push({ id, alarm, state: names.find((state) => states[state] > 0) ?? 'neverSeen' })
    else
      for (const one of leaves(id, limit - devices.length))
        devices.push({ id: one.id, alarm: one.alarm, state: names[one.state] ?? 'neverSeen' })
  }
  return { devices, total }
}

/** The markers on a tile and on those around it, in pixels of the whole map. */
export function covering(zoom: number, x: number, y: number): Covering[] {
  if (!clusters) return []
  const world = TILE * 2 ** zoom
  const longitude = (column: number) => (column / 2 ** zoom) * 360 - 180
  const latitude = (row: number) =>
    (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / 2 ** zoom))) * 180) / Math.PI
  const frame = {
    west: Math.max(-180, longitude(x - 1)),
    south: latitude(y + 2),
    east: Math.min(180, longitude(x + 2)),
    north: latitude(y - 1),
  }
  return marks(frame, zoom).map((mark) => {
    const [px = 0, py = 0] = projectRing([[mark.longitude, mark.latitude]])
    return { x: px * world, y: py * world, radius: markSize(mark.count) / 2 }
  })
}
