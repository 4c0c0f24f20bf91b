/**
 * The worked examples of docs/adding.md hold what they promise: laid over a copy of the tree they are all that it takes, and
 * the tests that follow from declarations pass on them. So many files, generated ones and texts aside.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filesOf, isLocale, makeCopy } from './adding-copy.ts'
import { root, tracked } from './tracked-files.ts'

const examples = {
  command: 2,
  'alarm-kind': 2,
  figure: 3,
  'task-kind': 2,
} as const
const names = Object.keys(examples)

/** Tests that read declarations, and have therefore something to say about new ones. */
const derived = [
  'device-sim/effects.test.ts',
  'device-sim/life.test.ts',
  'docs/generate.test.ts',
  'test/declared-calls.test.ts',
  'test/migrations.test.ts',
  'test/refusals.test.ts',
  'test/retention.test.ts',
  'test/rights.test.ts',
  'test/rooms.test.ts',
  'test/task-moves.test.ts',
  'web/command/commands.test.ts',
  'test/locales.test.ts',
  'workers/alarm/observe.test.ts',
]
/** Of tests that are made for each call, those for new ones; the others pass outside. */
const NEW_CALLS = 'site'
const NAMES = `^(?!(list )?[a-zA-Z0-9]+/\\w+ )|^(list )?(${NEW_CALLS})/`

describe.each(Object.entries(examples))('the example %s', (name, promised) => {
  const files = filesOf(name)

  it(`is ${promised} files, and its texts in three languages`, () => {
    expect(files.filter((path) => !isLocale(path))).toHaveLength(promised)
    const languages = Map.groupBy(files.filter(isLocale), (path) => path.split('/')[1])
    expect([...languages.keys()].toSorted()).toEqual(['en-US', 'zh-CN', 'zh-TW'])
  })

  it('holds nothing that is generated', () => {
    expect(files.filter((path) => /\.gen\.ts$|^schema\/migrations\/|^docs\//.test(path))).toEqual([])
  })
})

it('docs/adding.md has all of them, with the right counts, and names files that there are', () => {
  const page = readFileSync(join(root, 'docs/adding.md'), 'utf8').replace(
    /<!-- example[\s\S]*?<!-- \/example.*-->/g,
    '',
  )
  const counted = page.split('\n').flatMap((line) => /^\| an? .*\| (\d)\b.*#/.exec(line)?.[1] ?? [])
  expect(counted.map(Number)).toEqual(Object.values(examples))
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
  }, 120_000)
  afterAll(() => copy?.remove())

  it('compile', () => copy.run('tsc', '--noEmit', '--incremental', 'false'), 300_000)

  it('pass the lint', () => copy.run('biome', 'check', ...names.flatMap(filesOf)), 120_000)

  it(
    'pass the tests that follow from declarations',
    () => copy.run('vitest', 'run', '--maxWorkers=2', '-t', NAMES, ...derived),
    300_000,
  )
})
