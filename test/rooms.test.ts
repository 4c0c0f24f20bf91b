/** Enforces the table of rooms: allowed imports, how far a relative import climbs, file length. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { cycles, importGraph, importsOf } from './import-graph.ts'

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
  admin: ['schema', 'infra'],
  launch: ['schema', 'infra', 'device-sim'],
  docs: ['schema', 'infra', 'api', 'locales'],
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

/** The product without tests. */
const made = sources.filter(({ isTest }) => !isTest)
const graph = importGraph(made)

/** Inside `web`, what each layer may import besides itself; files beside main.tsx combine them. */
const below: Record<string, readonly string[]> = {
  kit: [],
  subjects: ['kit'],
  pages: ['kit', 'subjects'],
  // Those of Cloud Monitoring: one folder would hold too many.
  'monitor-pages': ['kit', 'subjects'],
  shell: ['kit', 'subjects'],
  main: ['kit', 'subjects', 'pages', 'monitor-pages', 'shell'],
}
function layerOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/')
  if (rest.length === 0) return 'main'
  return folder in below ? folder : 'subjects'
}
/** Rooms that cover many subjects; the others have a single purpose. */
const ofSubjects = ['schema', 'api', 'workers', 'web']
const FOLDER_MAX = 45
const SUBJECT_MIN = 5

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

  it('keep clients away from the database: device-sim, web and ops import neither its tables nor its client', () => {
    const wrong = sources.filter(
      (s) =>
        ['device-sim', 'web', 'ops'].includes(s.room) &&
        !s.isTest &&
        importsOf(s.text).some((n) => /schema\/tables|infra\/postgres/.test(n)),
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

  it('in web, import only layers below: kit, then subjects, then pages, with the shell beside them', () => {
    const wrong = [...graph].flatMap(([from, targets]) =>
      targets
        .filter((to) => from.startsWith('web/') && to.startsWith('web/') && layerOf(from) !== layerOf(to))
        .filter((to) => !below[layerOf(from)]?.includes(layerOf(to)))
        .map((to) => `${from} imports ${to}`),
    )
    expect(wrong).toEqual([])
  })

  it('have no import cycles, not even of types', () => {
    expect(cycles(graph)).toEqual([])
  })

  it(`keep folders small: none has more than ${FOLDER_MAX} sources`, () => {
    const folders = Map.groupBy(made, ({ path }) => dirname(path))
    // One table file for each word of all subjects, one page file for each screen, found by its name: they have no parts
    // to divide them by.
    const wide = [...folders].filter(
      ([folder, files]) => !['schema/tables', 'web/pages'].includes(folder) && files.length > FOLDER_MAX,
    )
    expect(wide.map(([folder]) => folder)).toEqual([])
  })

  it(`make a folder where a subject has ${SUBJECT_MIN} files over all rooms, and nest one level`, () => {
    const inFolder = sources.filter(
      ({ path, room }) => ofSubjects.includes(room) && path.split('/').length > 2,
    )
    const subjects = Map.groupBy(inFolder, ({ path }) => path.split('/')[1])
    const small = [...subjects].filter(([, files]) => files.length < SUBJECT_MIN).map(([subject]) => subject)
    expect(small).toEqual([])
    expect(made.map(({ path }) => path).filter((path) => path.split('/').length > 4)).toEqual([])
  })
})

describe('import cycles', () => {
  const circlesOf = (sources: Record<string, string>) =>
    cycles(importGraph(Object.entries(sources).map(([path, text]) => ({ path, text }))))

  it.each([
    ['of types', "import type { B } from './b.ts'", "import type { A } from './a.ts'"],
    ['of lazy imports', "const b = () => import('./b.ts')", "import { a } from './a.ts'"],
    ['by the name of the room', "import '#web/b'", "import { a } from './a.ts'"],
  ])('are found %s', (_of, a, b) => {
    expect(circlesOf({ 'web/a.ts': a, 'web/b.ts': b, 'web/c.ts': "import './a.ts'" })).toEqual([
      ['web/a.ts', 'web/b.ts'],
    ])
  })

  it('are found over several files, and two of them separately', () => {
    const to = (...names: string[]) => names.map((name) => `import './${name}.ts'`).join('\n')
    const sources = { a: to('b'), b: to('c', 'd'), c: to('a'), d: to('e'), e: to('d'), f: to('a', 'e') }
    const named = Object.fromEntries(Object.entries(sources).map(([name, text]) => [`x/${name}.ts`, text]))
    expect(circlesOf(named).toSorted()).toEqual([
      ['x/a.ts', 'x/b.ts', 'x/c.ts'],
      ['x/d.ts', 'x/e.ts'],
    ])
  })

  it('are none if two paths lead to the same file', () => {
    expect(
      circlesOf({ 'x/a.ts': "import './b.ts'\nimport './c.ts'", 'x/b.ts': "import './c.ts'", 'x/c.ts': '' }),
    ).toEqual([])
  })
})
