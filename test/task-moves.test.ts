/** The table of moves is the only writer of `step`, `sending` and `outcome`, and what it allows is what was meant. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { moves, taskEvents, writable } from '#schema/task/moves'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.sql'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path && !/\.test\.tsx?$/.test(path) && !/^(test|bench|schema\/migrations)\//.test(path))
  .map((path) => {
    try {
      return { path, text: readFileSync(`${root}/${path}`, 'utf8') }
    } catch {
      return { path, text: '' }
    }
  })

const GUARDED = /\b(step|sending|outcome)"?\s*=(?!=)/

/** What the UPDATE statements of a text set, each up to its `from` or `where`. */
const setLists = (text: string) =>
  [
    ...text.matchAll(
      /update\s+(?:task_items|\$\{taskItems\})(?:\s+\w+)?\s+set\s([\s\S]*?)(?:\bfrom\b|\bwhere\b|`)/gi,
    ),
  ].map((match) => (match[1] ?? '').replaceAll(/case when[\s\S]*?\bend\b/gi, ''))
const drizzleSets = (text: string) =>
  [...text.matchAll(/update\(taskItems\)\s*\.set\(\{([\s\S]*?)\}\)/g)].map((match) => match[1] ?? '')
const insertLists = (text: string) =>
  [...text.matchAll(/insert into task_items\s*\(([^)]*)\)/gi)].map((match) => match[1] ?? '')

describe('the table of moves', () => {
  it('finds the statements that write items', () => {
    expect(sources.flatMap(({ text }) => setLists(text)).length).toBeGreaterThan(8)
    expect(sources.flatMap(({ text }) => insertLists(text)).length).toBeGreaterThan(2)
  })

  it('is what every UPDATE of an item is made from', () => {
    const byHand = sources.flatMap(({ path, text }) =>
      [
        ...setLists(text).filter((list) => GUARDED.test(list)),
        ...drizzleSets(text).filter((list) => /\b(step|sending|outcome)\s*:/.test(list)),
      ].map((list) => `${path}: ${list.trim().slice(0, 80)}`),
    )
    expect(byHand).toEqual([])
  })

  it('lets every item begin where the columns begin', () => {
    const byHand = sources.flatMap(({ path, text }) =>
      insertLists(text)
        .filter((list) => /\b(step|sending|outcome)\b/.test(list))
        .map(() => path),
    )
    expect(byHand).toEqual([])
  })

  it('uses every move somewhere', () => {
    const engine = sources.filter(({ path }) => /^(api|workers|infra)\//.test(path)).map(({ text }) => text)
    const unused = taskEvents.filter((event) => !engine.some((text) => text.includes(`'${event}'`)))
    expect(unused).toEqual([])
  })

  it('never leads out of an end, and never to an earlier step', () => {
    const steps = ['created', 'sent', 'connected', 'downloading', 'downloaded', 'upgrading', 'done']
    for (const pair of writable()) {
      const [from = '', to = ''] = pair.split(' > ')
      const [, before = '', ended] = from.split(' ')
      const [, after = '', end] = to.split(' ')
      expect(steps.indexOf(after), pair).toBeGreaterThanOrEqual(steps.indexOf(before))
      if (ended !== '-') expect(end, pair).toBe(ended)
    }
  })

  it('sends only what is not under way, and only from there', () => {
    const takers = taskEvents.filter(
      (event) => 'sending' in moves[event].to && moves[event].to.sending === 'intent',
    )
    expect(takers).toEqual(['take'])
    expect(moves.take.sending).toEqual(['none'])
    // Back to `none` a running item comes only when the device has said that it never had it.
    const freers = taskEvents.filter((event) => {
      const { to } = moves[event]
      return 'sending' in to && to.sending === 'none' && !('outcome' in to) && !('ended' in moves[event])
    })
    expect(freers).toEqual(['forget'])
    expect(moves.forget.by).toEqual(['device'])
  })
})
