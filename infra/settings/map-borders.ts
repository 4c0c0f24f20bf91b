/** The operator's file of borders: which lines may be drawn differs by country, so the platform ships none. */
import { readFileSync } from 'node:fs'
import { feature } from 'topojson-client'
import type { GeometryObject, Topology } from 'topojson-specification'
import { z } from 'zod'

/** All of it reaches every browser that opens a map. */
const POINTS_MAX = 200_000
/** Decimal places of a degree: about ten metres. */
const PLACES = 10_000

const point = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]).rest(z.number())
const line = z.array(point).min(2)
const geometry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('LineString'), coordinates: line }),
  z.object({ type: z.literal('MultiLineString'), coordinates: z.array(line) }),
  z.object({ type: z.literal('Polygon'), coordinates: z.array(line) }),
  z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(z.array(line)) }),
])
type Geometry = z.infer<typeof geometry>
const some = z.object({ type: z.literal('Feature'), geometry })
const geoJson = z.union([
  geometry,
  some,
  z.object({ type: z.literal('FeatureCollection'), features: z.array(some) }),
])

function linesOf(shape: Geometry): z.infer<typeof line>[] {
  if (shape.type === 'LineString') return [shape.coordinates]
  return shape.type === 'MultiPolygon' ? shape.coordinates.flat() : shape.coordinates
}

function geometriesOf(document: unknown): Geometry[] {
  const { type } = document as { type?: unknown }
  if (type === 'Topology') {
    const topology = document as Topology
    return Object.values(topology.objects).flatMap((object) =>
      geometriesOf(feature(topology, object as GeometryObject)),
    )
  }
  const parsed = geoJson.parse(document)
  if (parsed.type === 'FeatureCollection') return parsed.features.map((one) => one.geometry)
  return [parsed.type === 'Feature' ? parsed.geometry : parsed]
}

/**
 * The lines of a GeoJSON or TopoJSON file, longitude and latitude in turn, in degrees. @throws Error with a sentence for
 * the operator.
 */
export function readBorders(path: string): number[][] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
  let lines: number[][]
  try {
    lines = geometriesOf(JSON.parse(text))
      .flatMap(linesOf)
      .map((points) =>
        points.flatMap(([longitude, latitude]) => [
          Math.round(longitude * PLACES) / PLACES,
          Math.round(latitude * PLACES) / PLACES,
        ]),
      )
  } catch {
    throw new Error(`${path} is not GeoJSON or TopoJSON with lines or areas in degrees (WGS-84)`)
  }
  const points = lines.reduce((sum, { length }) => sum + length / 2, 0)
  if (points > POINTS_MAX)
    throw new Error(`${path} has ${points} points, more than ${POINTS_MAX}: simplify its lines`)
  return lines
}
