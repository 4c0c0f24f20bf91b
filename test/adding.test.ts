/**
 * The worked examples of docs/adding.md are complete: laid over a copy of the tree, nothing else is needed, and the
 * tests derived from declarations pass. Generated files and texts are not counted.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, isLocale, makeCopy } from './adding-copy.ts'
import { root, tracked } from './tracked-files.ts'

const ofCalls = [
  'test/declared-calls.test.ts',
  'test/known-names.test.ts',
  'test/list-plans.test.ts',
] as const
/** How many files each takes, and the tests that must try it: a word of their names, and their files. */
const examples: Readonly<
  Record<string, { files: number; tried: Readonly<Record<string, readonly string[]>> }>
> = {
  command: {
    files: 2,
    tried: { locate: ['device-sim/effects.test.ts', 'web/command/commands.test.ts'] },
  },
  'list-page': {
    files: 3,
    tried: { 'backup/getFleetBackups': [...ofCalls, 'test/declared-lists.test.ts'] },
  },
  'stored-entity': {
    files: 4,
    tried: {
      'dataPlan/getDataPlanList': [...ofCalls, 'test/declared-lists.test.ts'],
      'dataPlan/addDataPlan': ['test/about.test.ts'],
      'dataPlan/modifyDataPlan': ['test/declared-calls.test.ts', 'test/edits.test.ts', 'test/about.test.ts'],
      'dataPlan/deleteDataPlan': ['test/declared-calls.test.ts', 'test/about.test.ts'],
    },
  },
  report: {
    files: 3,
    tried: { 'report/getDisconnectReport': ofCalls },
  },
  'alarm-kind': {
    files: 2,
    tried: { clockSkew: ['workers/alarm/every-kind.test.ts'] },
  },
  figure: {
    files: 3,
    tried: { flashUsedPercent: ['api/device/status.test.ts', 'workers/alarm/every-kind.test.ts'] },
  },
  'task-kind': {
    files: 2,
    tried: { syncClock: ['device-sim/effects.test.ts', 'web/command/commands.test.ts'] },
  },
}
const names = Object.keys(examples)

/** Tests that read declarations, and therefore cover new ones. */
const derived = [
  'api/device/status.test.ts',
  'device-sim/effects.test.ts',
  'device-sim/life.test.ts',
  'docs/generate.test.ts',
  'infra/task-kinds.test.ts',
  'test/about.test.ts',
  'test/declared-calls.test.ts',
  'test/declared-lists.test.ts',
  'test/edits.test.ts',
  'test/known-names.test.ts',
  'test/list-plans.test.ts',
  'test/locales.test.ts',
  'test/migrations.test.ts',
  'test/refusals.test.ts',
  'test/retention.test.ts',
  'test/rights.test.ts',
  'test/rooms.test.ts',
  'test/task-moves.test.ts',
  'web/command/commands.test.ts',
  'workers/alarm/every-kind.test.ts',
  'workers/alarm/observe.test.ts',
]
/** Of tests that are made for each call, those for new calls; the others pass outside the copy. */
const NAMES =
  '^(?!(list )?\\w+(/\\w+)+( |$))|^(list )?(backup/getFleetBackups|dataPlan/\\w+|report/getDisconnectReport)( |$)'

describe.each(Object.entries(examples))('the example %s', (name, promised) => {
  const files = filesOf(name)

  it(`is ${promised.files} files, and its texts in three languages`, () => {
    expect(files.filter((path) => !isLocale(path))).toHaveLength(promised.files)
    const languages = Map.groupBy(files.filter(isLocale), (path) => path.split('/')[1])
    expect([...languages.keys()].toSorted()).toEqual(['en-US', 'zh-CN', 'zh-TW'])
  })

  it('contains no generated file', () => {
    expect(files.filter((path) => /\.gen\.ts$|^schema\/migrations\/|^docs\//.test(path))).toEqual([])
  })
})

it('docs/adding.md has all of them, with the right counts, and refers to existing files', () => {
  const page = readFileSync(join(root, 'docs/adding.md'), 'utf8').replace(
    /<!-- example[\s\S]*?<!-- \/example.*-->/g,
    '',
  )
  const counted = page.split('\n').flatMap((line) => /^\| an? .*\| (\d)\b.*#/.exec(line)?.[1] ?? [])
  expect(counted.map(Number)).toEqual(Object.values(examples).map(({ files }) => files))
  const named = [...page.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\.\w+)`/g)].map((match) => match[1] ?? '')
  expect(named.length).toBeGreaterThan(10)
  expect([...named, ...derived].filter((path) => !tracked.includes(path))).toEqual([])
})

describe('all of them together', () => {
  let copy: ReturnType<typeof makeCopy>
  beforeAll(async () => {
    copy = makeCopy(names)
    // `npm run generate` and `npm run baseline`
    await copy.run('node', 'docs/gathered-module.ts')
    await copy.run('node', 'docs/generate.ts')
    await copy.run('node', 'launch/baseline.ts')
  }, 180_000)
  afterAll(() => copy?.remove())

  it('compile', () => copy.run('tsc', '--noEmit', '--checkers', '1', '--incremental', 'false'), 300_000)

  it('pass the lint', () => copy.run('biome', 'check', ...names.flatMap(filesOf)), 120_000)

  it('pass the tests derived from declarations', async () => {
    const report = ['--reporter=default', '--reporter=json', '--outputFile=derived.json']
    await copy.run('vitest', 'run', '--maxWorkers=2', ...report, '-t', NAMES, ...derived)
    const { testResults } = JSON.parse(copy.read('derived.json')) as Report
    const passed = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'passed')
        .map(({ fullName }) => `${name}: ${fullName}`),
    )
    const silent = Object.values(examples)
      .flatMap(({ tried }) => Object.entries(tried))
      .flatMap(([word, files]) => files.map((file) => ({ word, file })))
      .filter(({ word, file }) => !passed.some((test) => test.includes(file) && test.includes(word)))
    expect(silent).toEqual([])
  }, 300_000)
})

type Report = { testResults: { name: string; assertionResults: { status: string; fullName: string }[] }[] }
