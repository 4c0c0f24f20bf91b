/**
 * No edit is lost [decisions/059]: every declared call that edits is tested with an old edition, and by two users at
 * once.
 */

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { type Call, isCall } from '#schema/kit/call'
import type { EditConflict } from '#schema/kit/edition'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { accepted } from './accepted/bodies.ts'
import { apiTest } from './api-client.ts'
import { furnishAll } from './furnish-all.ts'
import { bodyFor, fieldsOf, type Ids } from './sample-body.ts'

const calls = await gatherDeclared(isCall)
const edits = calls.filter((call) => call.writes && fieldsOf(call).includes('edition'))

/** These edit, or are named as if they did, but need no edition, because each sets only one thing: */
const excused = [
  'advertisement/enableAdvertisement',
  'alarm/enableAlarmRule',
  'device/clearGroupRemote',
  'device/levelUp',
  'n2nServer/updateGroupInfo',
  'north/switchNorth',
  'south/switchSouth',
  'terminal/hideTerminal',
  'user/setUserStatus',
  'variable/hideVariable',
  'variable/saveVariables',
  'variable/setVariableValue',
  'variableNotice/enableVariableNotice',
]

const { context, call, app, token, tenants } = await apiTest()
const { a, superAdmin } = tenants
const shared: Record<string, unknown> = {}
const own: Record<string, Ids> = {}
beforeAll(async () => {
  const found = await furnishAll(context, a)
  Object.assign(shared, found.shared)
  Object.assign(own, found.own)
  const [server] = await context.sql<{ id: number }[]>`
    insert into n2n_servers (name, address, port, version, token_hash) values ('Before', 'sn.example.test', 9100, 3, 'x') returning id`
  shared['serverId'] = server?.id
})

const bodyOf = (edit: Call): Record<string, unknown> => ({
  ...bodyFor(edit, { email: 'changed@example.test', phone: '13900139000', ...shared, ...own[edit.name] }),
  ...accepted[edit.name]?.body?.(a),
})
const whoOf = (edit: Call) => accepted[edit.name]?.who?.(a) ?? superAdmin

const send = (edit: Call, edition: string, more: object = {}) =>
  call<EditConflict | null>(edit.name, { ...bodyOf(edit), ...more, edition }, whoOf(edit))

const readers = calls.filter(
  ({ reply, writes, permission }) =>
    !writes &&
    permission !== 'none' &&
    JSON.stringify(z.toJSONSchema(reply, { io: 'input', unrepresentable: 'any' })).includes('"edition"'),
)
/** Whether some read returns this edition, from which the edit can start. */
async function isTold(edition: string | undefined, edit: Call): Promise<boolean> {
  const headers = { 'accept-language': 'en-US', token: await token(whoOf(edit)) }
  const area = edit.name.split('/')[0] ?? ''
  const near = readers.toSorted((x, y) => Number(y.name.startsWith(area)) - Number(x.name.startsWith(area)))
  for (const read of near) {
    const payload = bodyFor(read, { ...shared, ...own[read.name], pid: undefined, limit: 200 })
    const asked = { method: read.method, url: read.path, headers }
    const answer = await app.inject(read.method === 'GET' ? asked : { ...asked, payload })
    if (answer.body.includes(`dition":"${edition}"`)) return true
  }
  return false
}
/** A device's pin is two numbers in one field. */
const fieldNames = [...edits.flatMap(fieldsOf), 'longitude', 'latitude']

it('is accepted by every call that edits, and by every one that is named as if it did', () => {
  const named = calls.filter(
    ({ name, writes, about }) =>
      about?.does === 'edits' ||
      (writes && about?.does !== 'makes' && /\/(modify|update|save|set|place|edit)[A-Z]/.test(name)),
  )
  const without = named.filter((one) => !edits.includes(one)).map(({ name }) => name)
  expect(without.toSorted()).toEqual(excused)
  expect(edits.length).toBeGreaterThan(15)
})

