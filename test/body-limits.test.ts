/** A body that matches its declaration must fit into the declared limit. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { bodyLimits, isCall } from '#schema/kit/call'

type Json = {
  type?: string
  enum?: unknown[]
  const?: unknown
  maxLength?: number
  maxItems?: number
  items?: Json
  prefixItems?: Json[]
  properties?: Record<string, Json>
  additionalProperties?: Json | boolean
  propertyNames?: Json
  anyOf?: Json[]
  oneOf?: Json[]
  allOf?: Json[]
  format?: string
  pattern?: string
}

/** For formats that limit the length. */
const FORMATS: Readonly<Record<string, number>> = {
  uuid: 36,
  ipv4: 15,
  ipv6: 45,
  email: 254,
  'date-time': 40,
  date: 10,
  time: 20,
}
/** A row id with its comma; other numbers are rarer and not much longer. */
const NUMBER = 11
/** Chinese characters have three bytes; a file as text is mostly digits and letters. */
const bytesOf = (characters: number) => (characters > 100_000 ? characters : 3 * characters)
/** Entries of a record; the longest that any declaration takes. */
const RECORD = 500
/** Assumed length for patterns, which limit their texts in ways that are not evaluated here. */
const PATTERN = 300

/** The maximum realistic length of a value [bytes]. */
function longest(schema: Json | boolean | undefined): number {
  if (schema === undefined || typeof schema === 'boolean') return 1000
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length))
  if (schema.const !== undefined) return JSON.stringify(schema.const).length
  const either = schema.anyOf ?? schema.oneOf
  if (either) return Math.max(...either.map(longest))
  if (schema.allOf) return schema.allOf.reduce((sum, part) => sum + longest(part), 0)
  if (schema.type === 'array')
    return 2 + (schema.maxItems ?? Number.POSITIVE_INFINITY) * (1 + longest(schema.items))
  // A record of arbitrary values contains arguments, which their own declaration limits.
  if (typeof schema.additionalProperties === 'object' && schema.additionalProperties.type !== undefined)
    return RECORD * (longest(schema.propertyNames) + longest(schema.additionalProperties) + 2)
  if (schema.type === 'object')
    return Object.entries(schema.properties ?? {}).reduce(
      (sum, [name, part]) => sum + name.length + 4 + longest(part),
      2,
    )
  if (schema.type !== 'string') return NUMBER
  const known = FORMATS[schema.format ?? '']
  if (known !== undefined) return 2 + known
  const most = schema.maxLength ?? (schema.pattern === undefined ? Number.POSITIVE_INFINITY : PATTERN)
  return 2 + bytesOf(most)
}

const calls = (await gatherDeclared(isCall)).filter(
  ({ method, carrier }) => method === 'POST' && carrier !== 'upload',
)

it.each(calls.map((call) => [call.name, call] as const))(
  '%s takes every body that it declares',
  (_name, call) => {
    const schema = z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' }) as Json
    expect(longest(schema)).toBeLessThanOrEqual(call.bodyLimit)
  },
)

it('without a login a body of 16 kB is the longest', () => {
  for (const { name, permission, bodyLimit } of calls)
    if (permission === 'none') expect([name, bodyLimit]).toEqual([name, bodyLimits.open])
})

/** The maximum number of keys of all objects in a value. */
function keysOf(schema: Json | boolean | undefined): number {
  if (schema === undefined || typeof schema === 'boolean') return 0
  const either = schema.anyOf ?? schema.oneOf
  if (either) return Math.max(...either.map(keysOf))
  if (schema.type === 'array') return (schema.maxItems ?? 0) * keysOf(schema.items)
  return Object.values(schema.properties ?? {}).reduce((sum, part) => sum + 1 + keysOf(part), 0)
}

it('every call takes as many rows as it declares, with all of their fields', () => {
  const beyond = calls.filter(
    ({ body, keyLimit }) =>
      keysOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Json) > keyLimit,
  )
  expect(beyond.map(({ name }) => name)).toEqual([])
})
