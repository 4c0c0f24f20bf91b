/** The base layer of our own map, in the worker: land, waters, lines of the operator, and names. */
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import landUrl from 'world-atlas/land-50m.json?url'
import type { Language } from '#schema/kit/refusal'
import enUs from './data/places.en-US.json?url'
import zhCn from './data/places.zh-CN.json?url'
import zhTw from './data/places.zh-TW.json?url'
import waterUrl from './data/water.json?url'
import { covering } from './map-clusters.ts'
import { type Covering, openLabels, type Place, type TileLabel } from './map-labels.ts'
import { landTiles, lineTiles, projectRing } from './map-land.ts'

/** Positions in the data files are in hundredths of a degree. */
const SCALE = 100
/** Rivers would be a tangle on a map of the world. */
const RIVERS_FROM = 4
const placeUrls: Record<Language, string> = { 'zh-CN': zhCn, 'zh-TW': zhTw, 'en-US': enUs }

export type BaseTile = {
  land: Float32Array[]
  lakes: Float32Array[]
  rivers: Float32Array[]
  borders: Float32Array[]
}
/** What the base layer shows besides land and water. Lines are pairs of longitude and latitude. */
export type BaseSettings = { language: Language; borders: readonly (readonly number[])[] }

type PlaceFile = { countries: number; longitudes: number[]; latitudes: number[]; from: string; names: string }
export const readPlaceFile = ({ countries, longitudes, latitudes, from, names }: PlaceFile): Place[] =>
  names.split('|').map((name, i) => ({
    name,
    longitude: (longitudes[i] ?? 0) / SCALE,
    latitude: (latitudes[i] ?? 0) / SCALE,
    from: Number(from[i]),
    country: i < countries,
  }))

type WaterFile = { lakes: number[][]; rivers: number[][] }
/** Undoes the differences from point to point that the file contains. */
function walked(steps: readonly number[]): [number, number][] {
  let [x, y] = [0, 0]
  return Array.from({ length: steps.length / 2 }, (_, i) => {
    x += steps[i * 2] ?? 0
    y += steps[i * 2 + 1] ?? 0
    return [x / SCALE, y / SCALE]
  })
}

const read = async <T>(url: string) => (await (await fetch(url)).json()) as T

async function readLand() {
  const topology = await read<Topology<{ land: GeometryCollection }>>(landUrl)
  const { features } = feature(topology, topology.objects.land)
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon'
      ? geometry.coordinates
      : geometry.type === 'Polygon'
        ? [geometry.coordinates]
        : [],
  )
  return landTiles(polygons.flatMap((polygon) => polygon.map(projectRing)))
}

const pairs = (line: readonly number[]) =>
  Array.from({ length: line.length / 2 }, (_, i) => [line[i * 2] ?? 0, line[i * 2 + 1] ?? 0])

async function openBase({ language, borders }: BaseSettings) {
  const [land, water, places] = await Promise.all([
    readLand(),
    read<WaterFile>(waterUrl),
    read<PlaceFile>(placeUrls[language]),
  ])
  const lakes = landTiles(water.lakes.map((steps) => projectRing(walked(steps))))
  const rivers = lineTiles(water.rivers.map((steps) => projectRing(walked(steps))))
  const lines = lineTiles(borders.map((line) => projectRing(pairs(line))))
  const labels = openLabels(readPlaceFile(places))
  return {
    labels,
    shapes: (zoom: number, x: number, y: number): BaseTile => ({
      land: land(zoom, x, y),
      lakes: lakes(zoom, x, y),
      rivers: zoom < RIVERS_FROM ? [] : rivers(zoom, x, y),
      borders: lines(zoom, x, y),
    }),
  }
}

let base: ReturnType<typeof openBase> | null = null
/** Before the first tile. */
export function loadBase(settings: BaseSettings): void {
  base = openBase(settings)
}
async function opened() {
  if (!base) throw new Error('the base layer is not loaded')
  return base
}
export const baseTile = async (zoom: number, x: number, y: number): Promise<BaseTile> =>
  (await opened()).shapes(zoom, x, y)
/** @param marks that names make room for; default: those of the loaded devices */
export const nameTile = async (
  zoom: number,
  x: number,
  y: number,
  marks: readonly Covering[] = covering(zoom, x, y),
): Promise<TileLabel[]> => (await opened()).labels.tile(zoom, x, y, marks)
