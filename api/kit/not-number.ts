/**
 * What the conversion of inputs to numbers would take for one: an empty text, null and an empty list are 0 for it, true is
 * 1, and `0x10` is 16. Nobody means that. A call in which an empty text or null means that the field is absent declares it (`blanks`), so
 * the others are refused: 0 may be a limit that nothing passes, and absent one that nothing needs to pass
 * [decisions/194].
 */
import { z } from 'zod'
import { isDecimal } from '#schema/kit/rules'

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

const isMeant = (value: unknown) =>
  typeof value === 'string' ? isDecimal(value) : value === undefined || typeof value === 'number'

function firstOf(entries: Iterable<[string, unknown]>, find: (name: string, entry: unknown) => Found | null) {
  for (const [name, entry] of entries) {
    const found = find(name, entry)
    if (found !== null) return found
  }
  return null
}

/** The path of a value, and what is said of it. */
type Found = { path: string; reason: 'number' | 'required' }

/** Their fields may be absent. */
const maybe = [z.ZodOptional, z.ZodDefault, z.ZodPrefault]

/** What is wrong with a value where a number is converted; `needed`: the field may not be absent. */
function atNumber(value: unknown, path: string, needed: boolean): Found | null {
  if (isMeant(value)) return null
  return { path, reason: needed && (value === '' || value === null) ? 'required' : 'number' }
}

/**
 * Whether an alternative is for values of this kind. The others have no number in it, and would say that nothing is wrong:
 * a list of ids is no comma-separated text, a threshold of one kind of rule is unknown to the other kinds.
 */
function mayBe(option: z.ZodType, value: unknown): boolean {
  if (option instanceof z.ZodString || option instanceof z.ZodEnum) return typeof value === 'string'
  if (option instanceof z.ZodBoolean) return typeof value === 'boolean'
  if (option instanceof z.ZodLiteral) return option._zod.def.values.includes(value as never)
  if (option instanceof z.ZodArray) return Array.isArray(value)
  if (option instanceof z.ZodObject)
    return (
      typeof value === 'object' &&
      value !== null &&
      Object.entries(option.shape).every(
        ([name, field]) =>
          !(field instanceof z.ZodLiteral) || mayBe(field, (value as Record<string, unknown>)[name]),
      )
    )
  const { in: first, innerType } = option._zod.def as { in?: z.ZodType; innerType?: z.ZodType }
  const inner = first ?? innerType
  return inner === undefined || mayBe(inner, value)
}

/** The first value that is no number where `schema` converts to one; null: none. */
export function notNumber(
  schema: z.ZodType | undefined,
  value: unknown,
  path = '',
  needed = true,
): Found | null {
  if (schema === undefined) return null
  if (schema instanceof z.ZodNumber) return schema._zod.def.coerce ? atNumber(value, path, needed) : null
  if (schema instanceof z.ZodNullable && value === null) return null
  const isObject = typeof value === 'object' && value !== null
  if (schema instanceof z.ZodObject)
    return isObject
      ? firstOf(Object.entries(value), (name, entry) =>
          notNumber(
            Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined,
            entry,
            join(path, name),
          ),
        )
      : null
  if (schema instanceof z.ZodArray)
    return Array.isArray(value)
      ? firstOf(Object.entries(value), (at, entry) =>
          notNumber(schema.element as z.ZodType, entry, join(path, at)),
        )
      : null
  if (schema instanceof z.ZodUnion) {
    const meant = (schema.options as z.ZodType[]).filter((option) => mayBe(option, value))
    const found = meant.map((option) => notNumber(option, value, path, needed))
    return found.includes(null) ? null : (found[0] ?? null)
  }
  if (schema instanceof z.ZodPipe) return notNumber(schema._zod.def.in as z.ZodType, value, path, needed)
  const isMaybe = maybe.some((kind) => schema instanceof kind)
  return notNumber((schema._zod.def as { innerType?: z.ZodType }).innerType, value, path, needed && !isMaybe)
}
