/** Labels of the fields of a body: the same as in the form that asks for them. */
import { gatherWords } from '#infra/gather'
import { textIn } from '#infra/say'
import { type Call, isCall } from '#schema/kit/call'
import { type FormField, labelKeyOf } from '#schema/kit/field'
import { formOf } from '#schema/kit/form'
import type { Language } from '#schema/kit/refusal'

const words = await gatherWords(isCall)
/** Computed only when a body is refused: most calls never need it. */
const forms = new Map<Call, readonly FormField[]>()

function fieldsOf(call: Call): readonly FormField[] {
  const known = forms.get(call)
  if (known) return known
  const fields = formOf(call.body)
  forms.set(call, fields)
  return fields
}

/** @returns the path itself where no form asks for the field */
export const fieldLabel = (call: Call, path: string, language: Language): string =>
  textIn(language, labelKeyOf(words.get(call) ?? '', fieldsOf(call), path)) ?? path
