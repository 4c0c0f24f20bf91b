/** Why an operation was refused: its code in words. What the code was about stands in the object and the body. */
import { gatherRefusals } from '#infra/refusals'
import { sayIn } from '#infra/say'
import type { Language } from '#schema/kit/refusal'

const BLANK = '…'
const byCode = new Map([...(await gatherRefusals()).values()].map(({ code, text }) => [code, text]))

/** @returns null where there is no more to say: done, unknown, or a text of nothing but blanks. */
export function reasonText(code: number, language: Language): string | null {
  const key = byCode.get(code)
  const text = key ? sayIn(language)(key).replace(/\{\w+\}/g, BLANK) : ''
  return /\p{L}/u.test(text) ? text : null
}
