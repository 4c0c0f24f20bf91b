/**
 * Reads a message directly from its bytes by code generated from its declaration: no text, no object for the whole, no
 * separate check.
 */
import type { z } from 'zod'
import { asNode, hasOnly, type Node } from './quick-check.ts'

/** The fields of a message that are single values. */
export type Flat<T> = {
  readonly [K in keyof T as NonNullable<T[K]> extends string | number | boolean ? K : never]: T[K]
}

/**
 * Returns the single values of the message between `from` and `to` if zod would accept the message and return it
 * unchanged; the other values are only checked. Otherwise null: `JSON.parse` and zod must read it. Each call returns
 * the same object, whose values are those of the last call as long as `bytes` are unchanged.
 */
export type QuickRead<T> = (bytes: Buffer, from: number, to: number) => Flat<T> | null

/** A declaration with something that only zod can check. */
class NotQuick extends Error {}

function only(node: Node, ...words: string[]): void {
  if (!hasOnly(node, ...words)) throw new NotQuick(Object.keys(node).join())
}

/** A repeated class of characters, which is checked byte by byte. */
const REPEATED = /^\^(\[(?:[^\\\]]|\\\w(?:\{\w+\})?)+\])(\*|\+|\{(\d+)\})\$$/
const ASCII = 128

type TextRules = { least: number; most: number; allowed: Uint8Array; pattern: RegExp | null }

/** Other than plain ASCII, and escapes, are left to `JSON.parse`: so a text has as many characters as bytes. */
function textRules(node: Node): TextRules {
  only(node, 'minLength', 'maxLength', 'pattern', 'flags')
  let least = Number(node['minLength'] ?? 0)
  let most = Number(node['maxLength'] ?? Number.MAX_SAFE_INTEGER)
  const flags = String(node['flags'] ?? '')
  const source = node['pattern'] === undefined ? null : String(node['pattern'])
  const [, characters, times, exactly] = (source !== null && REPEATED.exec(source)) || []
  if (times === '+') least = Math.max(least, 1)
  if (exactly !== undefined) {
    least = Math.max(least, Number(exactly))
    most = Math.min(most, Number(exactly))
  }
  const one = characters ? new RegExp(`^${characters}$`, flags) : /./
  const allowed = new Uint8Array(256)
  for (let code = 32; code < ASCII; code++)
    if (code !== QUOTE && code !== BACKSLASH && one.test(String.fromCharCode(code))) allowed[code] = 1
  return { least, most, allowed, pattern: source === null || characters ? null : new RegExp(source, flags) }
}

const QUOTE = 34
const BACKSLASH = 92
/** The bits of a number say which fields have been read. */
const FIELDS_MAX = 30

/** Values up to this many digits are exact, as is their quotient by a power of ten [Clinger 1990]. */
const READERS = `
const powers = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]
/** Where the next byte is, and where the last text was. */
let p = 0, textFrom = 0, textTo = 0

/** An integer of up to 15 digits, NaN for anything else. */
function integer(b) {
  let q = p
  const negative = b[q] === 45
  if (negative) q++
  const begin = q
  let d = b[q] - 48
  if (d < 0 || d > 9) return NaN
  let n = d
  d = b[++q] - 48
  if (n === 0 && d >= 0 && d <= 9) return NaN
  const nine = begin + 9
  while (d >= 0 && d <= 9 && q < nine) { n = (n * 10 + d) | 0; d = b[++q] - 48 }
  let whole = n
  if (d >= 0 && d <= 9) {
    let m = 0
    while (d >= 0 && d <= 9 && q - begin < 16) { m = (m * 10 + d) | 0; d = b[++q] - 48 }
    if (q - begin > 15) return NaN
    whole = n * powers[q - nine] + m
  }
  p = q
  return negative ? -whole : whole
}

/** A number of up to 15 digits without exponent, NaN for anything else. */
function decimal(b) {
  const begin = p
  const negative = b[p] === 45
  const whole = integer(b)
  if (b[p] !== 46 || whole !== whole) return whole
  const point = p
  let q = point + 1
  let m = 0
  let d = b[q] - 48
  if (d < 0 || d > 9) return NaN
  while (d >= 0 && d <= 9 && q - point < 10) { m = (m * 10 + d) | 0; d = b[++q] - 48 }
  if ((d >= 0 && d <= 9) || q - begin > 16) return NaN
  const power = powers[q - point - 1]
  p = q
  return negative ? -((-whole * power + m) / power) : (whole * power + m) / power
}

function text(b, to, allowed, least, most) {
  if (b[p] !== 34) return false
  let q = p + 1
  while (q < to && allowed[b[q]] === 1) q++
  if (q >= to || b[q] !== 34) return false
  textFrom = p + 1
  textTo = q
  p = q + 1
  return q - textFrom >= least && q - textFrom <= most
}
`

