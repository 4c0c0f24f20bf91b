/** The fields of a body that have no fields of their own, with their paths. */
import { z } from 'zod'

type Leaf = readonly [path: string, schema: z.ZodType]

export function* leavesIn(schema: z.ZodType, path: string): Generator<Leaf> {
  const { innerType } = schema._zod.def as { innerType?: z.ZodType }
  if (schema instanceof z.ZodObject)
    for (const [name, field] of Object.entries(schema.shape))
      yield* leavesIn(field as z.ZodType, `${path}.${name}`)
  else if (schema instanceof z.ZodArray) yield* leavesIn(schema.element as z.ZodType, `${path}[]`)
  else if (schema instanceof z.ZodRecord) yield* leavesIn(schema.valueType as z.ZodType, `${path}{}`)
  else if (schema instanceof z.ZodUnion)
    for (const option of schema.options) yield* leavesIn(option as z.ZodType, path)
  else if (schema instanceof z.ZodPipe) yield* leavesIn(schema._zod.def.in as z.ZodType, path)
  else if (innerType) yield* leavesIn(innerType, path)
  else yield [path, schema]
}
