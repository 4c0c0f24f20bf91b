/**
 * Checks values against declared fields, with the same result as zod on the server. Runs in the browser, which has no
 * zod.
 */
import { type Condition, holds } from './condition.ts'
import type { Fault } from './fault.ts'
import type { FormField, Input } from './field.ts'
import { isDecimal, rules } from './rules.ts'
import { SECRET_MASK } from './secret-mask.ts'

type Values = Readonly<Record<string, unknown>>

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

function ofText(field: FormField, given: unknown): Fault | null {
  if (typeof given !== 'string') return { reason: 'format' }
  const text = field.trims ? given.trim() : given
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, rule, shape } = field
  const misshapen: Fault = { reason: 'format', ...(shape ? { shape } : {}) }
  if (text.length < minLength)
    return minLength === 1 ? { reason: 'required' } : { reason: 'shorter', n: minLength }
  if (text.length > maxLength) return { reason: 'longer', n: maxLength }
  if (pattern && !new RegExp(...pattern).test(text)) return misshapen
  return rule && !rules[rule](text) ? misshapen : null
}

function ofNumber({ whole, min, max, above, nonzero }: FormField, given: unknown): Fault | null {
  // Inputs contain text while the user types.
  const value = typeof given === 'string' && isDecimal(given) ? Number(given) : given
  if (typeof value !== 'number' || !Number.isFinite(value)) return { reason: 'number' }
  if (whole && !Number.isSafeInteger(value)) return { reason: 'whole' }
  if (nonzero && value === 0) return { reason: 'zero' }
  if (min !== undefined && value < min) return { reason: 'less', n: min }
  if (above !== undefined && value <= above) return { reason: 'above', n: above }
  return max !== undefined && value > max ? { reason: 'greater', n: max } : null
}

function ofList(field: FormField, given: unknown): Fault | null {
  if (!Array.isArray(given)) return { reason: 'format' }
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = field
  if (given.length < minItems) return minItems === 1 ? { reason: 'empty' } : { reason: 'fewer', n: minItems }
  if (given.length > maxItems) return { reason: 'more', n: maxItems }
  if (!items) return null
  return given.map((entry) => checkField(items, entry)).find((fault) => fault !== null) ?? null
}

const lists: ReadonlySet<Input> = new Set(['choices', 'tags', 'rows'])

/**
 * Returns the fault of one value; null: none that can be detected here. Nested fields are checked by `checkFields`.
 */
export function checkField(field: FormField, given: unknown): Fault | null {
  if (isBlank(given)) return field.required ? { reason: lists.has(field.input) ? 'empty' : 'required' } : null
  if (field.secret && given === SECRET_MASK) return null
  switch (field.input) {
    case 'number':
      return ofNumber(field, given)
    case 'switch':
      return typeof given === 'boolean' ? null : { reason: 'format' }
    case 'choice':
      return field.options?.some((option) => String(option) === String(given)) === false
        ? { reason: 'choice' }
        : null
    case 'choices':
    case 'tags':
    case 'rows':
      return ofList(field, given)
    case 'fields':
      return null
    // The id of what it belongs to, or of a row: a number or a text.
    case 'hidden':
      return typeof given === 'number' ? ofNumber(field, given) : ofText(field, given)
    default:
      return ofText(field, given)
  }
}

/** The part of the values that is not there may be anything; what is there must fit. */
const mayHold = (condition: Condition, values: Values): boolean =>
  Object.entries(condition).every(
    ([name, allowed]) => values[name] === undefined || holds({ [name]: allowed }, values),
  )

/**
 * Faults by path: `name`, `wan.mtu`, `rows.0.port`. Fields that are not shown have none. `partial`: the values are a part of others, so
 * a field whose condition is not among them is checked as far as it is given: it may be shown.
 */
export function checkFields(
  fields: readonly FormField[],
  values: Values,
  { prefix = '', partial = false }: { prefix?: string; partial?: boolean } = {},
): Record<string, Fault> {
  const faults: Record<string, Fault> = {}
  const within = ({ fields: inner = [] }: FormField, value: unknown, path: string) =>
    checkFields(inner, (value ?? {}) as Values, { prefix: `${path}.`, partial })
  for (const field of fields) {
    const value = values[field.name]
    const isShown = field.when === undefined || holds(field.when, values)
    if (!isShown && !(partial && !isBlank(value) && mayHold(field.when ?? {}, values))) continue
    const path = `${prefix}${field.name}`
    const fault = checkField(field, value)
    if (fault) faults[path] = fault
    else if (field.input === 'fields' && !isBlank(value)) Object.assign(faults, within(field, value, path))
    else if (field.input === 'rows' && Array.isArray(value))
      for (const [i, row] of value.entries()) Object.assign(faults, within(field, row, `${path}.${i}`))
  }
  return faults
}
