/** Creates a body that a declaration accepts, from its JSON schema; ids come from the caller. */
import { z } from 'zod'
import type { Call } from '#schema/kit/call'

/** Field name → the value to use wherever a body has that field. */
export type Ids = Readonly<Record<string, unknown>>

type Node = {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  minLength?: number
  minimum?: number
  exclusiveMinimum?: number
  format?: string
  pattern?: string
}

function sample(node: Node, name: string, ids: Ids): unknown {
  if (name in ids) return ids[name]
  if (node.const !== undefined) return node.const
  if (node.enum) return node.enum[0]
  if (node.anyOf) return sample(node.anyOf[0] ?? {}, name, ids)
  if (node.type === 'object') return sampleObject(node, ids)
  if (node.type === 'array') return []
  if (node.type === 'boolean') return true
  if (node.type === 'integer' || node.type === 'number') return Math.max(1, node.minimum ?? 1)
  if (node.format === 'date-time') return new Date().toISOString()
  if (node.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (name === 'fileName') return 'package.tar.gz'
  return 'sample1'.padEnd(node.minLength ?? 0, 'x')
}

function sampleObject(node: Node, ids: Ids): Record<string, unknown> {
  const wanted = Object.keys(node.properties ?? {}).filter(
    (key) => node.required?.includes(key) || key in ids,
  )
  return Object.fromEntries(wanted.map((key) => [key, sample(node.properties?.[key] ?? {}, key, ids)]))
}

const schemaOf = (call: Call) => z.toJSONSchema(call.body, { io: 'input', unrepresentable: 'any' }) as Node

export const bodyFor = (call: Call, ids: Ids = {}): Record<string, unknown> =>
  sampleObject(schemaOf(call), ids)

/** The top-level fields of a body. */
export const fieldsOf = (call: Call): string[] => Object.keys(schemaOf(call).properties ?? {})