/** Writes the code. What it cannot contain as text (tables, patterns) is passed to it in `values`. */
class Writer {
  readonly values: unknown[] = []
  readonly functions: string[] = []
  readonly texts: string[] = []

  value(value: unknown): string {
    this.values.push(value)
    return `values[${this.values.length - 1}]`
  }

  constant(value: unknown): string {
    const name = `c${this.functions.length}_${this.values.length}`
    this.functions.push(`const ${name} = ${this.value(value)}`)
    return name
  }

  /** A function that moves past a value of this kind, and returns whether it fits. */
  skipper(body: string): string {
    const name = `skip${this.functions.length}`
    this.functions.push(`function ${name}(b, to) {${body}}`)
    return name
  }

  /** Statements that read a value at `p`, or leave with `no`. `field`: the field of the result that gets it. */
  read(node: Node, no: string, field?: string): string {
    switch (node['type']) {
      case 'integer':
      case 'number':
        return this.number(node, no, field)
      case 'string':
        return this.text(node, no, field)
      case 'boolean':
        return this.boolean(node, no, field)
      case 'array':
        return `if (!${this.list(node)}(b, to)) ${no};`
      case 'object':
        return `if (!${this.skipper(this.object(node, 'return false', 'return true', false))}(b, to)) ${no};`
      default:
        throw new NotQuick(String(node['type']))
    }
  }

  private number(node: Node, no: string, field?: string): string {
    only(node, 'minimum', 'maximum')
    const least = Number(node['minimum'] ?? -Number.MAX_VALUE)
    const most = Number(node['maximum'] ?? Number.MAX_VALUE)
    return `const n = ${node['type'] === 'integer' ? 'integer' : 'decimal'}(b); if (!(n >= ${least} && n <= ${most})) ${no};${field ? `out.${field} = n;` : ''}`
  }

  private text(node: Node, no: string, field?: string): string {
    const { least, most, allowed, pattern } = textRules(node)
    const fits = pattern && ` || !${this.constant(pattern)}.test(b.latin1Slice(textFrom, textTo))`
    if (field) this.texts.push(field)
    return `if (!text(b, to, ${this.constant(allowed)}, ${least}, ${most})${fits ?? ''}) ${no};${field ? `out.${field}From = textFrom; out.${field}To = textTo;` : ''}`
  }

  private boolean(node: Node, no: string, field?: string): string {
    only(node)
    const is = (word: string) => [...word].map((c, i) => `b[p + ${i}] === ${c.charCodeAt(0)}`).join(' && ')
    return `const yes = ${is('true')}; if (!yes && !(${is('false')})) ${no}; p += yes ? 4 : 5;${field ? `out.${field} = yes;` : ''}`
  }

  private list(node: Node): string {
    only(node, 'items', 'minItems', 'maxItems')
    const least = Number(node['minItems'] ?? 0)
    const most = Number(node['maxItems'] ?? Number.MAX_SAFE_INTEGER)
    return this.skipper(`
      if (b[p] !== 91) return false
      p++
      if (b[p] === 93) { p++; return ${least} === 0 }
      for (let count = 1; count <= ${most}; count++) {
        ${this.read((node['items'] ?? {}) as Node, 'return false')}
        if (b[p] === 44) { p++; if (b[p] === 32) p++ }
        else { if (b[p] !== 93) return false; p++; return count >= ${least} }
      }
      return false`)
  }

