/**
 * No regular expression for untrusted text takes superlinear time: `max` does not prevent the pattern from running
 * (zod continues with the next check), so a body of 5 MB would block the process for hours.
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'

const LENGTH = 10_000
/** A pattern that restarts at each character needs some 100 ms for that; a good one a fraction of one. */
const MOST_MS = 25

/** Prefixes that a pattern may require, and repeated suffixes. */
const beginnings = ['', 'a', 'a@a', '"errcode"', '1.', 'http://']
const endless = [
  ...'aA1f.-_ \t\n@/\\"{}=:+~%,;\'x中\u3000',
  'a.',
  'a-',
  '.-',
  '1.',
  '1,',
  'a:',
  '0:',
  'a ',
  '\\\\',
  '{a',
  'a@',
]

const known = new Map<string, string>()
const add = (pattern: RegExp, where: string) =>
  known.set(`/${pattern.source}/${pattern.flags.replace(/[gy]/g, '')}`, where)

/** Collects every pattern of a declaration, through all of zod's wrappers. */
function walk(value: unknown, where: string, seen: Set<unknown>): void {
  if (value === null || typeof value !== 'object' || seen.has(value)) return
  seen.add(value)
  if (value instanceof RegExp) return void add(value, where)
  const inside = '_zod' in value ? (value._zod as { def: { getter?: () => unknown } }).def : value
  if ('getter' in inside && typeof inside.getter === 'function') walk(inside.getter(), where, seen)
  if (inside instanceof Map || inside instanceof Set)
    for (const entry of inside.values()) walk(entry, where, seen)
  for (const entry of Object.values(inside)) walk(entry, where, seen)
}

/** Collects every pattern literal of a file. */
function read(node: unknown, where: string): void {
  if (node === null || typeof node !== 'object') return
  if ('regex' in node && node.regex) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string }
    add(new RegExp(pattern, flags), where)
    return
  }
  for (const inner of Object.values(node)) read(inner, where)
}

/** The shortest of three, in processor time of this thread: on a busy machine a clock counts other processes' time, too. */
function quickest(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3 && best > MOST_MS; i++) {
    const before = process.threadCpuUsage()
    pattern.test(text)
    const { user, system } = process.threadCpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}

it('every pattern of the declarations and of the servers handles 10 kB quickly', async () => {
  for (const value of await gatherDeclared((one): one is { name?: string } => typeof one === 'object'))
    walk(value, value?.name ?? 'schema', new Set())
  for await (const file of glob('{schema,api,broker,workers,infra}/**/*.ts'))
    if (!file.endsWith('.test.ts')) read(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }), file)
  expect(known.size).toBeGreaterThan(100)
  const slow: string[] = []
  for (const [source, where] of known) {
    const [, pattern = '', flags] = /^\/(.*)\/(\w*)$/s.exec(source) ?? []
    const compiled = new RegExp(pattern, flags)
    const bad = beginnings.flatMap((begin) =>
      endless.filter((again) => {
        const text = begin + again.repeat(LENGTH / again.length)
        return quickest(compiled, `${text}\u0001`) > MOST_MS
      }),
    )
    if (bad.length > 0) slow.push(`${where}: ${source} with ${JSON.stringify(bad[0])}`)
  }
  expect(slow).toEqual([])
})
