/** Why an operation was refused: its code in words. What the code was about stands in the object and the body. */
import { gatherRefusals } from '#infra/refusals'
import type { Language } from '#schema/kit/refusal'

const BLANK = '…'
const byCode = new Map([...(await gatherRefusals()).values()].map((refusal) => [refusal.code, refusal]))

/** @returns null where there is no more to say: done, unknown, or a text of nothing but blanks. */
export function reasonText(code: number, language: Language): string | null {
  const text = byCode.get(code)?.[language].replace(/\{\w+\}/g, BLANK) ?? ''
  return /\p{L}/u.test(text) ? text : null
}
