/**
 * A fast check for hot payloads, generated from the same declaration: true means that zod would accept the
 * value and return it unchanged; false means that zod must check it. Saves a fifth of the broker's work per
 * sample.
 */
import { z } from 'zod'

type Check = (value: unknown) => boolean
type Node = Record<string, unknown>

const never: Check = () => false
const SAID_ELSEWHERE = ['$schema', 'description', 'title', 'examples', 'type']

/** Whether the node contains no keyword that we do not understand. */
const hasOnly = (node: Node, ...words: string[]) =>
  Object.keys(node).every((key) => SAID_ELSEWHERE.includes(key) || words.includes(key))

const bound = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

function ofObject(node: Node): Check {
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
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    const object = value as Record<string, unknown>
    for (const key of required) if (object[key] === undefined) return false
    for (const key in object) {
      const check = checks.get(key)
      if (check === undefined || !check(object[key])) return false
    }
    return true
  }
}

function ofText(node: Node): Check {
  if (!hasOnly(node, 'minLength', 'maxLength', 'pattern', 'flags')) return never
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
  const either = (node['anyOf'] as Node[]).map(compile)
  return hasOnly(node, 'anyOf') ? (value) => either.some((check) => check(value)) : never
}

function compile(node: Node): Check {
  if (Array.isArray(node['anyOf'])) return ofUnion(node)
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
type Inner = { _zod: { def: { checks?: { _zod: { def: { check: string; pattern?: RegExp } } }[] } } }

/** JSON Schema does not contain refinements, trimming, and the flags of a pattern; adds markers for them. */
function addMarkers(zodSchema: unknown, node: Node): void {
  const checks = ((zodSchema as Inner)._zod.def.checks ?? []).map((entry) => entry._zod.def)
  const patterns = checks.filter((entry) => entry.check === 'string_format')
  if (checks.some((entry) => !patterns.includes(entry) && !PLAIN_CHECKS.includes(entry.check)))
    node['refined'] = true
  if (patterns.length > 1) node['refined'] = true
  if (patterns[0]) node['flags'] = patterns[0].pattern?.flags ?? ''
}

/** For values parsed from JSON. Declarations that it does not understand are always left to zod. */
export const quickCheck = (schema: z.ZodType): Check =>
  compile(
    z.toJSONSchema(schema, {
      io: 'output',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => addMarkers(zodSchema, jsonSchema as Node),
    }) as Node,
  )
