/** Why an operation was refused: its code in words. What the code was about stands in the object and the body. */
import { refusals } from '#schema/refusals'
import { language } from '../kit/session.ts'

const BLANK = '…'

/** @returns the code alone where there is no more to say: done, unknown, or a text of nothing but blanks. */
export function reasonText(code: number): string {
  const kind = Object.values(refusals).find((one) => one.code === code)
  const text = kind?.[language()].replace(/\{\w+\}/g, BLANK) ?? ''
  return /\p{L}/u.test(text) ? `${code} · ${text}` : String(code)
}
