import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { reply } from '#schema/command/command'
import { hello } from '#schema/device/hello'
import { log } from '#schema/device/log'
import { status } from '#schema/device/status'
import { isUplink, type Uplink } from '#schema/kit/message'
import { variables } from '#schema/monitor/collection'
import { progress } from '#schema/task/task'
import { variants } from '#test/variants'
import { quickCheck } from './quick-check.ts'

/** What devices send often. */
const frequent = [status, variables, progress, reply, log, hello] as readonly Uplink[]
const uplinks = await gatherDeclared(isUplink)

describe('the quick check', () => {
  it.each(frequent)('accepts the declared example of $name', (uplink) => {
    expect(quickCheck(uplink.payload)(uplink.example)).toBe(true)
  })

  const few = z.object({ a: z.array(z.number()).refine((list) => list.length < 3) })
  it('carries out refinements', () => {
    expect(quickCheck(few)({ a: [1, 2] })).toBe(true)
    expect(quickCheck(few)({ a: [1, 2, 3] })).toBe(false)
    expect(quickCheck(few.refine(({ a }) => a[0] === 1))({ a: [2] })).toBe(false)
    expect(quickCheck(few.refine(() => Promise.resolve(true)))({ a: [2] })).toBe(false)
  })
  it('leaves refinements with access to the context to zod', () => {
    expect(quickCheck(few.superRefine(() => undefined))({ a: [1] })).toBe(false)
  })

  it.each(uplinks)('never accepts of $name what zod would refuse or change', (uplink) => {
    const quick = quickCheck(uplink.payload)
    let yes = 0
    let zodYes = 0
    for (const variant of variants(uplink.example)) {
      const json: unknown = variant === undefined ? null : JSON.parse(JSON.stringify(variant))
      const parsed = uplink.payload.safeParse(json)
      const unchanged = parsed.success && isDeepStrictEqual(parsed.data, json)
      if (unchanged) zodYes++
      if (!quick(json)) continue
      yes++
      expect(unchanged, JSON.stringify(json)).toBe(true)
    }
    if (uplink !== status) return
    expect(yes).toBe(zodYes)
    expect(yes).toBeGreaterThan(40)
  })

  it.each([
    ['a default', z.object({ a: z.number().default(1) }), {}],
    ['a transform', z.object({ a: z.string().transform((text) => text.trim()) }), { a: ' x' }],
    ['a union', z.object({ a: z.union([z.string(), z.number()]) }), { a: 1 }],
    ['trimming', z.object({ a: z.string().trim() }), { a: ' x' }],
    [
      'the first of two objects that fit',
      z.object({ a: z.union([z.object({ x: z.number() }), z.object({ x: z.number(), y: z.number() })]) }),
      { a: { x: 1, y: 2 } },
    ],
    [
      'a text that an earlier one of a union would trim',
      z.object({ a: z.union([z.string().trim(), z.string()]) }),
      { a: ' x' },
    ],
    ['a value of a record', z.object({ a: z.record(z.string(), z.string().trim()) }), { a: { b: ' x' } }],
    ['a name in a record', z.object({ a: z.record(z.string().max(2), z.number()) }), { a: { long: 1 } }],
    ['what anything becomes', z.object({ a: z.unknown().transform(String) }), { a: 1 }],
    ['an address', z.object({ a: z.url() }), { a: 'x' }],
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
