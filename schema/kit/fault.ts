/** What is wrong with a value, and its message: the same in a form and in a refusal. */
import type { Say } from './say.ts'
import type { ShapeName } from './shape.ts'

/** Why a value is not accepted; its text is `kit:fault.<reason>`. */
export type Reason =
  | 'required'
  | 'text'
  | 'whole'
  | 'number'
  | 'format'
  | 'choice'
  | 'shorter'
  | 'longer'
  | 'empty'
  | 'fewer'
  | 'more'
  | 'less'
  | 'greater'
  | 'above'
  | 'below'
  | 'zero'
  | 'twice'
  | 'table'
  | 'readOnly'
  | 'powered'
  | 'unknown'
  | 'deep'
  | 'fields'

/** `n` is the violated bound, if any; `shape` is what a text in the wrong format must look like. */
export type Fault = { readonly reason: Reason; readonly n?: number; readonly shape?: ShapeName }

/** What a failed `refine` says: `.refine(isTimeZone, because({ reason: 'format', shape: 'timeZone' }))`. */
export const because = (fault: Fault) => ({ params: { fault } })

/** "must not be greater than 65535", in the user's language. */
export const faultText = ({ reason, n, shape }: Fault, say: Say): string =>
  shape === undefined
    ? say(`kit:fault.${reason}`, n === undefined ? {} : { n, count: n })
    : say(`form:shape.${shape}`)

/** With the name of the field before it, as in the refusal `invalid`. */
export const faultSentence = (field: string, fault: Fault, say: Say): string =>
  say('kit:fault.sentence', { field, reason: faultText(fault, say) })
