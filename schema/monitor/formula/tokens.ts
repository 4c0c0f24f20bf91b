/** Splits a formula's text into tokens, with their positions for error messages. */

export const faultReasons = [
  'tooLong',
  'tooMany',
  'tooDeep',
  'tooManyInputs',
  'unexpected',
  'ended',
  'unknownName',
  'unknownFunction',
  'arguments',
] as const

export type FormulaFault = {
  reason: (typeof faultReasons)[number]
  /** Offset in characters. */
  at: number
  /** The text at that position. */
  text?: string
}
/** Thrown within this folder only. */
export class FormulaError extends Error {
  readonly fault: FormulaFault
  constructor(fault: FormulaFault) {
    super(fault.reason)
    this.fault = fault
  }
}

export const FORMULA_MAX = 500

export type Token = {
  kind: 'number' | 'name' | 'sign' | 'end'
  text: string
  at: number /** Behind it. */
  to: number
}

/** Operators of two characters before those of one. `{Voltage L1}` is a name with blanks. */
const pattern =
  /(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)|\{(?<quoted>[^{}]{1,64})\}|(?<name>[\p{L}_][\p{L}\p{N}_]{0,63})|(?<sign><=|>=|==|!=|&&|\|\||[-+*/%<>!?:(),])/uy

const plainName = /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u
/** Formats a name for use in a formula. */
export const formulaName = (name: string): string => (plainName.test(name) ? name : `{${name}}`)

export function tokensOf(text: string): Token[] {
  if (text.length > FORMULA_MAX) throw new FormulaError({ reason: 'tooLong', at: FORMULA_MAX })
  const end = text.trimEnd().length
  const tokens: Token[] = []
  let at = 0
  while (at < end) {
    while (/\s/.test(text[at] ?? '')) at++
    pattern.lastIndex = at
    const found = pattern.exec(text)
    const groups = found?.groups
    if (!found || !groups) {
      // A name that is still being typed.
      if (text[at] === '{' && !text.includes('}', at)) throw new FormulaError({ reason: 'ended', at: end })
      throw new FormulaError({ reason: 'unexpected', at, text: [...text.slice(at)][0] ?? '' })
    }
    const to = at + found[0].length
    const { number, quoted, name, sign } = groups
    // Too great for a number: nothing that is computed with it has a value.
    if (number !== undefined && !Number.isFinite(Number(number)))
      throw new FormulaError({ reason: 'unexpected', at, text: number })
    const kind = number !== undefined ? 'number' : sign !== undefined ? 'sign' : 'name'
    const said = number ?? quoted?.trim() ?? name ?? sign ?? ''
    tokens.push({ kind, text: said, at, to })
    at = to
  }
  return [...tokens, { kind: 'end', text: '', at: end, to: end }]
}
