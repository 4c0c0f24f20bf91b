/** Every declared call that writes: its row in the operation log names what it was about [decisions/075]. */

import { expect, it } from 'vitest'
import { aboutFaults } from '#api/kit/about-faults'
import { isStored } from '#api/kit/stored'
import { gatherDeclared, gatherSubjects } from '#infra/gather'
import { deleteContact } from '#schema/alarm/contact'
import { groupObject } from '#schema/group/group-object'
import { edits, uses } from '#schema/kit/about'
import { type Call, isCall } from '#schema/kit/call'
import { accepted } from './accepted/bodies.ts'
import { apiTest } from './api-client.ts'
import { furnishAll } from './furnish-all.ts'
import { bodyFor, fieldsOf, type Ids } from './sample-body.ts'
import { addTenant, type Tenant } from './tenants.ts'

const calls = (await gatherDeclared(isCall)).filter(
  ({ about, permission }) => about && about.does !== 'nothing' && permission !== 'none',
)
const all = await gatherSubjects(new URL('../api/', import.meta.url), isStored)
const { context, app, token, tenants } = await apiTest({ SMTP_URL: 'smtp://127.0.0.1:1' })

async function furnish(tenant: Tenant, call: Call): Promise<Ids> {
  const { shared, own } = await furnishAll(context, tenant)
  return {
    email: `new-${tenant.name.toLowerCase()}@example.test`,
    phone: '13900139000',
    ...shared,
    ...own[call.name],
  }
}

const ask = async (call: Call, body: Ids, who: { username: string }) => {
  const inQuery = call.carrier === 'upload'
  const response = await app.inject({
    method: call.method,
    url: call.path,
    headers: {
      token: await token(who),
      'accept-language': 'en-US',
      ...(inQuery ? { 'content-type': 'application/gzip' } : {}),
    },
    ...(inQuery
      ? {
          query: Object.fromEntries(Object.entries(body).map(([k, v]) => [k, String(v)])),
          payload: (await accepted[call.name]?.file?.()) ?? '',
        }
      : { payload: body }),
  })
  return response.headers['content-type']?.includes('json') ? response.json() : { code: 0 }
}

type Row = {
  object: string | null
  kind: string | null
  objects: { id: string }[] | null
  owner: number | null
  before: Ids | null
  after: Ids | null
}

const pick = (fields: readonly string[], from: Ids = {}) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => fields.includes(name)))

let made = 0
it.each(calls.filter(({ writes }) => writes).map((call) => [call.name, call] as const))(
  '%s',
  async (name, call) => {
    const tenant = await addTenant(context.sql, `Tenant${++made}`)
    const ids = await furnish(tenant, call)
    const { body, who, first } = accepted[name] ?? {}
    const actor = who?.(tenant) ?? tenants.superAdmin
    await token(actor)
    const sampled = {
      ...bodyFor(call, ids),
      ...body?.(tenant),
      ...pick(fieldsOf(call), await first?.(context, tenant, ids)),
    }
    const answer = await ask(call, sampled, actor)
    expect(answer.code, `${JSON.stringify(answer)} to ${JSON.stringify(sampled)}`).toBe(0)
    const [row] = await context.sql<Row[]>`
      select object, object_kind as kind, objects, object_customer_id as owner, before, after from operations
      where call = ${name} and code = 0 order by id desc limit 1`
    const { about } = call
    if (!about || about.does === 'nothing') throw new Error('filtered above')
    expect(row).toMatchObject({ object: expect.stringMatching(/./), kind: about.object.name })
    if (!(about.does === 'makes' && about.by === undefined)) expect(row?.objects?.length).toBeGreaterThan(0)
    // A customer can read what the platform did to its objects.
    const of = all.find(({ object }) => object === about.object)
    if (actor === tenants.superAdmin && of?.customerId && about.does !== 'finds')
      expect(row?.owner).toEqual(expect.any(Number))
    if (about.does === 'deletes') expect(row?.before).toEqual(expect.any(Object))
    if (about.does === 'makes') expect(row?.after).toEqual(expect.any(Object))
    if (about.does === 'edits') {
      // Only changed fields.
      expect(Object.keys(row?.after ?? {})).not.toEqual([])
      for (const [field, value] of Object.entries(row?.after ?? {}))
        if (value !== '***') expect(row?.before?.[field], field).not.toEqual(value)
    }
  },
)

it('refuses to start with a call that declares its object wrongly or not at all', () => {
  const faults = (about: Call['about']) => aboutFaults([{ ...deleteContact, about }], [])
  expect(faults(null)).toEqual(['contact/deleteContact does not say what it is about'])
  expect(faults(uses(groupObject, 'gid'))).toEqual([
    'contact/deleteContact is about group, which is stored nowhere',
    'contact/deleteContact is about its field gid, which its body has not',
  ])
  expect(faults(edits(groupObject, 'contactId'))).toContain(
    'contact/deleteContact edits the part main of group, which has none of that name',
  )
})
