/** The table of rooms, enforced: who may import whom, how far a relative import climbs, how long a file gets. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What each room may import besides itself. `launch` and `test` start everything, `bench` and `docs` look at everything. */
const mayImport: Record<string, readonly string[]> = {
  schema: [],
  infra: ['schema'],
  broker: ['schema', 'infra'],
  api: ['schema', 'infra'],
  workers: ['schema', 'infra'],
  'device-sim': ['schema', 'infra'],
  web: ['schema', 'locales'],
  ops: ['schema', 'infra'],
  launch: ['schema', 'infra'],
  docs: ['schema', 'infra', 'api'],
  bench: ['schema', 'infra', 'broker', 'api', 'workers', 'device-sim', 'launch', 'test'],
  test: ['schema', 'infra', 'broker', 'api', 'workers', 'device-sim', 'launch', 'ops', 'web', 'docs'],
}
const MEDIAN_MAX = 80
const LENGTH_MAX = 300

type Source = { path: string; room: string; text: string; isTest: boolean }

const sources: Source[] = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && existsSync(join(root, path)) && !/\.(gen|d)\.ts$/.test(path))
  .map((path) => ({
    path,
    room: path.includes('/') ? (path.split('/')[0] ?? '') : '',
    text: readFileSync(join(root, path), 'utf8'),
    isTest: /\.test\.tsx?$/.test(path) || path.startsWith('test/'),
  }))

const importsOf = (text: string) =>
  [...text.matchAll(/(?:\bfrom\s|\bimport\()\s*'([^']+)'|^import\s+'([^']+)'/gm)].map(
    (match) => match[1] ?? match[2] ?? '',
  )

describe('the rooms', () => {
  it('have sources to judge', () => {
    expect(sources.length).toBeGreaterThan(50)
  })

  it('import only the rooms that the table allows', () => {
    const wrong = sources
      .filter((source) => source.room in mayImport && !source.isTest)
      .flatMap((source) =>
        importsOf(source.text)
          .filter((name) => name.startsWith('#'))
          .map((name) => name.slice(1).split('/')[0] ?? '')
          .filter((room) => room !== source.room && !mayImport[source.room]?.includes(room))
          .map((room) => `${source.path} imports #${room}`),
      )
    expect(wrong).toEqual([])
  })

  it('keep strangers away from the tables: device-sim, web and ops never import schema/tables', () => {
    const wrong = sources.filter(
      (s) =>
        ['device-sim', 'web', 'ops'].includes(s.room) &&
        !s.isTest &&
        importsOf(s.text).some((n) => n.includes('schema/tables')),
    )
    expect(wrong.map((s) => s.path)).toEqual([])
  })

  it('keep schema pure: nothing but zod, Drizzle in tables, and itself', () => {
    const wrong = sources
      .filter((source) => source.room === 'schema' && !source.isTest)
      .flatMap((source) =>
        importsOf(source.text)
          .filter(
            (name) =>
              !name.startsWith('.') &&
              !name.startsWith('#schema/') &&
              name !== 'zod' &&
              !(source.path.startsWith('schema/tables/') && name.startsWith('drizzle-orm')),
          )
          .map((name) => `${source.path} imports ${name}`),
      )
    expect(wrong).toEqual([])
  })

  it('climb at most one floor with a relative import, and never into another room', () => {
    const wrong = sources.flatMap((source) =>
      importsOf(source.text)
        .filter((name) => name.startsWith('.'))
        .filter((name) => {
          const target = normalize(join(dirname(source.path), name))
          return name.startsWith('../../') || (source.room !== '' && target.split('/')[0] !== source.room)
        })
        .map((name) => `${source.path} imports ${name}`),
    )
    expect(wrong).toEqual([])
  })

  it(`keep files short: median ≤ ${MEDIAN_MAX}, none > ${LENGTH_MAX} lines`, () => {
    const lengths = sources
      .filter((source) => !source.isTest)
      .map((source) => ({ path: source.path, lines: source.text.split('\n').length - 1 }))
    expect(lengths.filter((entry) => entry.lines > LENGTH_MAX)).toEqual([])
    const sorted = lengths.map((entry) => entry.lines).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(MEDIAN_MAX)
  })

  it('name no file utils, helpers, common, manager or misc', () => {
    expect(
      sources
        .filter((s) => /(^|\/)(utils?|helpers?|common|misc|manager)(\/|\.tsx?$)/i.test(s.path))
        .map((s) => s.path),
    ).toEqual([])
  })
})
