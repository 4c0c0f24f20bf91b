import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkFields } from './check.ts'
import { field } from './field.ts'
import { formOf } from './form.ts'
import { rowId } from './row-id.ts'
import { initialValues, sentValues } from './values.ts'

const wan = z.object({
  mode: z.enum(['dhcp', 'static']).default('dhcp'),
  mtu: z.int().min(576).max(1500).default(1500),
  ip: field(
    z
      .string()
      .max(64)
      .regex(/^[\d.]+$/u)
      .optional(),
    { when: { mode: ['static'] } },
  ),
  idleMs: z.int().min(100).optional(),
  key: field(z.string().min(8).max(63), { input: 'password' }),
  dns: z.array(z.string().max(64)).max(3).default([]),
  routes: z
    .array(z.object({ to: z.string().min(1), metric: z.int().min(0).max(9).default(0) }))
    .max(2)
    .default([]),
  lan: z.object({ dhcp: z.boolean().default(true) }),
})

describe('a declared schema', () => {
  it('marks what is fixed: a value that is never edited, a list whose rows are neither added nor removed', () => {
    const radio = z.object({ band: field(z.string(), { fixed: true }), channel: z.string() })
    const [radios] = formOf(z.object({ radios: field(z.array(radio).max(8).default([]), { fixed: true }) }))
    expect([radios, ...(radios?.fields ?? [])].map((one) => [one?.name, one?.fixed])).toEqual([
      ['radios', true],
      ['band', true],
      ['channel', undefined],
    ])
  })

  it('defines the input, the bounds, the unit, the default and the condition of each field', () => {
    expect(formOf(wan)).toEqual([
      { name: 'mode', input: 'choice', required: false, initial: 'dhcp', options: ['dhcp', 'static'] },
      { name: 'mtu', input: 'number', required: false, initial: 1500, whole: true, min: 576, max: 1500 },
      {
        name: 'ip',
        input: 'text',
        required: false,
        maxLength: 64,
        pattern: ['^[\\d.]+$', 'u'],
        when: { mode: ['static'] },
      },
      { name: 'idleMs', input: 'number', required: false, unit: 'ms', whole: true, min: 100 },
      { name: 'key', input: 'password', required: true, secret: true, minLength: 8, maxLength: 63 },
      {
        name: 'dns',
        input: 'tags',
        required: false,
        initial: [],
        maxItems: 3,
        items: { name: '', input: 'text', required: true, maxLength: 64 },
      },
      {
        name: 'routes',
        input: 'rows',
        required: false,
        initial: [],
        maxItems: 2,
        fields: [
          { name: 'to', input: 'text', required: true, minLength: 1 },
          { name: 'metric', input: 'number', required: false, initial: 0, whole: true, min: 0, max: 9 },
        ],
      },
      {
        name: 'lan',
        input: 'fields',
        required: true,
        fields: [{ name: 'dhcp', input: 'switch', required: false, initial: true }],
      },
    ])
  })

  it('makes the branches of a union depend on their discriminator', () => {
    const union = z.discriminatedUnion('mode', [
      z.object({ mode: z.literal('dhcp'), hostname: z.string().optional(), mtu: z.int() }),
      z.object({ mode: z.literal('static'), ip: z.string(), mtu: z.int() }),
    ])
    expect(formOf(union)).toMatchObject([
      { name: 'mode', input: 'choice', options: ['dhcp', 'static'] },
      { name: 'hostname', when: { mode: ['dhcp'] } },
      { name: 'mtu', when: { mode: ['dhcp', 'static'] } },
      { name: 'ip', required: true, when: { mode: ['static'] } },
    ])
  })

  it('handles optional values, and a text that is trimmed before it is checked', () => {
    const [nick, mail, on] = formOf(
      z.object({
        nick: z.union([z.literal(''), z.string().trim().max(64)]).optional(),
        mail: z.string().trim().max(254).pipe(z.email()),
        on: z
          .union([z.literal(0), z.literal(1), z.boolean()])
          .transform(Number)
          .default(1),
      }),
    )
    expect(nick).toEqual({ name: 'nick', input: 'text', required: false, maxLength: 64, trims: true })
    expect(mail).toMatchObject({ maxLength: 254, trims: true, pattern: [expect.stringContaining('@'), ''] })
    expect(on).toMatchObject({ input: 'switch', required: false })
  })
})

