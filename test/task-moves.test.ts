/**
 * Only the table of transitions writes `step`, `sending` and `outcome`, and it allows only the intended transitions.
 */
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

/** The assignments of UPDATE statements in a text, each up to its `from` or `where`. */
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

describe('the table of transitions', () => {
  it('finds the statements that write items', () => {
    expect(sources.flatMap(({ text }) => setLists(text)).length).toBeGreaterThan(8)
    expect(sources.flatMap(({ text }) => insertLists(text)).length).toBeGreaterThan(2)
  })

  it('generates every UPDATE of an item', () => {
    const byHand = sources.flatMap(({ path, text }) =>
      [
        ...setLists(text).filter((list) => GUARDED.test(list)),
        ...drizzleSets(text).filter((list) => /\b(step|sending|outcome)\s*:/.test(list)),
      ].map((list) => `${path}: ${list.trim().slice(0, 80)}`),
    )
    expect(byHand).toEqual([])
  })

  it('starts every item with the defaults of the columns', () => {
    const byHand = sources.flatMap(({ path, text }) =>
      insertLists(text)
        .filter((list) => /\b(step|sending|outcome)\b/.test(list))
        .map(() => path),
    )
    expect(byHand).toEqual([])
  })

  it('has no unused transition', () => {
    const engine = sources.filter(({ path }) => /^(api|workers|infra)\//.test(path)).map(({ text }) => text)
    const unused = taskEvents.filter((event) => !engine.some((text) => text.includes(`'${event}'`)))
    expect(unused).toEqual([])
  })

  it('never leaves an end state, and never goes to an earlier step', () => {
    const steps = ['created', 'sent', 'connected', 'downloading', 'downloaded', 'upgrading', 'done']
    for (const pair of writable()) {
      const [from = '', to = ''] = pair.split(' > ')
      const [, before = '', ended] = from.split(' ')
      const [, after = '', end] = to.split(' ')
      expect(steps.indexOf(after), pair).toBeGreaterThanOrEqual(steps.indexOf(before))
      if (ended !== '-') expect(end, pair).toBe(ended)
    }
  })

  it('sends only items that are not in progress', () => {
    const takers = taskEvents.filter(
      (event) => 'sending' in moves[event].to && moves[event].to.sending === 'intent',
    )
    expect(takers).toEqual(['take'])
    expect(moves.take.sending).toEqual(['none'])
    // A running item returns to `none` only when the device has reported that it never had it.
    const freers = taskEvents.filter((event) => {
      const { to } = moves[event]
      return 'sending' in to && to.sending === 'none' && !('outcome' in to) && !('ended' in moves[event])
    })
    expect(freers).toEqual(['forget'])
    expect(moves.forget.by).toEqual(['device'])
  })
})
