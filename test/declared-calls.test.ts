/** One test for every declared call: a new declaration arrives already tested against thieves and low roles. */
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { gather, schemaFolder } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { refusals } from '#schema/refusals'
import { type Furnished, isFurnish, missingOf } from './furnish.ts'
import { testContext } from './harness.ts'
import { bodyFor, fieldsOf, type Ids } from './sample-body.ts'
import { seedTenants, TEST_PASSWORD, type Tenant, type Tenants } from './tenants.ts'

const calls = await gather(schemaFolder, isCall)
const context = await testContext()
const tokens = new Map<string, string>()
let tenants: Tenants
let app: FastifyInstance

/** Each request from the next of 250 addresses: all of them together are more than one address may send in a minute. */
let sent = 0

async function send(call: Call, body: Record<string, unknown>, token?: string) {
  const inQuery = call.method === 'GET' || call.carrier === 'upload'
  const response = await app.inject({
    method: call.method,
    url: call.path,
    remoteAddress: `192.0.2.${1 + (sent++ % 250)}`,
    headers: {
      'accept-language': 'en-US',
      ...(token ? { token } : {}),
      ...(call.carrier === 'upload' ? { 'content-type': 'application/gzip' } : {}),
    },
    ...(inQuery ? { query: Object.fromEntries(Object.entries(body).map(([k, v]) => [k, String(v)])) } : {}),
    ...(call.carrier === 'upload'
      ? { payload: Buffer.from('no archive') }
      : inQuery
        ? {}
        : { payload: body }),
  })
  const json = response.headers['content-type']?.includes('json')
    ? (response.json() as { code: number; data: unknown })
    : null
  return { status: response.statusCode, code: json?.code ?? 0, text: response.body }
}

/** One of everything that a customer can own; the name `Bolt` marks the other customer's. */
async function furnish(tenant: Tenant): Promise<Record<string, Ids>> {
  const found: Furnished = { shared: {}, own: {} }
  for (const entry of await gather(new URL('./furnish/', import.meta.url), isFurnish)) {
    const { shared = {}, own = {} } = await entry.run(context, tenant)
    Object.assign(found.shared, shared)
    Object.assign(found.own, own)
  }
  return {
    '*': found.shared,
    ...Object.fromEntries(
      Object.entries(found.own).map(([call, ids]) => [call, { ...found.shared, ...ids }]),
    ),
  }
}

const own: Record<string, Record<string, Ids>> = {}
const idsOf = (owner: string, call: Call): Ids => own[owner]?.[call.name] ?? own[owner]?.['*'] ?? {}

beforeAll(async () => {
  tenants = await seedTenants(context)
  own['a'] = await furnish(tenants.a)
  own['b'] = await furnish(tenants.b)
  app = await buildServer(context)
  await app.ready()
  for (const user of [
    tenants.a.admin,
    tenants.a.operator,
    tenants.a.viewer,
    tenants.b.admin,
    tenants.superAdmin,
  ]) {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      payload: { username: user.username, password: TEST_PASSWORD },
    })
    tokens.set(user.username, answer.json().data.token)
  }
  const [powerless] = await context.sql<{ id: number }[]>`
    insert into users (username, password_hash, type, role_id, customer_id) select 'acme-powerless', password_hash, 'customerAdmin', null, customer_id
    from users where id = ${tenants.a.admin.id} returning id`
  expect(powerless).toBeDefined()
  const answer = await app.inject({
    method: 'POST',
    url: '/api/userLogin',
    payload: { username: 'acme-powerless', password: TEST_PASSWORD },
  })
  tokens.set('powerless', answer.json().data.token)
})
afterAll(() => app?.close())

const token = (user: { username: string }) => tokens.get(user.username)
const json = (entry: Call) => entry.name

