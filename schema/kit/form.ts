/**
 * Turns a declared schema into the fields of a form, as plain data: kind of input, bounds, unit, default, condition.
 * Run when the console is built and in tests; the browser gets the result.
 */
import { z } from 'zod'
import type { Condition, Scalar } from './condition.ts'
import { type FieldFacts, type FormField, factsOf, type Input } from './field.ts'
import { type ShapeName, shapeOf } from './shape.ts'
import { unitByName } from './unit.ts'

/** JSON Schema with what it cannot express: our own facts, trimming, flags of patterns. */
type Node = {
  type?: string
  properties?: Record<string, Node>
  required?: readonly string[]
  items?: Node
  anyOf?: readonly Node[]
  oneOf?: readonly Node[]
  enum?: readonly (string | number)[]
  const?: Scalar
  default?: unknown
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  facts?: FieldFacts
  trims?: true
  flags?: string
  shape?: ShapeName
}

type Check = { check?: string; format?: string; pattern?: RegExp }
type Inner = {
  def: Check & {
    type: string
    out?: z.core.$ZodType
    checks?: readonly { _zod: { def: Check } }[]
  }
}
const inner = (schema: z.core.$ZodType) => schema._zod as unknown as Inner

function annotate(schema: z.core.$ZodType, node: Node): void {
  const said = factsOf(schema)
  // Wrappers (optional, default) come after what they wrap, which has the facts already.
  if (said) node.facts = { ...node.facts, ...said }
  const { def } = inner(schema)
  const { type, out, checks = [] } = def
  const defs = checks.map((entry) => entry._zod.def)
  if (defs.some(({ check }) => check === 'overwrite')) node.trims = true
  const pattern = defs.find(({ check }) => check === 'string_format')?.pattern
  if (pattern) node.flags = pattern.flags
  for (const { check, format = '', pattern: own } of [def, ...defs]) {
    const shape = check === 'string_format' ? shapeOf(format, own) : undefined
    if (shape) node.shape = shape
  }
  // A text that is trimmed before it is checked: the second half has the pattern.
  if (type === 'pipe' && out && node.type === 'string' && factsOf(out) === undefined) {
    const then = inner(out).def.type === 'string' ? nodeOf(out) : {}
    if (then.pattern && !hasTransform(schema))
      Object.assign(node, { pattern: then.pattern, flags: then.flags, shape: then.shape })
  }
}

/** A transform may change what the next pattern sees; the browser cannot run it. */
function hasTransform(schema: z.core.$ZodType): boolean {
  const def = schema._zod.def as { type: string; in?: z.core.$ZodType; out?: z.core.$ZodType }
  return (
    def.type === 'transform' ||
    (def.type === 'pipe' && [def.in, def.out].some((part) => part !== undefined && hasTransform(part)))
  )
}

const nodeOf = (schema: z.core.$ZodType): Node =>
  z.toJSONSchema(schema as z.ZodType, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-7',
    override: ({ zodSchema, jsonSchema }) => annotate(zodSchema, jsonSchema as Node),
  }) as Node

/** Null and the empty text mean "nothing"; the rest defines the field. */
function withoutNothing(node: Node): Node {
  const left = node.anyOf?.filter(({ type, const: only }) => type !== 'null' && only !== '')
  if (!node.anyOf || !left) return node
  const { anyOf: _, ...rest } = node
  const [one] = left
  if (left.length !== 1 || !one) return node
  // A field that may be empty, and null as well, is a choice within a choice.
  const only = withoutNothing(one)
  const facts = { ...only.facts, ...rest.facts }
  return { ...only, ...rest, ...(Object.keys(facts).length > 0 ? { facts } : {}) }
}

const isYesOrNo = ({ anyOf = [] }: Node) => anyOf.some(({ type }) => type === 'boolean')

function inputOf(node: Node): Input {
  if (node.facts?.input) return node.facts.input
  if (node.type === 'boolean' || isYesOrNo(node)) return 'switch'
  if (node.enum) return 'choice'
  if (node.type === 'integer' || node.type === 'number') return 'number'
  if (node.type === 'object') return 'fields'
  if (node.type === 'array') {
    if (node.items?.properties) return 'rows'
    return node.items?.type === 'integer' || node.items?.enum ? 'choices' : 'tags'
  }
  if (node.format === 'date') return 'date'
  return node.format === 'date-time' ? 'moment' : 'text'
}

