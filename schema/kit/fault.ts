/** What is wrong with a value, and its message: the same in a form and in a refusal. */
import type { Say } from './say.ts'

/** Why a value is not accepted; its text is `kit:fault.<reason>`. */
export type Reason =
  | 'required'
  | 'whole'
  | 'number'
  | 'format'
  | 'shorter'
  | 'longer'
  | 'fewer'
  | 'more'
  | 'less'
  | 'greater'
  | 'above'
  | 'below'
  | 'unknown'
  | 'deep'
  | 'fields'

/** `n` is the violated bound, if any. */
export type Fault = { readonly reason: Reason; readonly n?: number }

/** "must not be greater than 65535", in the user's language. */
export const faultText = ({ reason, n }: Fault, say: Say): string =>
  say(`kit:fault.${reason}`, n === undefined ? {} : { n })

/** With the name of the field before it, as in the refusal `invalid`. */
export const faultSentence = (field: string, fault: Fault, say: Say): string =>
  say('kit:fault.sentence', { field, reason: faultText(fault, say) })
