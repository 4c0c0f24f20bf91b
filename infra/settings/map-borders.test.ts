import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readEnv, SettingError } from '../env.ts'
import { readBorders } from './map-borders.ts'

const dir = mkdtempSync(join(tmpdir(), 'borders-'))
afterAll(() => rmSync(dir, { recursive: true }))
function file(content: unknown): string {
  const path = join(dir, 'borders.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}
const coordinates = [
  [10.123456, 50],
  [11, 51],
]

it('reads lines and the outlines of areas from GeoJSON', () => {
  const features = [
    { type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } },
    { type: 'Feature', properties: {}, geometry: { type: 'MultiPolygon', coordinates: [[coordinates]] } },
  ]
  const line = [10.1235, 50, 11, 51]
  expect(readBorders(file({ type: 'FeatureCollection', features }))).toEqual([line, line])
  expect(readBorders(file({ type: 'LineString', coordinates }))).toEqual([line])
})

it('reads TopoJSON', () => {
  const topology = {
    type: 'Topology',
    objects: { borders: { type: 'LineString', arcs: [0] } },
    arcs: [
      [
        [1, 2],
        [3, 4],
      ],
    ],
  }
  expect(readBorders(file(topology))).toEqual([[1, 2, 3, 4]])
})

it.each([
  ['no JSON', 'borders'],
  ['points only', { type: 'Point', coordinates: [1, 2] }],
  [
    'metres instead of degrees',
    {
      type: 'LineString',
      coordinates: [
        [1e6, 2e6],
        [1e6, 3e6],
      ],
    },
  ],
])('the server does not start with %s', (_, content) => {
  const path = file(content)
  expect(() => readEnv({ DATA_DIR: dir, MAP_BORDERS_FILE: path })).toThrow(SettingError)
  expect(() => readEnv({ DATA_DIR: dir, MAP_BORDERS_FILE: path })).toThrow(
    /MAP_BORDERS_FILE: .*is not GeoJSON/,
  )
})

it('names a file that is not there; without the setting there are no borders', () => {
  expect(() => readBorders(join(dir, 'missing.json'))).toThrow(/missing\.json cannot be read \(ENOENT\)/)
  expect(readEnv({ DATA_DIR: dir }).MAP_BORDERS_FILE).toEqual([])
})
