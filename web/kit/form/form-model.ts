/** A page's fields combined with the declared ones: the page chooses labels and pickers, the declaration the rest. */
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { holds } from '#schema/kit/condition'
import type { FormField, Input } from '#schema/kit/field'
import { initialOf } from '#schema/kit/values'
import type { Key } from '#schema/kit/words.gen'
import type { Option } from '../list/list-types.ts'
import type { DeclaredForm } from './forms.ts'

export type FormValues = Record<string, unknown>

/** A page's configuration of a field. Only the name is required: the rest overrides the declaration. */
export type Field = {
  name: string
  /** Where this form calls it otherwise than its declaration does. */
  label?: Key
  /** Default: `<word>:hint.<name>`, if that text exists. */
  hint?: Key
  placeholder?: string
  /** If this page requires it beyond the declaration: a choice that only some users must make. */
  required?: boolean
  /** The names of declared choices, by value. Default: `<word>:<name>.<value>`. */
  choices?: () => Readonly<Record<string, string>>
  /** The options of a picker. A hook, so it may use calls. */
  useOptions?: () => readonly Option[]
  /** A picker with search on the server; `known` is the current choice. */
  useFound?: (search: string) => readonly Option[]
  known?: Option | undefined
  /** Lists and choices that are cleared when this choice changes, whether they are shown or not. */
  empties?: readonly string[]
  /** The field is shown only while this is true, in addition to the declared condition. */
  when?: (values: FormValues) => boolean
  /** Bounds that depend on the row; all others are declared. */
  min?: number
  max?: number
  /** A unit that depends on the row, after the number. */
  unit?: string
  /** Names of its values, for reading; if `useOptions` and `useFound` do not provide them. */
  useNames?: () => readonly Option[]
  /** Renders the field if no input fits, or if its options depend on other values. May use hooks. */
  Draw?: (drawn: Drawn) => ReactNode
  /** Of a drawn field: it needs no more room than an input of one line. Default: the whole width. */
  narrow?: boolean
  /** Never stored in a draft; declared secrets never are. */
  secret?: boolean
}

export type Drawn = {
  /** For `data-path` of the input, by which a field with an error is found. */
  name: string
  label: string
  hint: string | undefined
  required: boolean
  value: unknown
  error: ReactNode
  set: (value: unknown) => void
  /** The values of the other fields. */
  values: FormValues
}

/** A field as rendered: the page's configuration combined with the declaration. */
export type ShownField = Omit<Field, 'label' | 'hint' | 'required' | 'choices' | 'unit'> & {
  /** The path of its value in the form: `name`, or `rows.0.port`. */
  path: string
  input: Input | 'find'
  label: string
  hint: string | undefined
  required: boolean
  declared: FormField | undefined
  /** Shown after a number; undefined if the label contains it. */
  unit: string | undefined
  /** For a declared choice. */
  options: readonly Option[] | undefined
  /** For nested fields and rows. */
  fields: readonly ShownField[]
}

/** A text that may not exist. */
export const textOr = (
  key: string,
  otherwise: string | undefined,
  params: Readonly<Record<string, unknown>> = {},
) => (i18next.exists(key) ? i18next.t(key, { ...params }) : otherwise)

/** The text keys of a form. */
export type FormTexts = {
  label: (name: string) => string
  hint: (name: string) => string | undefined
  choice: (name: string, value: string) => string
  /** Labels do not contain the unit: the declared one is shown. */
  units: boolean
}
/** Symbols such as dBm are the same in all languages, and have no text. */
const unitText = (unit: string | undefined) =>
  unit === undefined ? undefined : textOr(`kit:unit.${unit}`, unit)

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
  const { label, hint, choices, required, unit, ...rest } = field
  const { name } = field
  const inside = prefix === '' ? name : `${prefix}.${name}`
  const named = choices?.()
  const key = label ?? declared?.label
  return {
    ...rest,
    path: inside,
    input: inputOf(field, declared),
    label: key ? i18next.t(key) : texts.label(inside.replace(/\.\d+(?=\.)/g, '')),
    hint:
      hint || declared?.hint
        ? i18next.t(hint ?? declared?.hint ?? '')
        : texts.hint(inside.replace(/\.\d+(?=\.)/g, '')),
    required: required ?? declared?.required ?? false,
    declared,
    unit: unit ?? (texts.units ? unitText(declared?.unit) : undefined),
    options: declared?.options?.map((value) => ({
      value: String(value),
      label: named?.[String(value)] ?? texts.choice(name, String(value)),
    })),
    fields: (declared?.fields ?? []).map((inner) => shown({ name: inner.name }, inner, texts, inside)),
  }
}

/** The fields of a form in the page's order. */
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

/** The fields of one row, or of a section, at their path in the form. */
export const at = (fields: readonly ShownField[], from: string, to: string): readonly ShownField[] =>
  fields.map((field) => ({
    ...field,
    path: `${to}${field.path.slice(from.length)}`,
    fields: at(field.fields, from, to),
  }))

/** The initial value of its input; choices are stored as text. */
export function beginsWith({ declared, input }: ShownField): unknown {
  const value = declared ? initialOf(declared) : ''
  if (input === 'choice' && typeof value === 'number') return String(value)
  return input === 'choices' && Array.isArray(value) ? value.map(String) : value
}

/** Whether it is shown now. */
export const isAsked = ({ when, declared }: ShownField, values: FormValues): boolean =>
  declared?.input !== 'hidden' &&
  (when?.(values) ?? true) &&
  (declared?.when === undefined || holds(declared.when, values))
