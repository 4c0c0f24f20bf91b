/**
 * The forms of calls that need no login, apart from the others: the login page is the first thing that is loaded, and
 * needs two of a hundred.
 */
import forms from 'virtual:open-forms'
import type { Call } from '#schema/kit/call'
import { type DeclaredForm, fieldProps } from './declared-props.ts'

/** @throws if the call needs a login, or has no such field */
export function openProps(call: Call, name: string) {
  const form: DeclaredForm | undefined = forms[call.name]
  if (!form) throw new Error(`${call.name} has no form without a login`)
  return fieldProps(form, name)
}
