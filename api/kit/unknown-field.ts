/** An undeclared field would be dropped unnoticed: a misspelled name must be reported. */
import { z } from 'zod'

type Found = string | null
const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)

function inObject(schema: z.ZodObject, value: object, path: string): Found {
  const { shape, catchall } = schema._zod.def
  for (const [name, entry] of Object.entries(value)) {
    const known = Object.hasOwn(shape, name) ? shape[name] : catchall
    if (known === undefined) return join(path, name)
    const found = unknownField(known as z.ZodType, entry, join(path, name))
    if (found !== null) return found
  }
  return null
}

/**
 * The path of the first field in `value` that `schema` would drop; null: none. `value` was accepted by the schema. In
 * a union, a field is known if any of the accepting members knows it.
 */
export function unknownField(schema: z.ZodType, value: unknown, path = ''): Found {
  if (typeof value !== 'object' || value === null) return null
  if (schema instanceof z.ZodObject) return inObject(schema, value, path)
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, entry] of value.entries()) {
      const found = unknownField(schema.element as z.ZodType, entry, join(path, String(index)))
      if (found !== null) return found
    }
    return null
  }
  if (schema instanceof z.ZodRecord) {
    for (const [name, entry] of Object.entries(value)) {
      const found = unknownField(schema.valueType as z.ZodType, entry, join(path, name))
      if (found !== null) return found
    }
    return null
  }
  if (schema instanceof z.ZodUnion) {
    const accepting = (schema.options as z.ZodType[]).filter((option) => option.safeParse(value).success)
    const found = accepting.map((option) => unknownField(option, value, path))
    return found.includes(null) ? null : (found[0] ?? null)
  }
  if (schema instanceof z.ZodPipe) {
    const { in: first, out } = schema._zod.def
    return unknownField((first instanceof z.ZodTransform ? out : first) as z.ZodType, value, path)
  }
  const { innerType } = schema._zod.def as { innerType?: z.ZodType }
  return innerType === undefined ? null : unknownField(innerType, value, path)
}
