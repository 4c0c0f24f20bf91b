/** A schema as rows of a reference table: field, type, bounds, unit, required, description, example. */
import { z } from 'zod'

export type JsonSchema = {
  type?: string | string[]
  format?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
}

export type Field = {
  path: string
  type: string
  bounds: string
  unit: string
  required: boolean
  description: string
}

export const jsonSchema = (schema: z.ZodType, io: 'input' | 'output' = 'input') => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-7',
  })
  return rest as JsonSchema
}

/** Flattens nested objects to `gps.longitude` and `lines[].seq`. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, raw]) => {
    const { inner, nullable } = withoutNull(raw)
    const path = `${prefix}${name}`
    const own: Field = {
      path,
      type: `${typeOf(inner)}${nullable ? ' or null' : ''}`,
      bounds: boundsOf(inner),
      unit: unitOf(name, inner),
      required: schema.required?.includes(name) ?? false,
      description: describe(raw, inner),
    }
    return [own, ...fieldsOf(inner, `${path}.`), ...fieldsOf(inner.items ?? {}, `${path}[].`)]
  })
}

function withoutNull(schema: JsonSchema): { inner: JsonSchema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null')
    const inner = { ...schema, type: types.length === 1 ? types[0] : types } as JsonSchema
    return { inner, nullable: types.length < schema.type.length }
  }
  const others = schema.anyOf?.filter((one) => one.type !== 'null')
  if (!schema.anyOf || others?.length === schema.anyOf.length) return { inner: schema, nullable: false }
  return { inner: others?.length === 1 ? (others[0] ?? {}) : { anyOf: others ?? [] }, nullable: true }
}

function describe(raw: JsonSchema, inner: JsonSchema): string {
  const text = raw.description ?? inner.description ?? ''
  const fallback = raw.default === undefined ? '' : `default ${JSON.stringify(raw.default)}`
  return [text, fallback].filter(Boolean).join('; ')
}

function typeOf(schema: JsonSchema): string {
  if (schema.format === 'uuid') return 'UUID'
  if (schema.format === 'uri') return 'URL'
  if (schema.format === 'date-time') return 'ISO 8601 time'
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' or ')
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`
  if (schema.type === 'object' && !schema.properties) return `map of text to ${typeOf(mapValues(schema))}`
  if (schema.type === 'string') return 'text'
  if (schema.enum || schema.const !== undefined) return 'value'
  return Array.isArray(schema.type) ? schema.type.join(' or ') : (schema.type ?? 'any')
}

const mapValues = ({ additionalProperties: values }: JsonSchema): JsonSchema =>
  typeof values === 'object' ? values : {}

function range(low: number | undefined, high: number | undefined, what: string): string {
  const end = ` ${what}`.trimEnd()
  if (low !== undefined && high !== undefined) return low === high ? `${low}${end}` : `${low}–${high}${end}`
  if (low !== undefined) return `≥ ${low}${end}`
  return high !== undefined ? `≤ ${high}${end}` : ''
}

/** Every whole number has these bounds; only the upper one is worth showing, and only with a different lower one. */
const exact = (value: number | undefined) =>
  value !== undefined && Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value

const patterns: Readonly<Record<string, string>> = {
  '^[^\\p{Cc}\\p{Cs}]*$': 'no control characters',
  '^[^\\0\\p{Cs}]*$': '',
}

function boundsOf(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  if (schema.type === 'array') {
    const own = range(schema.minItems, schema.maxItems, 'entries')
    const each = schema.items && !schema.items.properties ? boundsOf(schema.items) : ''
    return [own, each && `each ${each}`].filter(Boolean).join('; ')
  }
  if (schema.type === 'object' && !schema.properties) return boundsOf(mapValues(schema))
  if (schema.type === 'integer' || schema.type === 'number') {
    const above = schema.exclusiveMinimum === undefined ? '' : `> ${schema.exclusiveMinimum}`
    const high = exact(schema.maximum)
    const top = schema.maximum === Number.MAX_SAFE_INTEGER && schema.minimum === 0 ? '0–2^53−1' : ''
    return above || top || range(exact(schema.minimum), high, '')
  }
  if (schema.format) return range(undefined, schema.maxLength, 'characters')
  const length = range(schema.minLength, schema.maxLength, 'characters')
  const pattern = schema.pattern === undefined ? '' : (patterns[schema.pattern] ?? `\`${schema.pattern}\``)
  return [length, pattern].filter(Boolean).join('; ')
}

const units: readonly (readonly [RegExp, string])[] = [
  [/^at$|[a-z]At$/, 'ms since 1970 UTC'],
  [/[a-z]S$/, 's'],
  [/[a-z]Ms$/, 'ms'],
  [/Bytes$/, 'bytes'],
  [/Dbm$/, 'dBm'],
  [/Celsius$/, '°C'],
  [/^percent$|Percent$/, '%'],
  [/^(longitude|latitude)$/, '°'],
  [/[a-z]M$/, 'm'],
]

/** A time that cannot reach the present is a place: `at`, `powerAt` of a variable. */
const isPlace = (name: string, schema: JsonSchema) =>
  (name === 'at' || name.endsWith('At')) && (schema.maximum ?? Infinity) < 1e12

const unitOf = (name: string, schema: JsonSchema) =>
  (schema.type === 'integer' || schema.type === 'number') && !isPlace(name, schema)
    ? (units.find(([pattern]) => pattern.test(name))?.[1] ?? '')
    : ''

/** The value at `gps.longitude` or `lines[].seq` of an example. */
export function valueAt(example: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, part) => {
    const name = part.replace('[]', '')
    const found =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
    return part.endsWith('[]') && Array.isArray(found) ? found[0] : found
  }, example)
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A Markdown table; columns that are empty everywhere are left out. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const kept = head.map((_, i) => i === 0 || rows.some((row) => row[i] !== ''))
  const line = (cells: readonly string[]) => `| ${cells.filter((_, i) => kept[i]).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map((row) => line(row.map(cell)))].join('\n')
}

export function fieldTable(fields: readonly Field[], example?: unknown): string {
  if (fields.length === 0) return '*Nothing.*'
  const rows = fields.map((field) => {
    const value = valueAt(example, field.path)
    const shown =
      value === undefined || typeof value === 'object' ? '' : `\`${JSON.stringify(value).slice(0, 46)}\``
    const { path, type, bounds, unit, required, description } = field
    return [`\`${path}\``, type, bounds, unit, required ? 'yes' : '', description, shown]
  })
  return table(['Field', 'Type', 'Bounds', 'Unit', 'Required', 'Description', 'Example'], rows)
}
