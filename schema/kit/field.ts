/**
 * What a form needs to know about a field beyond its schema. Bounds, choices and defaults are read from the schema
 * itself (form.ts); only what zod cannot express is declared here.
 */
import { z } from 'zod'
import type { Condition } from './condition.ts'
import type { RuleName } from './rules.ts'
import type { ShapeName } from './shape.ts'
import type { Key } from './words.gen.ts'

/** Kinds of input. `fields` is a nested object (a section of a page), `rows` a list of objects. */
export type Input =
  | 'text'
  | 'area'
  | 'number'
  | 'password'
  | 'choice'
  | 'choices'
  | 'tags'
  | 'switch'
  | 'time'
  | 'date'
  | 'moment'
  | 'hex'
  | 'fields'
  | 'rows'
  /** Sent, but not shown: what finds a row again. */
  | 'hidden'

/** Kinds of objects that one part of a document names and other parts refer to by name. */
export const namedThings = [
  'zone',
  'interface',
  'radio',
  'device',
  'uplink',
  'uplinkMember',
  'uplinkPolicy',
] as const
export type Named = (typeof namedThings)[number]

/** How a field refers to such an object; what each form means is declared once, in config/references.ts. */
export type Reference = Named | 'anyZone' | 'laterInterface'

export type FieldFacts = {
  /**
   * The key of its label, used in its form and in refusals. Default: `<word>:field.<name>`, for the word that declares
   * the call.
   */
  readonly label?: Key
  /** Help below it. Default: `<word>:hint.<name>`, if that text exists. */
  readonly hint?: Key
  /** Default: derived from the schema: `number`, `switch`, `choice`, `text` … */
  readonly input?: Input
  /** Default: derived from the name (`delayS`: s), see unit.ts. */
  readonly unit?: string
  /**
   * Never stored in a draft, never shown again, never in the operation log. Fields with the input `password` are always
   * secret; `false`: it only sounds like one (secret.ts).
   */
  readonly secret?: boolean
  /** Shown, checked and sent only while this is true for the other fields. */
  readonly when?: Condition
  /** Required while it is shown, although the schema lets it be absent: it is not sent while it is hidden. */
  readonly needed?: true
  /** A check that a pattern cannot express; browser and server run the same function. */
  readonly rule?: RuleName
  /** A number that must not be 0. */
  readonly nonzero?: true
  /**
   * Shown, never edited: hardware. For a list of objects: its rows are neither added nor removed, and are matched by
   * id.
   */
  readonly fixed?: true
  /** A list of objects whose order means something: its rows can be moved. */
  readonly ordered?: true
  /** Initial value of the form; default: the default of the schema. */
  readonly proposed?: unknown
  /** The kind of object that its text, or each of its texts, refers to. The form offers the existing ones. */
  readonly refersTo?: Reference
  /** The kind of object that its text names: all such fields together define the existing ones. */
  readonly names?: Named
}

/** One field as plain data: what the browser gets. */
export type FormField = {
  readonly name: string
  readonly input: Input
  readonly required: boolean
  /** See labelKeyOf. */
  readonly label?: Key
  readonly hint?: Key
  /** The form's initial value. */
  readonly initial?: unknown
  readonly unit?: string
  readonly secret?: true
  readonly when?: Condition
  readonly fixed?: true
  readonly ordered?: true
  readonly rule?: RuleName
  /** A number that may be null: nothing, where absent would be "as it was". */
  readonly nullable?: true
  /** Numbers: inclusive bounds; `above` is an exclusive lower one. */
  readonly whole?: true
  readonly min?: number
  readonly max?: number
  readonly above?: number
  readonly nonzero?: true
  /** Texts, in characters. The pattern is its source and its flags. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: readonly [string, string]
  /** What the pattern or the rule requires. */
  readonly shape?: ShapeName
  readonly trims?: true
  /** Of a choice, in the order of the schema; numbers stay numbers. */
  readonly options?: readonly (string | number)[]
  /** Lists: number of entries, and their schema. */
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: FormField
  /** Of `fields` and `rows`. */
  readonly fields?: readonly FormField[]
  readonly refersTo?: Reference
  readonly names?: Named
}

const facts = z.registry<FieldFacts>()

/**
 * Declares what a form needs to know about this field. The schema is copied, so that other fields with the same
 * schema are not affected.
 */
export function field<S extends z.ZodType>(schema: S, said: FieldFacts): S {
  const own = schema.clone(schema._zod.def) as S
  facts.add(own, { ...facts.get(schema), ...said })
  const described = z.globalRegistry.get(schema)
  if (described) z.globalRegistry.add(own, described)
  return own
}

/** A field that is read by its receiver only: see `secret` above. */
export const secret = <S extends z.ZodType>(schema: S): S => field(schema, { secret: true })

/** The same fields with the keys of their labels, where these are not `<word>:field.<name>`. */
export const labelled = <F extends Readonly<Record<string, z.ZodType>>>(
  fields: F,
  labels: Readonly<Partial<Record<keyof F & string, Key>>>,
): F =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      name,
      labels[name] ? field(schema, { label: labels[name] }) : schema,
    ]),
  ) as F

/** The key of a field's label, for which there may be no text. For a nested field, the key of its section. */
export function labelKeyOf(word: string, fields: readonly FormField[], path: string): string {
  const name = path.split('.')[0] ?? path
  return fields.find((one) => one.name === name)?.label ?? `${word}:field.${name}`
}

export const factsOf = (schema: z.core.$ZodType): FieldFacts | undefined => facts.get(schema)
