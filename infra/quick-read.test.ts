import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { probe } from '#schema/device/probe'
import { status } from '#schema/device/status'
import { isUplink, type Uplink } from '#schema/kit/message'
import { variants } from '#test/variants'
import { quickRead } from './quick-read.ts'

const uplinks = await gatherDeclared(isUplink)

/** What `JSON.parse` and zod make of it, if that is the message itself. */
function unchanged(schema: z.ZodType, text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text)
    const parsed = schema.safeParse(json)
    return parsed.success && isDeepStrictEqual(parsed.data, json) ? (json as Record<string, unknown>) : null
  } catch {
    return null
  }
}

/** Reads the text from the middle of a buffer. */
function read(schema: z.ZodType, text: string, after = '}{"at":1}'): Record<string, unknown> | null {
  const bytes = Buffer.from(`{"at":1}${text}${after}`)
  const from = 8
  return quickRead(schema)(bytes, from, from + Buffer.byteLength(text)) as Record<string, unknown> | null
}

/** Whether it was read; what it says must be what zod says. */
function readsAsZod(schema: z.ZodType, text: string, after?: string): boolean {
  const said = read(schema, text, after)
  if (said === null) return false
  const wanted = unchanged(schema, text)
  expect(wanted, text).not.toBeNull()
  for (const [name, value] of Object.entries(wanted ?? {}))
    if (typeof value !== 'object') expect(said[name], `${name} of ${text}`).toBe(value)
  for (const name of Object.keys(Object.getPrototypeOf(said) as object)) expect(wanted).toHaveProperty(name)
  return true
}

const spaced = (value: unknown) => JSON.stringify(value).replaceAll(/([,:])(?=["\d{[tfn-])/g, '$1 ')
const reversed = (value: object) => JSON.stringify(Object.fromEntries(Object.entries(value).reverse()))

describe('the quick reader', () => {
  it.each([status, probe] as readonly Uplink[])(
    'reads the declared example of $name, in any order',
    ({ payload, example }) => {
      for (const text of [JSON.stringify(example), reversed(example as object), spaced(example)])
        expect(readsAsZod(payload, text), text).toBe(true)
    },
  )

  it.each(uplinks)('never reads of $name what zod would refuse or change', ({ payload, example }) => {
    for (const variant of variants(example)) {
      const json: unknown = variant === undefined ? null : variant
      readsAsZod(payload, JSON.stringify(json))
      readsAsZod(payload, spaced(json))
    }
  })

  it('reads every variant of a status that zod accepts, except other characters than ASCII', () => {
    for (const variant of variants(status.example)) {
      const text = JSON.stringify(variant ?? null)
      const wanted = unchanged(status.payload, text)
      if (wanted && /^[ -~]*$/.test(text) && !text.includes('\\') && !/\d{16}|e[+-]?\d/.test(text))
        expect(readsAsZod(status.payload, text), text).toBe(true)
    }
  })

  it('never reads a message with a damaged byte differently from zod', () => {
    const text = JSON.stringify(status.example)
    for (let i = 0; i < text.length; i++)
      for (const other of [
        '',
        ' ',
        '"',
        '\\',
        '0',
        '-',
        '.',
        'e',
        ',',
        ':',
        '}',
        ']',
        '{',
        'ä',
        '\n',
        '\u007f',
      ])
        readsAsZod(status.payload, text.slice(0, i) + other + text.slice(i + 1))
  })

  it('never reads past the end of a message', () => {
    const text = JSON.stringify(status.example)
    for (let i = 0; i < text.length; i++)
      expect(read(status.payload, text.slice(0, i), text.slice(i))).toBeNull()
    expect(read(status.payload, `${text} `)).toBeNull()
  })

  const numbers = z.object({ n: z.number().optional(), i: z.int().optional() })
  it.each(
    [
      '0 -0 00 01 1 -1 10 -10 1. .5 0.5 -0.5 0.50 1.25 -.5 +1 - -- 1e3 1E3 1.5e-3 0.1 0.2 0.3 1.1.1 1,1',
      '123456789 1234567890 999999999 1000000000 123456789012345 1234567890123456 9007199254740991 -123456789012345',
      '0.123456789 0.1234567891 123456.123456789 1234567.123456789 99999.999999999 -99999.99999999 4.35 1.005 8.41',
      'true null "1" [] {} NaN Infinity 0x1 1_0 ١',
    ].flatMap((line) => line.split(' ')),
  )('reads the number %s as JSON.parse does, or not at all', (text) => {
    readsAsZod(numbers, `{"n":${text}}`)
    readsAsZod(numbers, `{"i":${text}}`)
  })

  it('reads random decimal numbers exactly', () => {
    for (let i = 0; i < 20_000; i++) {
      const n = (Math.random() - 0.5) * 10 ** (i % 7)
      expect(readsAsZod(numbers, `{"n":${n.toFixed(i % 9)}}`)).toBe(true)
    }
  })

  it('leaves a field that is said twice, or that is not declared, to zod', () => {
    expect(read(numbers, '{"n":1,"n":2}')).toBeNull()
    expect(read(numbers, '{"n":1,"x":2}')).toBeNull()
    expect(read(numbers, '{"__proto__":1}')).toBeNull()
    expect(readsAsZod(numbers, '{}')).toBe(true)
  })

  it('forgets the values of the message before', () => {
    const schema = z.object({
      n: z.number().optional(),
      t: z.string().optional(),
      yes: z.boolean().optional(),
    })
    expect(read(schema, '{"n":1,"t":"x","yes":true}')).toMatchObject({ n: 1, t: 'x', yes: true })
    const said = read(schema, '{}')
    expect([said?.['n'], said?.['t'], said?.['yes']]).toEqual([undefined, undefined, undefined])
  })

  it.each([
    ['a class of characters', /^[a-f0-9]{4}$/, ['12ab', '12AB', '12a', '12abc', '']],
    ['characters at least once', /^[A-Z_]+$/, ['A_', '', 'a']],
    ['any other pattern', /^a(b|c)$/, ['ab', 'ac', 'ad', 'abc']],
    ['ignored case', /^[a-f]*$/i, ['AF', 'g']],
    ['properties of characters', /^[^\p{Cc}]*$/u, ['a b', 'a\u007f']],
  ])('checks %s in a text', (_, pattern, texts) => {
    const schema = z.object({ t: z.string().regex(pattern) })
    for (const text of texts)
      expect(readsAsZod(schema, JSON.stringify({ t: text })), text).toBe(pattern.test(text))
  })

  it.each([
    ['a default', z.object({ a: z.number().default(1) }), '{}'],
    ['a transform', z.object({ a: z.string().transform((text) => text.trim()) }), '{"a":" x"}'],
    ['trimming', z.object({ a: z.string().trim() }), '{"a":" x"}'],
    ['a refinement', z.object({ a: z.number().refine((n) => n > 1) }), '{"a":1}'],
    ['a step', z.object({ a: z.number().multipleOf(2) }), '{"a":1}'],
    ['an open bound', z.object({ a: z.number().gt(1) }), '{"a":1}'],
    ['a choice', z.object({ a: z.enum(['x', 'y']) }), '{"a":"z"}'],
    ['unknown values', z.object({ a: z.unknown().transform(String) }), '{"a":1}'],
    ['an address', z.object({ a: z.url() }), '{"a":"x"}'],
    ['a catch', z.object({ a: z.number().catch(1) }), '{"a":"x"}'],
  ])('leaves %s to zod', (_, schema, text) => {
    expect(read(schema, text)).toBeNull()
  })
})
