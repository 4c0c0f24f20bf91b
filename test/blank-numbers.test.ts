/**
 * An empty text or null is never taken for the number 0, nor true or a list for a number: every number of every declared
 * call is sent them, alone in the field of the body that it is in.
 */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { parseBody } from '#api/kit/parse-body'
import { gatherDeclared } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { Refusal } from '#schema/kit/refusal'
import { variable } from './accepted/values.ts'

type Path = readonly string[]
/** A value that has a number at `path`; `set` returns it with another value there, or without it. */
type Found = { path: Path; set: (at: unknown) => unknown }

const ABSENT = Symbol('absent')
const isNumber = (schema: z.ZodType) => schema instanceof z.ZodNumber && schema._zod.def.coerce === true
const innerOf = (schema: z.ZodType) => (schema._zod.def as { innerType?: z.ZodType }).innerType

/** A value that the schema accepts, as far as its structure goes; ABSENT if it may be absent. */
function sampleOf(schema: z.ZodType): unknown {
  if (schema.safeParse(undefined).success) return ABSENT
  if (schema instanceof z.ZodObject) return objectOf(schema)
  if (schema instanceof z.ZodLiteral) return schema._zod.def.values[0]
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodUnion) return sampleOf(schema.options[0] as z.ZodType)
  if (schema instanceof z.ZodPipe) return sampleOf(schema._zod.def.in as z.ZodType)
  const inner = innerOf(schema)
  if (inner) return sampleOf(inner)
  const tries = [1, 100, 'sample1', 'a', [], true, {}, '2026-01-01', '08:00', 'UTC', '{value}']
  return tries.find((value) => schema.safeParse(value).success)
}
const objectOf = (schema: z.ZodObject) => ({
  ...Object.fromEntries(
    Object.entries(schema.shape)
      .map(([name, field]) => [name, sampleOf(field as z.ZodType)] as const)
      .filter(([, value]) => value !== ABSENT),
  ),
  // Which of its fields are needed depends on others.
  ...('registerType' in schema.shape && 'dataType' in schema.shape ? variable : {}),
})

function* numbersIn(schema: z.ZodType): Generator<Found> {
  if (isNumber(schema)) yield { path: [], set: (at) => at }
  else if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape))
      for (const { path, set } of numbersIn(field as z.ZodType))
        yield {
          path: [name, ...path],
          set: (at) => {
            const { [name]: _, ...rest }: Record<string, unknown> = objectOf(schema)
            const value = set(at)
            return value === ABSENT ? rest : { ...rest, [name]: value }
          },
        }
  else if (schema instanceof z.ZodArray)
    for (const { path, set } of numbersIn(schema.element as z.ZodType))
      yield { path: ['0', ...path], set: (at) => (set(at) === ABSENT ? [] : [set(at)]) }
  else if (schema instanceof z.ZodRecord)
    for (const { path, set } of numbersIn(schema.valueType as z.ZodType))
      yield { path: ['key', ...path], set: (at) => (set(at) === ABSENT ? {} : { key: set(at) }) }
  else if (schema instanceof z.ZodUnion)
    for (const option of schema.options) yield* numbersIn(option as z.ZodType)
  else if (schema instanceof z.ZodPipe) {
    yield* numbersIn(schema._zod.def.in as z.ZodType)
    yield* numbersIn(schema._zod.def.out as z.ZodType)
  } else {
    const inner = innerOf(schema)
    if (inner) yield* numbersIn(inner)
  }
}

/** What a call makes of a body: the parsed body, or the field that it refuses. */
function outcome(call: Call, body: unknown): { parsed: unknown } | { refused: unknown } {
  try {
    return { parsed: parseBody(call, body, 'en-US') }
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.params?.['field'] }
    throw error
  }
}

/** The value at the path, which a transform may have removed. */
const valueAt = (parsed: unknown, path: Path) =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], parsed)

function faultOf(call: Call, { path, set }: Found, blank: '' | null): string | null {
  const given = outcome(call, set(blank))
  const told = `${call.name} ${path.join('.')}: ${JSON.stringify(blank)}`
  if ('refused' in given)
    return given.refused === path.join('.') ? null : `${told} is not proved: ${given.refused} is refused`
  if (blank === null && valueAt(given.parsed, path) === null) return null
  const absent = outcome(call, set(ABSENT))
  return JSON.stringify(given) === JSON.stringify(absent)
    ? null
    : `${told} becomes ${JSON.stringify(valueAt(given.parsed, path))}`
}

const calls = await gatherDeclared(isCall)
const fields = calls.flatMap((call) =>
  call.body instanceof z.ZodObject
    ? Object.entries(call.body.shape).map(([name, field]) => ({
        ...call,
        body: z.object({ [name]: field as z.ZodType }),
      }))
    : [call],
)

const numbers = fields.flatMap((call) => [...numbersIn(call.body)].map((found) => ({ call, found })))

it('an empty text or null, where a call has a number, is absent or refused', () => {
  const faults = numbers.flatMap(({ call, found }) => [faultOf(call, found, ''), faultOf(call, found, null)])
  expect(numbers.length).toBeGreaterThan(300)
  expect(faults.filter((fault) => fault !== null)).toEqual([])
})

it('true, a list, an object or a blank, where a call has a number, is refused', () => {
  const taken = numbers.flatMap(({ call, found: { path, set } }) =>
    [true, false, [], [5], {}, ' '].flatMap((wrong) => {
      const given = outcome(call, set(wrong))
      const isTold = 'refused' in given && path.join('.').startsWith(String(given.refused))
      return isTold ? [] : [`${call.name} ${path.join('.')} takes ${JSON.stringify(wrong)}`]
    }),
  )
  expect(taken).toEqual([])
})
