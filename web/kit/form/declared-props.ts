/** A hand-made input from its declared field: label, help, bounds and whether it is required. */
import type { FormField } from '#schema/kit/field'
import type { Key } from '#schema/kit/words.gen'
import { t, tOr } from '../i18n.ts'

export type DeclaredForm = {
  /** The file with the texts of the fields: `<word>:field.<name>`, `<word>:hint.<name>`, `<word>:<name>.<choice>`. */
  readonly word: string
  readonly fields: readonly FormField[]
}

/** @throws if there is no such field */
export function fieldNamed({ fields }: DeclaredForm, name: string): FormField {
  const found = fields.find((field) => field.name === name)
  if (!found) throw new Error(`this form has no field ${name}`)
  return found
}

export type Bounds = { maxLength?: number; min?: number; max?: number }
export function boundsOfField({ maxLength, min, max }: FormField): Bounds {
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  }
}

/** The same text as in a refusal of the field. */
export const labelOfField = ({ word }: DeclaredForm, { label, name }: FormField): string =>
  t(label ?? (`${word}:field.${name}` as Key))

export const hintOfField = ({ word }: DeclaredForm, { hint, name }: FormField): string | undefined =>
  hint ? t(hint) : tOr(`${word}:hint.${name}`, '') || undefined

type Labelled = { label: string; description?: string; withAsterisk: boolean }

/** For a switch, a choice or anything else without bounds. */
export function labelProps(form: DeclaredForm, name: string): Labelled {
  const field = fieldNamed(form, name)
  const description = hintOfField(form, field)
  return {
    label: labelOfField(form, field),
    ...(description ? { description } : {}),
    // A default is what an omitted value means.
    withAsterisk: field.required && field.initial === undefined,
  }
}

export const fieldProps = (form: DeclaredForm, name: string): Labelled & Bounds => ({
  ...labelProps(form, name),
  ...boundsOfField(fieldNamed(form, name)),
})
