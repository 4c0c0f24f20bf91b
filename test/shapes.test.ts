/** No field is refused with "has a wrong format" alone: each pattern and each check says what it asks for. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { isCall } from '#schema/kit/call'
import { isCommand } from '#schema/kit/command'
import type { Fault } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import { formOf } from '#schema/kit/form'
import { shapeOf } from '#schema/kit/shape'
import { root } from './tracked-files.ts'

type Def = {
  check?: string
  format?: string
  pattern?: RegExp
  fn?: unknown
  params?: { fault?: Fault }
  getter?: () => unknown
}

/** The checks of a schema that would be refused with the bare text, through all of zod's wrappers. */
function bareChecks(value: unknown, seen = new Set<unknown>()): string[] {
  if (value === null || typeof value !== 'object' || seen.has(value)) return []
  seen.add(value)
  const def = ('_zod' in value ? (value._zod as { def: Def }).def : value) as Def
  const bare =
    def.check === 'string_format' && shapeOf(def.format ?? '', def.pattern) === undefined
      ? [`${def.format} ${def.pattern}`]
      : // A check of several fields adds issues of its own: see below.
        def.check === 'custom' && def.fn !== undefined && def.params?.fault === undefined
        ? ['refine without `because`']
        : []
  const inside = typeof def.getter === 'function' ? [def.getter()] : Object.values(def)
  return [...bare, ...inside.flatMap((one) => bareChecks(one, seen))]
}

const bareFields = (fields: readonly FormField[]): string[] =>
  fields.flatMap((field) => [
    ...((field.pattern || field.rule) && !field.shape ? [field.name] : []),
    ...bareFields([...(field.fields ?? []), ...(field.items ? [field.items] : [])]),
  ])

const calls = await gatherDeclared(isCall)
const commands = await gatherDeclared(isCommand)
const received = [
  ...calls.map(({ path, body }) => ({ name: path, schema: body })),
  ...commands.map(({ name, args }) => ({ name, schema: args })),
]

it('every pattern and every check of what the platform is sent names its shape', () => {
  expect(received.length).toBeGreaterThan(150)
  const bare = received.flatMap(({ name, schema }) => bareChecks(schema).map((one) => `${name}: ${one}`))
  expect(bare).toEqual([])
})

it('what a check of several fields adds names its fault', () => {
  const sources = globSync('schema/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const added = sources.flatMap((text) => text.match(/addIssue\(.*/g) ?? [])
  expect(added.length).toBeGreaterThan(0)
  expect(added.filter((line) => !line.includes('because('))).toEqual([])
})

it('forms know the shape of every pattern and every rule', () => {
  const bare = received.flatMap(({ name, schema }) =>
    bareFields(formOf(schema)).map((one) => `${name}: ${one}`),
  )
  expect(bare).toEqual([])
})