  /** `top`: the message itself, whose single values are put into `out`. */
  object(node: Node, no: string, yes: string, top: boolean): string {
    only(node, 'properties', 'required', 'additionalProperties')
    if (node['additionalProperties'] !== false) throw new NotQuick('any fields')
    const fields = Object.entries((node['properties'] ?? {}) as Record<string, Node>)
    if (fields.length > FIELDS_MAX || fields.some(([name]) => !/^\w+$/.test(name)))
      throw new NotQuick('names')
    const required = (node['required'] ?? []) as string[]
    const bit = (name: string) => 1 << fields.findIndex(([known]) => known === name)
    const one = ([name, inner]: [string, Node]) => {
      const key = [...`${name}":`].map((c, i) => `b[p + ${i + 1}] === ${c.charCodeAt(0)}`).join(' && ')
      return `if (${key}) {
        if (seen & ${bit(name)}) ${no};
        seen |= ${bit(name)}; p += ${name.length + 3}; if (b[p] === 32) p++;
        ${this.read(inner, no, top ? name : undefined)}
      }`
    }
    const cases = Object.entries(Object.groupBy(fields, ([name]) => name.charCodeAt(0))).map(
      ([first, some]) => `case ${first}: ${(some ?? []).map(one).join(' else ')} else ${no}; break;`,
    )
    const need = required.reduce((all, name) => all | bit(name), 0)
    const absent = top
      ? fields
          .filter(([name]) => !required.includes(name))
          .map(([name, { type }]) =>
            type === 'string'
              ? `if (!(seen & ${bit(name)})) out.${name}To = -1;`
              : type === 'object' || type === 'array'
                ? ''
                : `if (!(seen & ${bit(name)})) out.${name} = undefined;`,
          )
          .join('')
      : ''
    return `
      if (b[p] !== 123) ${no};
      p++
      let seen = 0
      if (b[p] === 125) p++
      else for (;;) {
        if (b[p] !== 34) ${no};
        switch (b[p + 1]) { ${cases.join('\n')} default: ${no}; }
        const c = b[p++]
        if (c === 125) break
        if (c !== 44) ${no};
        if (b[p] === 32) p++
      }
      if ((seen & ${need}) !== ${need}) ${no};
      ${absent}
      ${yes}`
  }
}

function generate<T>(schema: z.ZodType<T>): QuickRead<T> {
  const writer = new Writer()
  const node = asNode(schema)
  if (node['type'] !== 'object') throw new NotQuick('not an object')
  // Every byte read lies before `to`: nothing but a text goes past the brace at its end.
  const body = writer.object(node, 'return null', 'return p === to ? out : null', true)
  const names = Object.entries((node['properties'] ?? {}) as Record<string, Node>)
  const slots = names.flatMap(([name, { type }]) =>
    type === 'string'
      ? [`${name}From: 0`, `${name}To: -1`]
      : type === 'object' || type === 'array'
        ? []
        : [`${name}: undefined`],
  )
  const getters = writer.texts.map(
    (name) =>
      `get ${name}() { return this.${name}To < 0 ? undefined : this.bytes.latin1Slice(this.${name}From, this.${name}To) }`,
  )
  const code = `'use strict'
    ${READERS}
    ${writer.functions.join('\n')}
    const out = { bytes: null, ${[...slots, ...getters].join(', ')} }
    return (b, from, to) => {
      if (to - from < 2 || b[to - 1] !== 125) return null
      p = from
      out.bytes = b
      ${body}
    }`
  // The code is made of our own declarations only.
  return new Function('values', code)(writer.values) as QuickRead<T>
}

const made = new WeakMap<z.ZodType, QuickRead<never>>()

/** For declarations that it does not understand, the function always returns null. */
export function quickRead<T>(schema: z.ZodType<T>): QuickRead<T> {
  const known = made.get(schema)
  if (known) return known as unknown as QuickRead<T>
  let read: QuickRead<T>
  try {
    read = generate(schema)
  } catch (error) {
    if (!(error instanceof NotQuick)) throw error
    read = () => null
  }
  made.set(schema, read as unknown as QuickRead<never>)
  return read
}
