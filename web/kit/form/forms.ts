/** The declared fields of calls as plain data, generated when the console is built (web/declared-values.ts). */
import forms from 'virtual:forms'
import type { Call } from '#schema/kit/call'
import type { FormField } from '#schema/kit/field'
import type { Key } from '#schema/kit/words.gen'
import { t } from '../i18n.ts'

export type DeclaredForm = {
  /** The file with the texts of the fields: `<word>:field.<name>`, `<word>:hint.<name>`, `<word>:<name>.<choice>`. */
  readonly word: string
  readonly fields: readonly FormField[]
}

/** @throws if the call neither writes nor uploads, and so has no form */
export function declaredForm(call: Call): DeclaredForm {
  const form = forms[call.name]
  if (!form) throw new Error(`${call.name} has no form`)
  return form
}

/** For a hand-made input, which takes its bounds from here. @throws if there is no such field */
export function declaredField(call: Call, name: string): FormField {
  const found = declaredForm(call).fields.find((field) => field.name === name)
  if (!found) throw new Error(`${call.name} has no field ${name}`)
  return found
}

/** The label of a hand-made input, as a refusal of the field says it. */
export const declaredLabel = (call: Call, name: string): string =>
  t(declaredField(call, name).label ?? (`${declaredForm(call).word}:field.${name}` as Key))

/** As properties of an input. */
export function boundsOf(call: Call, name: string): { maxLength?: number; min?: number; max?: number } {
  const { maxLength, min, max } = declaredField(call, name)
  return {
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  }
}
