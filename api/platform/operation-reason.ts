/** Why an operation was refused: the text of its code. Object and body are separate columns. */
import { gatherRefusals } from '#infra/refusals'
import { sayIn } from '#infra/say'
import type { Language } from '#schema/kit/refusal'

const BLANK = '…'
const byCode = new Map([...(await gatherRefusals()).values()].map(({ code, text }) => [code, text]))

/**
 * @returns null if there is no text: the operation succeeded, the code is unknown, or the text has only placeholders.
 */
export function reasonText(code: number, language: Language): string | null {
  const key = byCode.get(code)
  const text = key ? sayIn(language)(key).replace(/\{\w+\}/g, BLANK) : ''
  return /\p{L}/u.test(text) ? text : null
}
