/** Nothing in `schema/` is there for tests alone: a rule that only its test carries out is no rule of the product. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tracked } from './tracked-files.ts'

/** Gathered by their kind, instead of by name; or samples, which say so in their names. */
const isFoundOtherwise = (file: string) =>
  /^schema\/(tables|task\/kinds)\//.test(file) || /\/(sample|tried)-[\w-]+\.ts$/.test(file)
/** Names that only checks of all declarations need. */
const OF_CHECKS = ['isObjectKind', 'soundsSecret']

const isProduct = (file: string) =>
  /\.(ts|tsx|mjs)$/.test(file) && !/\.test\.tsx?$/.test(file) && !/^(test|bench)\//.test(file)

it('every export of schema/ is used by the product', () => {
  const texts = new Map(
    tracked
      .filter(isProduct)
      .map((file) => [file, readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')]),
  )
  const users = new Map<string, number>()
  for (const text of texts.values())
    for (const word of new Set(text.match(/\w+/g))) users.set(word, (users.get(word) ?? 0) + 1)
  const unused = [...texts].flatMap(([file, text]) => {
    if (!file.startsWith('schema/') || isFoundOtherwise(file)) return []
    const names = [...text.matchAll(/^export (?:async )?(?:const|function\*?|class|type) (\w+)/gm)].map(
      ([, name = '']) => name,
    )
    return names
      .filter((name) => users.get(name) === 1 && text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length === 1)
      .map((name) => `${name} in ${file}`)
  })
  expect(unused.filter((one) => !OF_CHECKS.some((name) => one.startsWith(`${name} `)))).toEqual([])
})
