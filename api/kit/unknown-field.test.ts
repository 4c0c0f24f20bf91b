import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { unknownField } from './unknown-field.ts'

const inner = z.object({ a: z.number() })
const cases: readonly [what: string, schema: z.ZodType, known: unknown, unknown: unknown, path: string][] = [
  ['an object', inner, { a: 1 }, { a: 1, b: 2 }, 'b'],
  ['an object in an object', z.object({ i: inner }), { i: { a: 1 } }, { i: { a: 1, c: 1 } }, 'i.c'],
  ['a list', z.object({ l: z.array(inner) }), { l: [{ a: 1 }] }, { l: [{ a: 1 }, { a: 1, b: 1 }] }, 'l.1.b'],
  ['an optional one', inner.optional(), undefined, { a: 1, b: 1 }, 'b'],
  ['a default', inner.default({ a: 1 }), { a: 1 }, { a: 1, b: 1 }, 'b'],
  ['a nullable one', z.object({ n: inner.nullable() }), { n: null }, { n: { a: 1, b: 1 } }, 'n.b'],
  ['a refined one', inner.refine(() => true), { a: 1 }, { a: 1, b: 1 }, 'b'],
  ['a transformed one', inner.transform(({ a }) => a), { a: 1 }, { a: 1, b: 1 }, 'b'],
  ['a record', z.record(z.string(), inner), { x: { a: 1 } }, { x: { a: 1, b: 1 } }, 'x.b'],
  ['one of two', z.union([inner, z.object({ b: z.number() })]), { b: 1 }, { b: 1, c: 1 }, 'c'],
  [
    'a discriminated one',
    z.discriminatedUnion('k', [inner.extend({ k: z.literal(1) }), z.object({ k: z.literal(2) })]),
    { k: 1, a: 1 },
    { k: 2, a: 1 },
    'a',
  ],
  ['no prototype', inner, { a: 1 }, { a: 1, toString: 1 }, 'toString'],
]

it.each(cases)('%s', (_what, schema, known, unknown, path) => {
  expect(unknownField(schema, known)).toBeNull()
  expect(unknownField(schema, unknown)).toBe(path)
})

it('a field declared to accept anything accepts it', () => {
  expect(unknownField(z.looseObject({ a: z.number() }), { a: 1, b: { c: 1 } })).toBeNull()
  expect(unknownField(z.record(z.string(), z.unknown()), { b: { c: 1 } })).toBeNull()
  expect(unknownField(z.unknown(), { b: { c: 1 } })).toBeNull()
})

describe('an unknown field that would be dropped is refused, and nothing is done', async () => {
  const { app, call, token, tenants, context } = await apiTest()
  const { admin } = tenants.a

  it.each([
    ['zh-CN', '未知字段'],
    ['zh-TW', '未知欄位'],
    ['en-US', 'is not known'],
  ])('in %s', async (language, words) => {
    const answer = await call('device/getDeviceList', { serach: 'x' }, admin, { 'accept-language': language })
    expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field: 'serach' })
    expect(answer.message).toContain(words)
  })

  it('in the body of a call that writes', async () => {
    const body = { groupName: 'Misspelled', parentGroup: 1 }
    expect(await call('device/addGroup', body, admin)).toMatchObject({ field: 'parentGroup' })
    expect(await context.sql`select 1 from groups where name = 'Misspelled'`).toHaveLength(0)
  })

  it('within what a body holds', async () => {
    const answer = await call('device/moveDevices', { filter: { onlin: 'online' }, groupId: 1 }, admin)
    expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field: 'filter.onlin' })
  })

  it('in a query string', async () => {
    const headers = { token: await token(admin), 'accept-language': 'en-US' }
    const ask = async (url: string) => (await app.inject({ url, headers })).json()
    expect(await ask('/api/user/getUserDetails?x=1')).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'x',
    })
    expect(await ask('/api/user/getUserDetails')).toMatchObject({ code: 0 })
  })
})
