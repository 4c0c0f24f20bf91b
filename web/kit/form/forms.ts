/** The declared fields of calls as plain data, generated when the console is built (web/declared-values.ts). */
import forms from 'virtual:forms'
import openForms from 'virtual:open-forms'
import type { Call } from '#schema/kit/call'
import type { FormField } from '#schema/kit/field'
import {
  type Bounds,
  boundsOfField,
  type DeclaredForm,
  fieldNamed,
  fieldProps,
  labelOfField,
  labelProps,
} from './declared-props.ts'

export type { DeclaredForm }

/** @throws if the call neither writes nor uploads nor says that a form asks for it */
export function declaredForm(call: Call): DeclaredForm {
  const form = forms[call.name] ?? openForms[call.name]
  if (!form) throw new Error(`${call.name} has no form`)
  return form
}

/** For a hand-made input, which takes its bounds from here. @throws if there is no such field */
export const declaredField = (call: Call, name: string): FormField => fieldNamed(declaredForm(call), name)

/** The label of a custom input, the same as in a refusal of the field. */
export const declaredLabel = (call: Call, name: string): string =>
  labelOfField(declaredForm(call), declaredField(call, name))

/** As properties of a hand-made input: label, help, bounds. */
export const declaredProps = (call: Call, name: string) => fieldProps(declaredForm(call), name)
/** The same without bounds, which a checkbox or a choice does not have. */
export const declaredTexts = (call: Call, name: string) => labelProps(declaredForm(call), name)

/** As properties of an input. */
export const boundsOf = (call: Call, name: string): Bounds => boundsOfField(declaredField(call, name))