describe.each(edits.map((edit) => [edit.name, edit] as const))('%s', (_name, edit) => {
  let first: EditConflict

  it('refuses an edit from another state, returns the current state, and changes nothing', async () => {
    const refused = await send(edit, 'long ago')
    expect(refused, refused.message).toMatchObject({
      code: editionRefusals.changedMeanwhile.code,
      status: 200,
    })
    first = refused.data as EditConflict
    expect(first.edition).toEqual(expect.any(String))
    expect((await send(edit, 'long ago')).data?.edition).toBe(first.edition)
    // A read returned that edition: no refusal is needed to start.
    expect(await isTold(first.edition, edit)).toBe(true)
  })

  it('lets one of two simultaneous edits win, and names its user to the other', async () => {
    const both = await Promise.all([send(edit, first.edition), send(edit, first.edition)])
    expect(both.map(({ code }) => code).toSorted(), JSON.stringify(both)).toEqual([
      0,
      editionRefusals.changedMeanwhile.code,
    ])
    const late = await send(edit, first.edition)
    expect(late).toMatchObject({
      code: editionRefusals.changedMeanwhile.code,
      data: { by: whoOf(edit).username, platform: false, at: expect.any(String) },
    })
    expect(late.message).toContain(whoOf(edit).username)
    // The current fields have the same names as in the body.
    expect(fieldNames).toEqual(expect.arrayContaining(Object.keys(late.data?.now ?? {})))
    // And values that the body takes: the form continues with them.
    const { shape } = edit.body as z.ZodObject
    const untaken = Object.entries(late.data?.now ?? {}).filter(
      ([name, value]) => value !== null && shape[name] && !z.safeParse(shape[name], value).success,
    )
    expect(untaken).toEqual([])
    expect(await isTold(late.data?.edition, edit)).toBe(true)
  })

  it('accepts an edit from the returned state', async () => {
    const { data } = await send(edit, first.edition)
    expect((await send(edit, data?.edition ?? '')).code).toBe(0)
  })

  it('works without an edition, for scripts', async () => {
    expect((await call(edit.name, bodyOf(edit), whoOf(edit))).code).toBe(0)
  })
})

describe('no user is named if the change is not provably theirs', () => {
  const { sql } = context
  const nobody = {
    code: editionRefusals.changedMeanwhile.code,
    data: { by: null, platform: false, at: null },
  }
  const old = { edition: 'long ago' }

  it('the platform switched a channel off', async () => {
    const { channelId } = shared
    const edit = { channelId, name: 'Hook', enabled: true }
    expect((await call('alarm/updateAlarmChannel', edit, a.admin)).code).toBe(0)
    const named = await call('alarm/updateAlarmChannel', { ...edit, ...old }, a.admin)
    expect(named).toMatchObject({ data: { by: a.admin.username } })
    await sql`update alarm_channels set enabled = false, disabled_reason = 'HTTP 410' where id = ${Number(channelId)}`
    expect(await call('alarm/updateAlarmChannel', { ...edit, ...old }, a.admin)).toMatchObject(nobody)
  })

  it('a membership was deleted with its group', async () => {
    const edit = (groupIds: number[]) => ({
      userId: a.viewer.id,
      userType: 'normal',
      realname: 'V',
      groupIds,
    })
    const [made] = await sql<{ id: number }[]>`
      insert into groups (customer_id, name, level) values (${a.customerId}, 'Short-lived', 1) returning id`
    const gid = made?.id ?? 0
    const [role] = await sql<{ id: number }[]>`select role_id as id from users where id = ${a.viewer.id}`
    const both = { ...edit([a.groups.branch, gid]), roleId: role?.id }
    const answer = await call('user/modifyUser', both, a.admin)
    expect(answer, answer.message).toMatchObject({ code: 0 })
    expect(await call('user/modifyUser', { ...both, ...old }, a.admin)).toMatchObject({
      data: { by: a.admin.username },
    })
    expect((await call('device/deleteGroup', { groupId: gid }, superAdmin)).code).toBe(0)
    const one = { ...both, groupIds: [a.groups.branch], ...old }
    expect(await call('user/modifyUser', one, a.admin)).toMatchObject(nobody)
  })

  it('the user of a call for many groups is named for a group that it changed, and only there', async () => {
    const { other, root } = a.groups
    const late = (gid: number, who: { username: string }) =>
      call('device/modifyGroupName', { gid, groupName: 'Late', ...old }, who)
    for (const gid of [other, root])
      expect((await call('device/modifyGroupName', { gid, groupName: `Named ${gid}` }, a.admin)).code).toBe(0)
    await sql`update groups set n2n_server_id = ${Number(shared['serverId'])} where id = ${root}`
    expect(await late(root, a.admin)).toMatchObject(nobody)
    expect(await late(other, a.admin)).toMatchObject({ data: { by: a.admin.username } })
    const both = { n2nInfoIds: [other, root], serverId: shared['serverId'] }
    const done = await call('n2nServer/updateGroupInfo', both, superAdmin)
    expect(done, done.message).toMatchObject({ code: 0 })
    expect(await late(other, superAdmin)).toMatchObject({ data: { by: superAdmin.username } })
    expect(await late(root, superAdmin)).toMatchObject(nobody)
  })
})
