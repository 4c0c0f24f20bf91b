/**
 * Tests for every declared call: a new declaration is automatically tested against missing permissions and other
 * tenants.
 */

import { afterAll, describe, expect, it } from 'vitest'
import { buildServer } from '#api/server'
import { gatherDeclared } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import { sessionRefusals } from '#schema/people/session-refusals'
import { missingOf } from './furnish.ts'
import { furnishAll } from './furnish-all.ts'
import { testContext } from './harness.ts'
import { bodyFor, fieldsOf, type Ids } from './sample-body.ts'
import { addDevices, seedTenants, TEST_PASSWORD, type Tenant } from './tenants.ts'

const calls = await gatherDeclared(isCall)
const context = await testContext()
const tokens = new Map<string, string>()
const tenants = await seedTenants(context)
const app = await buildServer(context)
await app.ready()

/** Each request uses the next of 250 addresses: together they exceed the limit of one address per minute. */
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

/** Creates one of everything that a customer can own; the name `Bolt` marks the other customer's. */
async function furnish(tenant: Tenant, only?: 'inGroups'): Promise<Record<string, Ids>> {
  const found = await furnishAll(context, tenant, only)
  return {
    '*': found.shared,
    ...Object.fromEntries(
      Object.entries(found.own).map(([call, ids]) => [call, { ...found.shared, ...ids }]),
    ),
  }
}

/** Known before the tests are defined: which of them a call gets depends on its ids. */
const own: Readonly<Record<'a' | 'b' | 'other', Record<string, Ids>>> = {
  a: await furnish(tenants.a),
  b: await furnish(tenants.b),
  // Objects of the same customer in a group that the confined user does not see.
  other: await furnish(
    {
      ...tenants.a,
      name: 'Hidden',
      groups: { ...tenants.a.groups, root: tenants.a.groups.other, branch: tenants.a.groups.other },
      devices: await addDevices(context.sql, tenants.a.customerId, tenants.a.groups.other, 'Hidden-', 3),
    },
    'inGroups',
  ),
}
const idsOf = (owner: keyof typeof own, call: Call): Ids => own[owner][call.name] ?? own[owner]['*'] ?? {}

// One role without functions; one with every function of a customer, confined to a group.
await context.sql`
  insert into users (username, password_hash, type, role_id, customer_id)
  select 'powerless', password_hash, 'customerAdmin', null, customer_id from users where id = ${tenants.a.admin.id}
  union all select 'confined', password_hash, 'normal', role_id, customer_id from users where id = ${tenants.a.admin.id}`
await context.sql`
  insert into user_groups (user_id, group_id) select id, ${tenants.a.groups.branch} from users where username = 'confined'`
for (const username of [
  ...[tenants.a.admin, tenants.a.operator, tenants.a.viewer, tenants.b.admin, tenants.superAdmin].map(
    (user) => user.username,
  ),
  'powerless',
  'confined',
]) {
  const payload = { username, password: TEST_PASSWORD }
  const answer = await app.inject({ method: 'POST', url: '/api/userLogin', payload })
  tokens.set(username, answer.json().data.token)
}
afterAll(() => app.close())

/** Objects of the whole customer: a user confined to groups sees them, too. */
const everybodys =
  /^(alarm\/.*(Channel|NoteTemplate|Maintenance)|collectionTemplate\/|configFile\/|contact\/|package\/|printer\/.*Driver|role\/|terminal\/getTerminalTemplates|variable\/(?!getVariableValues)|view\/)/
const everybodysIds = [
  'customerId',
  'cid',
  'spId',
  'contactId',
  'channelId',
  'roleId',
  'logo',
  'icon',
  'variableId',
]

const token = (user: { username: string }) => tokens.get(user.username)
const json = (entry: Call) => entry.name

describe.each(calls.filter((call) => call.permission !== 'none').map((call) => [json(call), call] as const))(
  '%s',
  (_name, call) => {
    it('refuses without a token, with garbage, and with a token signed "none"', async () => {
      const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sid":"00000000-0000-4000-8000-000000000000","uid":1}').toString('base64url')}.`
      for (const given of [undefined, 'garbage', none, 'iot_nothing']) {
        expect((await send(call, bodyFor(call, idsOf('a', call)), given)).code).toBe(
          sessionRefusals.notLoggedIn.code,
        )
      }
    })

    if (typeof call.permission === 'object')
      it('refuses an actor without its function', async () => {
        expect((await send(call, bodyFor(call, idsOf('a', call)), tokens.get('powerless'))).code).toBe(
          sessionRefusals.noPermission.code,
        )
      })

    const known = idsOf('a', call)
    const idFields = fieldsOf(call).filter((field) => `${missingOf(known)[field]}` !== `${known[field]}`)
    if (idFields.length > 0)
      it('treats another customer’s ids exactly like ids that do not exist, and reveals nothing', async () => {
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

    if (!everybodys.test(call.name) && call.name !== 'userLogout')
      it('treats ids of invisible groups exactly like ids that do not exist, and shows nothing in them', async () => {
        const fields = idFields.filter(
          (field) => !everybodysIds.includes(field) && field in idsOf('other', call),
        )
        const ask = (ids: Ids) =>
          send(call, bodyFor(call, pick(ids, fields, idsOf('a', call))), tokens.get('confined'))
        const foreign = await ask(idsOf('other', call))
        const absent = await ask(missingOf(idsOf('a', call)))
        expect(foreign.code).not.toBe(sessionRefusals.notLoggedIn.code)
        if (fields.length > 0)
          expect({ ...foreign, text: strip(foreign.text) }).toEqual({ ...absent, text: strip(absent.text) })
        if (!call.writes)
          expect((await send(call, bodyFor(call), tokens.get('confined'))).text + foreign.text).not.toContain(
            'Hidden',
          )
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
            // The viewer may not write: the values would never be looked at.
            token(call.writes ? tenants.a.admin : tenants.a.viewer),
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

it('has ids for the calls: without them half of the tests above would be missing', () => {
  expect(
    calls.filter((call) => fieldsOf(call).some((field) => field in idsOf('a', call))).length,
  ).toBeGreaterThan(100)
})

function pick(from: Ids, fields: readonly string[], rest: Ids): Ids {
  return {
    ...rest,
    ...Object.fromEntries(fields.filter((field) => field in from).map((field) => [field, from[field]])),
  }
}

/** Values that differ between two equal responses: ids we sent, times, request ids. */
function strip(text: string): string {
  return text
    .replace(/"requestId":"[^"]*"/g, '')
    .replace(/"at":\[[^\]]*\]/g, '')
    .replace(/"sample":\["\d+"\]/g, '')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T')
}

it('a user who was moved to another customer sees nothing of the former one, with their old token', async () => {
  await context.sql`update users set customer_id = ${tenants.b.customerId} where id = ${tenants.a.admin.id}`
  // What the user named themselves stays theirs.
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
