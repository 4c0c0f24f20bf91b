/** Values of a page with the defaults of what they leave out, whether or not the form would accept all of them. */
import type { z } from 'zod'

type Values = Readonly<Record<string, unknown>>
type Def = { innerType?: z.ZodType; shape?: Readonly<Record<string, z.ZodType>>; element?: z.ZodType }

const isValues = (value: unknown): value is Values =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** As `parse` returns them; a value that it refuses stays as it is, and so do the parts of it that are right. */
export function wholeValues(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const { innerType, shape, element } = schema._zod.def as Def
  if (innerType) return wholeValues(innerType, value)
  if (element && Array.isArray(value)) return value.map((one) => wholeValues(element, one))
  if (!shape || !isValues(value)) return value
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, field]) => {
      const whole = wholeValues(field, value[name])
      return whole === undefined ? [] : [[name, whole]]
    }),
  )
}