describe.each(calls.filter((call) => call.permission !== 'none').map((call) => [json(call), call] as const))(
  '%s',
  (_name, call) => {
    it('refuses without a token, with garbage, and with a token signed "none"', async () => {
      const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sid":"00000000-0000-4000-8000-000000000000","uid":1}').toString('base64url')}.`
      for (const given of [undefined, 'garbage', none, 'iot_nothing']) {
        expect((await send(call, bodyFor(call, idsOf('a', call)), given)).code).toBe(
          refusals.notLoggedIn.code,
        )
      }
    })

    if (typeof call.permission === 'number')
      it('refuses an actor without its function', async () => {
        expect((await send(call, bodyFor(call, idsOf('a', call)), tokens.get('powerless'))).code).toBe(
          refusals.noPermission.code,
        )
      })

    const idFields = fieldsOf(call).filter((field) => field in idsOf('a', call))
    if (idFields.length > 0)
      it('answers another customer’s ids exactly like ids that do not exist, and tells nothing of him', async () => {
        const foreign = await send(
          call,
          bodyFor(call, pick(idsOf('b', call), idFields, idsOf('a', call))),
          token(tenants.a.admin),
        )
        const absent = await send(
          call,
          bodyFor(call, pick(missingOf(idsOf('a', call)), idFields, idsOf('a', call))),
          token(tenants.a.admin),
        )
        expect(foreign.text).not.toContain('Bolt')
        expect({ ...foreign, text: strip(foreign.text) }).toEqual({ ...absent, text: strip(absent.text) })
      })

    it('shows an actor of one customer nothing of the other', async () => {
      for (const user of [tenants.a.admin, tenants.a.operator, tenants.a.viewer]) {
        const answer = await send(
          call,
          bodyFor(
            call,
            pick(
              idsOf('a', call),
              fieldsOf(call).filter((f) => !['pid', 'groupId', 'customerId'].includes(f) || call.writes),
              {},
            ),
          ),
          token(user),
        )
        expect(answer.text).not.toContain('Bolt')
        expect(answer.status).toBeLessThan(500)
      }
    })

    it('survives hostile values in every field with a refusal, never a fault', async () => {
      const base = bodyFor(call, idsOf('a', call))
      const bad: unknown[] = [
        -1,
        1e9,
        'x'.repeat(5000),
        '\u0000',
        '\ud800',
        "'; drop table devices; --",
        {},
        [],
        [[]],
        null,
        true,
        '__proto__',
      ]
      for (const field of fieldsOf(call)) {
        for (const value of bad) {
          // A call that ends the login would end the test.
          if (call.name === 'userLogout') return
          const answer = await send(
            call,
            {
              ...base,
              ...(call.writes ? pick(missingOf(idsOf('a', call)), idFields, {}) : {}),
              [field]: value,
            },
            token(tenants.a.viewer),
          )
          expect(
            answer.status,
            `${field}=${JSON.stringify(value)?.slice(0, 40)} → ${answer.text.slice(0, 200)}`,
          ).toBeLessThan(500)
        }
      }
    })
  },
)

describe.each(calls.filter((call) => 'sorts' in call).map((call) => [json(call), call] as const))(
  'list %s',
  (_name, call) => {
    it('refuses page sizes that are negative, huge or text', async () => {
      for (const limit of [-1, 1e9, 'many']) {
        const answer = await send(
          call,
          { ...bodyFor(call, idsOf('a', call)), limit },
          token(tenants.superAdmin),
        )
        expect(answer.code).toBe(refusals.invalid.code)
        expect(answer.text).toContain('"field":"limit"')
      }
    })

    it('answers data.list and data.total for the super administrator, in every order it declares', async () => {
      for (const sort of (call as Call & { sorts: readonly string[] }).sorts) {
        for (const order of ['asc', 'desc']) {
          const answer = await send(
            call,
            { ...bodyFor(call, idsOf('a', call)), sort, order, search: 'a%_' },
            token(tenants.superAdmin),
          )
          expect(answer.code, answer.text).toBe(0)
          expect(JSON.parse(answer.text).data).toMatchObject({
            list: expect.any(Array),
            total: expect.any(Number),
          })
        }
      }
    })
  },
)

function pick(from: Ids, fields: readonly string[], rest: Ids): Ids {
  return {
    ...rest,
    ...Object.fromEntries(fields.filter((field) => field in from).map((field) => [field, from[field]])),
  }
}

/** What differs between two honest answers anyway: ids we sent, times, request ids. */
function strip(text: string): string {
  return text
    .replace(/"requestId":"[^"]*"/g, '')
    .replace(/"at":\[[^\]]*\]/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
}

it('who was given to another customer sees nothing of the former one, with the token of before', async () => {
  await context.sql`update users set customer_id = ${tenants.b.customerId} where id = ${tenants.a.admin.id}`
  // What he himself named stays his.
  const his = ['view/getSavedViewList', 'token/getApiTokenList']
  const asked = calls.filter(
    ({ name, writes, permission }) => !writes && permission !== 'none' && !his.includes(name),
  )
  for (const call of asked)
    for (const body of [bodyFor(call, idsOf('a', call)), bodyFor(call)])
      expect([call.name, (await send(call, body, token(tenants.a.admin))).text]).toEqual([
        call.name,
        expect.not.stringContaining('Acme'),
      ])
})
