/**
 * What a form must know of a field beyond its schema. Bounds, choices and defaults are read from the schema itself
 * (form.ts); only what zod cannot say is declared here.
 */
import { z } from 'zod'
import type { Condition } from './condition.ts'
import type { RuleName } from './rules.ts'

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

export type FieldFacts = {
  /** Default: what the schema suggests: `number`, `switch`, `choice`, `text` … */
  readonly input?: Input
  /** Default: what the name says (`delayS`: s), see unit.ts. */
  readonly unit?: string
  /** Never stored in a draft, never shown again. Fields with the input `password` always are. */
  readonly secret?: boolean
  /** Asked, checked and sent only while this holds of the other fields. */
  readonly when?: Condition
  /** A check that a pattern cannot say; browser and server run the same function. */
  readonly rule?: RuleName
  /** The form starts with this value; default: the default of the schema. */
  readonly proposed?: unknown
}

/** One field, turned into plain data: what the browser gets. */
export type FormField = {
  readonly name: string
  readonly input: Input
  readonly required: boolean
  /** What the form starts with. */
  readonly initial?: unknown
  readonly unit?: string
  readonly secret?: true
  readonly when?: Condition
  readonly rule?: RuleName
  /** Numbers: inclusive bounds; `above` is an exclusive lower one. */
  readonly whole?: true
  readonly min?: number
  readonly max?: number
  readonly above?: number
  /** Texts, in characters. The pattern is its source and its flags. */
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: readonly [string, string]
  readonly trims?: true
  /** Of a choice, in the order of the schema; numbers stay numbers. */
  readonly options?: readonly (string | number)[]
  /** Lists: how many entries, and what each must be. */
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: FormField
  /** Of `fields` and `rows`. */
  readonly fields?: readonly FormField[]
}

const facts = z.registry<FieldFacts>()

/**
 * Declares what a form must know of this field. The schema is copied: facts of one field never reach another that shares
 * its schema.
 */
export function field<S extends z.ZodType>(schema: S, said: FieldFacts): S {
  const own = schema.clone(schema._zod.def) as S
  facts.add(own, { ...facts.get(schema), ...said })
  return own
}

export const factsOf = (schema: z.core.$ZodType): FieldFacts | undefined => facts.get(schema)
