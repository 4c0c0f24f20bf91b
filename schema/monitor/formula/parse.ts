/**
 * The grammar of formulas: numbers, names of inputs, arithmetic, comparisons, and/or/not, a choice, and a few
 * functions. Nothing else exists: no member access, no texts, no assignments, nothing that could reach a prototype.
 */
import { FormulaError, type Token, tokensOf } from './tokens.ts'

export type BinarySign = '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>=' | '==' | '!=' | '&&' | '||'
/** `at` and `to` are positions in the text. */
export type FormulaNode = { at: number; to: number } & (
  | { kind: 'number'; value: number }
  | { kind: 'input'; name: string }
  | { kind: 'unary'; sign: '-' | '!'; of: FormulaNode }
  | { kind: 'binary'; sign: BinarySign; left: FormulaNode; right: FormulaNode }
  | { kind: 'choice'; condition: FormulaNode; then: FormulaNode; otherwise: FormulaNode }
  | { kind: 'call'; name: string; args: FormulaNode[] }
)

export const NODES_MAX = 100
export const DEPTH_MAX = 20

const strength: Readonly<Record<BinarySign, number>> = {
  '||': 1,
  '&&': 2,
  '==': 3,
  '!=': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
}
const strengths = new Map(Object.entries(strength) as [BinarySign, number][])

/** @throws FormulaError */
export function parseFormula(text: string): FormulaNode {
  const tokens = tokensOf(text)
  let place = 0
  let nodes = 0
  let depth = 0
  const end: Token = { kind: 'end', text: '', at: text.length, to: text.length }
  const peek = () => tokens[place] ?? end
  const take = () => tokens[place++] ?? end
  const unexpected = ({ kind, at, text: found }: Token): never => {
    throw new FormulaError(
      kind === 'end' ? { reason: 'ended', at } : { reason: 'unexpected', at, text: found },
    )
  }
  const isSign = (sign: string) => peek().kind === 'sign' && peek().text === sign
  const expect = (sign: string) => (isSign(sign) ? take() : unexpected(peek()))
  const made = <N extends FormulaNode>(node: N): N => {
    nodes++
    if (nodes > NODES_MAX) throw new FormulaError({ reason: 'tooMany', at: node.at })
    return node
  }
  /** The parser is recursive: the depth is limited so that the stack cannot overflow. */
  const deeper = <T>(read: () => T): T => {
    depth++
    if (depth > DEPTH_MAX) throw new FormulaError({ reason: 'tooDeep', at: peek().at })
    const result = read()
    depth--
    return result
  }

  function callOf({ text: name, at }: Token): FormulaNode {
    take()
    const args: FormulaNode[] = []
    if (!isSign(')')) {
      args.push(choice())
      while (isSign(',')) {
        take()
        args.push(choice())
      }
    }
    return made({ kind: 'call', name, args, at, to: expect(')').to })
  }
  function primary(): FormulaNode {
    const token = take()
    const { kind, text: found, at, to } = token
    if (kind === 'number') return made({ kind, value: Number(found), at, to })
    if (kind === 'name') return isSign('(') ? callOf(token) : made({ kind: 'input', name: found, at, to })
    if (found === '(' && kind === 'sign') {
      const inner = choice()
      return { ...inner, at, to: expect(')').to }
    }
    if (kind === 'sign' && (found === '-' || found === '!')) {
      const of = deeper(primary)
      return made({ kind: 'unary', sign: found, of, at, to: of.to })
    }
    return unexpected(token)
  }
  function binary(least: number): FormulaNode {
    let left = primary()
    for (;;) {
      const sign = peek().kind === 'sign' ? (peek().text as BinarySign) : undefined
      const own = sign === undefined ? undefined : strengths.get(sign)
      if (sign === undefined || own === undefined || own < least) return left
      take()
      const right = deeper(() => binary(own + 1))
      left = made({ kind: 'binary', sign, left, right, at: left.at, to: right.to })
    }
  }
  function choice(): FormulaNode {
    return deeper(() => {
      const condition = binary(1)
      if (!isSign('?')) return condition
      take()
      const then = choice()
      expect(':')
      const otherwise = choice()
      return made({ kind: 'choice', condition, then, otherwise, at: condition.at, to: otherwise.to })
    })
  }
  const whole = choice()
  return peek().kind === 'end' ? whole : unexpected(peek())
}