/** Bounds that zod sets for every integer are omitted. */
const said = (bound: number | undefined) =>
  bound === undefined || Math.abs(bound) === Number.MAX_SAFE_INTEGER ? undefined : bound

const GIVEN = ['uuid', 'date', 'date-time']

const isObject = ({ type, properties }: Node) => type === 'object' && properties !== undefined

function fieldOf(name: string, raw: Node, required: boolean, when?: Condition): FormField {
  const node = withoutNothing(raw)
  const input = inputOf(node)
  const number = node.type === 'integer' || node.type === 'number'
  const { facts = {} } = node
  const condition = { ...when, ...facts.when }
  const unit = facts.unit ?? (number ? unitByName(name) : '')
  const field = {
    name,
    input,
    required: required || facts.needed === true,
    label: facts.label,
    hint: facts.hint,
    initial: facts.proposed ?? node.default,
    unit: unit || undefined,
    secret: facts.secret || input === 'password' || undefined,
    when: Object.keys(condition).length > 0 ? condition : undefined,
    fixed: facts.fixed,
    ordered: facts.ordered,
    rule: facts.rule,
    nonzero: facts.nonzero,
    refersTo: facts.refersTo,
    names: facts.names,
    nullable: (input === 'number' && raw.anyOf?.some(({ type }) => type === 'null')) || undefined,
    whole: node.type === 'integer' && input === 'number' ? true : undefined,
    ...(number
      ? { min: said(node.minimum), max: said(node.maximum), above: said(node.exclusiveMinimum) }
      : {}),
    minLength: node.minLength,
    maxLength: node.maxLength,
    // Forms never need a UUID or a date as text.
    pattern:
      node.pattern === undefined || facts.rule || GIVEN.includes(node.format ?? '')
        ? undefined
        : [node.pattern, node.flags ?? ''],
    shape:
      facts.rule ??
      (node.pattern === undefined || GIVEN.includes(node.format ?? '') ? undefined : node.shape),
    trims: node.trims,
    options: node.enum ?? node.items?.enum,
    minItems: node.minItems,
    maxItems: node.maxItems,
    items: node.items && !isObject(node.items) ? fieldOf('', node.items, true) : undefined,
    fields: isObject(node)
      ? fieldsOf(node)
      : node.items && isObject(node.items)
        ? fieldsOf(node.items)
        : undefined,
  }
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined)) as FormField
}

/** The fields of one object; for a discriminated union, the fields of each branch on condition of that branch. */
function fieldsOf(node: Node, when?: Condition): FormField[] {
  const branches = node.oneOf ?? node.anyOf
  if (branches?.every(isObject)) return ofBranches(branches)
  return Object.entries(node.properties ?? {}).map(([name, property]) =>
    fieldOf(name, property, node.required?.includes(name) ?? false, when),
  )
}

function ofBranches(branches: readonly Node[]): FormField[] {
  const [first] = branches
  const key = Object.keys(first?.properties ?? {}).find((name) =>
    branches.every(({ properties }) => properties?.[name]?.const !== undefined),
  )
  if (key === undefined) return []
  const branchOf = ({ properties }: Node) => properties?.[key]?.const as Scalar
  const choice: FormField = {
    name: key,
    input: 'choice',
    required: true,
    options: branches.map(branchOf).filter((value) => typeof value !== 'boolean'),
  }
  const found = new Map<string, FormField>([[key, choice]])
  for (const branch of branches)
    for (const field of fieldsOf(branch)) {
      if (field.name === key) continue
      const values = [...(found.get(field.name)?.when?.[key] ?? []), branchOf(branch)]
      found.set(field.name, { ...field, when: { ...field.when, [key]: values } })
    }
  return [...found.values()]
}

/**
 * The fields of a body, of a command's arguments or of a config page, in the order of the schema. What no input can
 * represent (a map, a union of objects without a discriminator) becomes a text that only the server checks.
 */
export const formOf = (schema: z.ZodType): readonly FormField[] => fieldsOf(nodeOf(schema))
