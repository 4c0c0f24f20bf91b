/**
 * Which fields of a declaration are secrets: those declared `secret` or as a password. A field whose name sounds like a
 * secret must declare it either way, `secret: true` or `secret: false` (test/secrets.test.ts). The operation log never
 * contains secrets.
 */
import { z } from 'zod'
import { factsOf } from './field.ts'

/** A field, at any depth: its name, and whether it is secret; undefined: its declaration does not say. */
export type NamedField = { readonly name: string; readonly secret: boolean | undefined }

type Def = {
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  element?: z.core.$ZodType
  valueType?: z.core.$ZodType
  left?: z.core.$ZodType
  right?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
}

/** Names that sound like a secret: such a field must declare whether it is one. */
export const soundsSecret = (name: string): boolean =>
  /(passw(or)?d|pwd|secret|secretUrl|token|key|psk|pin|totp|codes|csv|credential)s?$/i.test(name)

/** The schemas directly inside, without a name of their own. */
function within(schema: z.core.$ZodType): z.core.$ZodType[] {
  const { innerType, in: first, out, element, valueType, left, right, options = [] } = schema._zod.def as Def
  return [innerType, first, out, element, valueType, left, right, ...options].filter(
    (one) => one !== undefined,
  )
}

/**
 * Whether a field is secret: as it declares, or as the schema that it wraps (optional, default, list). A choice is no
 * secret.
 */
function isSecret(schema: z.core.$ZodType): boolean | undefined {
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodEnum) return false
  const facts = factsOf(schema)
  const said = facts?.secret ?? (facts?.input === 'password' ? true : undefined)
  if (said !== undefined || schema instanceof z.ZodObject) return said
  return within(schema)
    .map(isSecret)
    .find((one) => one !== undefined)
}

/** Calls share the schemas of their rows and filters. */
const known = new WeakMap<z.core.$ZodType, readonly NamedField[]>()

/** The fields of a body, a reply or arguments, at any depth. */
export function namedFields(schema: z.core.$ZodType): readonly NamedField[] {
  const fields = known.get(schema) ?? findFields(schema)
  known.set(schema, fields)
  return fields
}

function findFields(schema: z.core.$ZodType): readonly NamedField[] {
  const own =
    schema instanceof z.ZodObject
      ? Object.entries(schema.shape).flatMap(([name, field]) => [
          { name, secret: isSecret(field) },
          ...namedFields(field),
        ])
      : []
  return [...own, ...within(schema).flatMap(namedFields)]
}