describe('values', () => {
  const fields = formOf(wan)
  const good = { ...initialValues(fields), key: 'right horse' }

  it('begin with the defaults', () => {
    expect(initialValues(fields)).toEqual({
      mode: 'dhcp',
      mtu: 1500,
      ip: '',
      idleMs: '',
      key: '',
      dns: [],
      routes: [],
      lan: { dhcp: true },
    })
  })

  it('a switch whose default is a number begins as a switch, so that it can be sent', () => {
    const numeric = [0, 1].map((initial) => ({
      name: `on${initial}`,
      input: 'switch' as const,
      required: false,
      initial,
    }))
    const begun = initialValues(numeric)
    expect(begun).toEqual({ on0: false, on1: true })
    expect(checkFields(numeric, begun)).toEqual({})
  })

  it.each([
    [{}, {}],
    [{ key: '' }, { key: { reason: 'required' } }],
    [{ key: 'short' }, { key: { reason: 'shorter', n: 8 } }],
    [{ mtu: 1501 }, { mtu: { reason: 'greater', n: 1500 } }],
    [{ mtu: '575' }, { mtu: { reason: 'less', n: 576 } }],
    [{ mtu: 1000.5 }, { mtu: { reason: 'whole' } }],
    [{ mtu: 'many' }, { mtu: { reason: 'number' } }],
    [{ ip: 'not asked' }, {}],
    [{ mode: 'static', ip: 'host' }, { ip: { reason: 'format' } }],
    [{ mode: 'other' }, { mode: { reason: 'choice' } }],
    [{ dns: ['1', '2', '3', '4'] }, { dns: { reason: 'more', n: 3 } }],
    [{ dns: ['x'.repeat(65)] }, { dns: { reason: 'longer', n: 64 } }],
    [
      {
        routes: [
          { to: 'x', metric: 1 },
          { to: '', metric: 10 },
        ],
      },
      { 'routes.1.to': { reason: 'required' }, 'routes.1.metric': { reason: 'greater', n: 9 } },
    ],
  ])('%j', (given, faults) => {
    const values = { ...good, ...given }
    expect(checkFields(fields, values)).toEqual(faults)
    // The browser accepts exactly what the server accepts.
    expect(wan.safeParse(sentValues(fields, values)).success).toBe(Object.keys(faults).length === 0)
  })

  it('a hidden field is a number or a text, as the schema says', () => {
    const body = z.object({
      templateId: field(rowId, { input: 'hidden' }),
      key: field(z.string().max(4), { input: 'hidden' }),
    })
    const hidden = formOf(body)
    for (const [values, faults] of [
      [{ templateId: 3, key: 'a' }, {}],
      [{ templateId: 0, key: 'a' }, { templateId: { reason: 'above', n: 0 } }],
      [{ templateId: 3, key: 'abcde' }, { key: { reason: 'longer', n: 4 } }],
    ] as const) {
      expect(checkFields(hidden, values)).toEqual(faults)
      expect(body.safeParse(values).success).toBe(Object.keys(faults).length === 0)
    }
  })

  it('a text that may be empty, and null as well, keeps its bounds', () => {
    const empty = z.literal('').transform(() => null)
    const field = z.union([empty, z.string().max(64)])
    expect(formOf(z.object({ a: field.nullish(), b: field.optional() }))).toMatchObject([
      { input: 'text', maxLength: 64 },
      { input: 'text', maxLength: 64 },
    ])
  })

  it('a number that may be null is null when it is emptied: absent would leave it as it was', () => {
    const plan = z.object({
      planMb: z.coerce.number().int().min(0).nullish(),
      level: z.coerce.number().optional(),
    })
    expect(sentValues(formOf(plan), { planMb: '', level: '' })).toEqual({ planMb: null })
    expect(sentValues(formOf(plan), { planMb: '5' })).toEqual({ planMb: 5 })
  })

  it('are sent as declared: numbers, no blanks, no fields that were not shown', () => {
    expect(sentValues(fields, { ...good, mtu: '1400', ip: '10.0.0.1', deviceId: 7 })).toEqual({
      mode: 'dhcp',
      mtu: 1400,
      key: 'right horse',
      dns: [],
      routes: [],
      lan: { dhcp: true },
      deviceId: 7,
    })
  })
})
