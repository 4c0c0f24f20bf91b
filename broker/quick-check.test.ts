import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { status } from '#schema/device/status'
import { quickCheck } from './quick-check.ts'

const odd: unknown[] = [
  null,
  undefined,
  '',
  'x',
  'a\u0000b',
  '\ud800',
  'x'.repeat(300),
  0,
  -1,
  1.5,
  1e300,
  -1e-300,
  2 ** 53,
  true,
  [],
  [1],
  {},
  { x: 1 },
]

/** Every way to replace, drop or add one value somewhere in the sample. */
function* variants(value: unknown): Generator<unknown> {
  for (const other of odd) yield other
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) for (const other of variants(item)) yield value.with(i, other)
    yield Array.from({ length: 33 }, () => value[0])
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, unknown: 1 }
    for (const [key, item] of Object.entries(value))
      for (const other of variants(item)) yield { ...value, [key]: other }
  }
}

describe('the quick check', () => {
  it('accepts the declared example of status', () => {
    expect(quickCheck(status.payload)(status.example)).toBe(true)
  })

  it('never accepts what zod would refuse or change, and accepts most of the rest', () => {
    const quick = quickCheck(status.payload)
    let yes = 0
    let zodYes = 0
    for (const variant of variants(status.example)) {
      const json: unknown = variant === undefined ? null : JSON.parse(JSON.stringify(variant))
      const parsed = status.payload.safeParse(json)
      const unchanged = parsed.success && JSON.stringify(parsed.data) === JSON.stringify(json)
      if (unchanged) zodYes++
      if (!quick(json)) continue
      yes++
      expect(unchanged, JSON.stringify(json)).toBe(true)
    }
    expect(yes).toBe(zodYes)
    expect(yes).toBeGreaterThan(40)
  })

  it.each([
    ['a default', z.object({ a: z.number().default(1) }), {}],
    ['a transform', z.object({ a: z.string().transform((text) => text.trim()) }), { a: ' x' }],
    ['a union', z.object({ a: z.union([z.string(), z.number()]) }), { a: 1 }],
    ['trimming', z.object({ a: z.string().trim() }), { a: ' x' }],
    ['case', z.object({ a: z.string().regex(/^[^a]$/i) }), { a: 'A' }],
    ['an inner refinement', z.object({ a: z.number().refine((n) => n > 1) }), { a: 1 }],
    ['a catch', z.object({ a: z.number().catch(1) }), { a: 'x' }],
    ['a refinement', z.object({ a: z.number().refine((n) => n > 1) }).refine(() => true), { a: 1 }],
  ])('leaves %s to zod', (what, schema, value) => {
    const parsed = schema.safeParse(value)
    const unchanged = parsed.success && JSON.stringify(parsed.data) === JSON.stringify(value)
    if (!unchanged) expect(quickCheck(schema)(value), what).toBe(false)
  })
})
