/** A page's fields beside the declared ones: the page chooses labels and pickers, the declaration says all the rest. */
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { holds } from '#schema/kit/condition'
import type { FormField, Input } from '#schema/kit/field'
import { initialOf } from '#schema/kit/values'
import type { Key } from '#schema/kit/words.gen'
import type { Option } from '../list/list-types.ts'
import type { DeclaredForm } from './forms.ts'

export type FormValues = Record<string, unknown>

/** What a page says of a field. Only its name is needed: the rest overrides what follows from the declaration. */
export type Field = {
  name: string
  /** Default: `<word>:field.<name>`. */
  label?: Key
  /** Default: `<word>:hint.<name>`, where there is such a text. */
  hint?: Key
  placeholder?: string
  /** Where this page asks for more than the declaration: a choice that only some users must make. */
  required?: boolean
  /** The names of declared choices, by value. Default: `<word>:<name>.<value>`. */
  choices?: () => Readonly<Record<string, string>>
  /** A picker: what can be chosen. A hook, it may read calls. */
  useOptions?: () => readonly Option[]
  /** A picker of one among many, asked from the server as one types; `known` is the present choice. */
  useFound?: (search: string) => readonly Option[]
  known?: Option | undefined
  /** Lists that another choice here empties, whether they are asked now or not. */
  empties?: readonly string[]
  /** Asked only while this holds, beside the declared condition. */
  when?: (values: FormValues) => boolean
  /** Bounds that depend on the row; all others are declared. */
  min?: number
  max?: number
  /** What its values are called, for reading; where `useOptions` and `useFound` do not say it. */
  useNames?: () => readonly Option[]
  /** Draws the field where no input fits, or where its choices depend on other values. May use hooks. */
  Draw?: (drawn: Drawn) => ReactNode
  /** Never kept in a draft; declared secrets never are. */
  secret?: boolean
}

export type Drawn = {
  /** For `data-path` of the input, by which a field at fault is found. */
  name: string
  label: string
  hint: string | undefined
  required: boolean
  value: unknown
  error: ReactNode
  set: (value: unknown) => void
  /** What the other fields hold. */
  values: FormValues
}

/** A field as it is drawn: what the page and the declaration say together. */
export type ShownField = Omit<Field, 'label' | 'hint' | 'required' | 'choices'> & {
  /** Where the form holds its value: `name`, or `rows.0.port`. */
  path: string
  input: Input | 'find'
  label: string
  hint: string | undefined
  required: boolean
  declared: FormField | undefined
  /** Shown after a number; undefined where the label says it. */
  unit: string | undefined
  /** Of a declared choice. */
  options: readonly Option[] | undefined
  /** Of nested fields and of rows. */
  fields: readonly ShownField[]
}

/** A text that may be missing. */
export const textOr = (
  key: string,
  otherwise: string | undefined,
  params: Readonly<Record<string, unknown>> = {},
) => (i18next.exists(key) ? i18next.t(key, { ...params }) : otherwise)

/** Where the texts of a form stand. */
export type FormTexts = {
  label: (name: string) => string
  hint: (name: string) => string | undefined
  choice: (name: string, value: string) => string
  /** Labels do not say the unit: the declared one is shown. */
  units: boolean
}
export const textsOfWord = (word: string): FormTexts => ({
  label: (name) => textOr(`${word}:field.${name}`, name) ?? name,
  hint: (name) => textOr(`${word}:hint.${name}`, undefined),
  choice: (name, value) => textOr(`${word}:${name}.${value}`, value) ?? value,
  units: false,
})

function inputOf(field: Field, declared: FormField | undefined): Input | 'find' {
  if (field.useFound) return 'find'
  const list = declared?.items !== undefined || declared?.input === 'choices'
  return field.useOptions ? (list ? 'choices' : 'choice') : (declared?.input ?? 'text')
}

function shown(field: Field, declared: FormField | undefined, texts: FormTexts, prefix: string): ShownField {
  const { label, hint, choices, required, ...rest } = field
  const { name } = field
  const inside = prefix === '' ? name : `${prefix}.${name}`
  const named = choices?.()
  return {
    ...rest,
    path: inside,
    input: inputOf(field, declared),
    label: label ? i18next.t(label) : texts.label(inside.replace(/\.\d+(?=\.)/g, '')),
    hint: hint ? i18next.t(hint) : texts.hint(inside.replace(/\.\d+(?=\.)/g, '')),
    required: required ?? declared?.required ?? false,
    declared,
    unit: texts.units ? declared?.unit : undefined,
    options: declared?.options?.map((value) => ({
      value: String(value),
      label: named?.[String(value)] ?? texts.choice(name, String(value)),
    })),
    fields: (declared?.fields ?? []).map((inner) => shown({ name: inner.name }, inner, texts, inside)),
  }
}

/** The fields of a form in the order of the page. */
export function shownFields(
  fields: readonly (Field | string)[],
  declared: readonly FormField[],
  texts: FormTexts,
): readonly ShownField[] {
  const byName = new Map(declared.map((field) => [field.name, field]))
  return fields.map((given) => {
    const field = typeof given === 'string' ? { name: given } : given
    return shown(field, byName.get(field.name), texts, '')
  })
}

export const shownOfCall = (fields: readonly (Field | string)[], { word, fields: declared }: DeclaredForm) =>
  shownFields(fields, declared, textsOfWord(word))

/** The fields of one row, or of a section, at their place in the form. */
export const at = (fields: readonly ShownField[], from: string, to: string): readonly ShownField[] =>
  fields.map((field) => ({
    ...field,
    path: `${to}${field.path.slice(from.length)}`,
    fields: at(field.fields, from, to),
  }))

/** What its input begins with; choices are held as text. */
export function beginsWith({ declared, input }: ShownField): unknown {
  const value = declared ? initialOf(declared) : ''
  if (input === 'choice' && typeof value === 'number') return String(value)
  return input === 'choices' && Array.isArray(value) ? value.map(String) : value
}

/** Whether it is asked now. */
export const isAsked = ({ when, declared }: ShownField, values: FormValues): boolean =>
  (when?.(values) ?? true) && (declared?.when === undefined || holds(declared.when, values))
