import { describe, expect, it, vi } from 'vitest'
import { BOM } from '#schema/kit/csv'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { TEST_PASSWORD } from '#test/tenants'
import { redact } from '../kit/operation-log.ts'

const { call, tenants, context, app, token } = await apiTest()
const { a, b, systemAdmin } = tenants

type Row = {
  id: number
  call: string
  username: string | null
  platform: boolean
  userId: number | null
  object: string | null
  objectKind: string | null
  objectIds: string[]
  ip: string | null
  result: string
  changes: boolean
}
const list = async (body: object, who: { username: string }) =>
  (await call<{ list: Row[]; total: number }>('log/getOperationList', { limit: 100, ...body }, who)).data
    ?.list ?? []
const add = (row: object) => context.sql`insert into operations ${context.sql(row as never)}`
const exported = async (path: string, body: object, who: { username: string }) =>
  (
    await app.inject({
      method: 'POST',
      url: `/api/log/${path}`,
      headers: { token: await token(who), 'accept-language': 'en-US' },
      payload: body,
    })
  ).body

describe('the operation log', () => {
  it('contains who did what to which object, before and after, from where, with what result', async () => {
    await call('user/updateUser', { nickname: 'Zed' }, a.admin)
    const row = await vi.waitFor(async () => {
      const [found] = await list({ call: 'user/updateUser' }, a.admin)
      if (!found) throw new Error('not yet')
      return found
    }, 40_000)
    expect(row).toMatchObject({
      username: a.admin.username,
      object: a.admin.username,
      objectKind: 'user',
      objectIds: [String(a.admin.id)],
      ip: '127.0.0.1',
      result: 'done',
      changes: true,
      platform: false,
    })
    expect((await call('log/getOperation', { id: row.id }, a.admin)).data).toMatchObject({
      before: { nickname: null },
      after: { nickname: 'Zed' },
      body: { nickname: 'Zed' },
    })
  })

  it('redacts secrets in notes of handlers, at any depth', () => {
    const kept = redact(
      {
        newpassword: 'p1',
        nested: { items: [{ secret: 's1', name: 'kept' }] },
        codes: ['c1'],
        long: 'x'.repeat(5000),
      },
      { has: (name) => ['newpassword', 'secret', 'codes'].includes(name), knows: () => true },
    )
    expect(JSON.stringify(kept)).not.toMatch(/p1|s1|c1/)
    expect(JSON.stringify(kept)).toContain('kept')
    expect(JSON.stringify(kept).length).toBeLessThan(1000)
  })

  it('shows a customer what platform users did to its things, but not their names', async () => {
    const [device] = a.devices
    await call(
      'device/modifyDevice',
      { deviceId: device?.id, deviceName: 'Moved', address: 'There' },
      systemAdmin,
    )
    const seen = await vi.waitFor(async () => {
      const found = (await list({}, a.admin)).find(({ platform }) => platform)
      if (!found) throw new Error('not yet')
      return found
    }, 40_000)
    expect(seen).toMatchObject({ username: null, ip: null })
    expect(
      (await call<{ body: unknown }>('log/getOperation', { id: seen.id }, a.admin)).data?.body,
    ).toBeNull()
    expect(await list({ search: systemAdmin.username }, a.admin)).toEqual([])
    expect(await list({}, b.admin)).not.toContainEqual(expect.objectContaining({ id: seen.id }))
    const own = (await list({}, systemAdmin)).find(({ id }) => id === seen.id)
    expect(own).toMatchObject({ username: systemAdmin.username })
    expect(await list({ userId: own?.userId }, systemAdmin)).toContainEqual(own)
    expect(await list({ userId: own?.userId }, a.admin)).toEqual([])
  })

  it('does not show a customer refused attempts of others on its objects', async () => {
    await call('device/modifyDevice', { deviceId: b.devices[0]?.id, deviceName: 'x', address: 'y' }, a.admin)
    await vi.waitFor(async () => {
      const [found] = await list({ call: 'device/modifyDevice', result: 'refused' }, a.admin)
      if (!found) throw new Error('not yet')
    }, 40_000)
    expect(await list({ result: 'refused' }, b.admin)).toEqual([])
  })

  it('is filtered by user, time, call, object and result', async () => {
    await add({
      username: 'x',
      user_id: 900,
      customer_id: a.customerId,
      call: 'n/one',
      code: 0,
      object: 'Pump 7',
      at: new Date(Date.now() - 3 * 86_400_000),
    })
    await add({
      username: 'x',
      user_id: 900,
      customer_id: a.customerId,
      call: 'n/two',
      code: 500,
      object_kind: 'device',
      objects: context.sql.json([{ id: '9' }, { id: '8' }]),
    })
    const names = async (body: object) =>
      (await list({ userId: 900, ...body }, a.admin)).map((row) => row.call)
    expect(await names({})).toEqual(['n/two', 'n/one'])
    expect(await names({ period: '24' })).toEqual(['n/two'])
    expect(await names({ to: new Date(Date.now() - 86_400_000).toISOString() })).toEqual(['n/one'])
    expect(await names({ call: 'n/one' })).toEqual(['n/one'])
    expect(await names({ search: 'pump' })).toEqual(['n/one'])
    expect(await names({ objectKind: 'device' })).toEqual(['n/two'])
    expect((await list({ userId: 900 }, a.admin)).map(({ objectIds }) => objectIds)).toEqual([['9', '8'], []])
    // A refusal, although its code is higher than those of faults.
    await add({ username: 'x', user_id: 901, customer_id: a.customerId, call: 'n/three', code: 740 })
    expect(await list({ userId: 901, result: 'refused' }, a.admin)).toMatchObject([{ result: 'refused' }])
    expect(await list({ userId: 901, result: 'fault' }, a.admin)).toEqual([])
    expect(await names({ result: 'fault' })).toEqual(['n/two'])
    expect(await names({ order: 'asc', sort: 'at' })).toEqual(['n/one', 'n/two'])
  })

  it('is exported completely, newest first, with a byte order mark and no formulas', async () => {
    await add({
      username: '=cmd()',
      user_id: 901,
      customer_id: a.customerId,
      call: 'n/x',
      code: 0,
      object: '+1',
      before: { a: 1 },
    })
    const csv = await exported('exportOperations', { userId: 901 }, a.admin)
    expect(csv.startsWith(BOM)).toBe(true)
    const [head, line] = csv.slice(1).split('\r\n')
    expect(head).toBe('Time (UTC),User,Customer,Action,Object,Result,Code,IP address,Before,After')
    expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/)
    expect(line).toContain('"\'=cmd()"')
    expect(line).toContain('"\'+1"')
    expect(line).toContain('"{""a"":1}"')
  })

  it('is exported in the reader’s language: with the call names that they send, and without names of platform users', async () => {
    await add({
      username: 'root',
      object_customer_id: a.customerId,
      call: 'n/named',
      code: 0,
      ip: '192.0.2.1',
    })
    const words = { callNames: { 'n/named': 'Name a thing' }, search: 'named' }
    const [, line = ''] = (await exported('exportOperations', words, a.admin)).split('\r\n')
    expect(line).toContain(',Platform administrator,')
    expect(line).toContain(',Name a thing,')
    expect(await exported('exportOperations', { search: 'named' }, a.admin)).toContain(',n/named,')
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`n/${i}`, 'x']))
    expect(await exported('exportOperations', { callNames: many }, a.admin)).toContain('"code":3')
  })

  it.each<[string, () => object, () => string]>([
    [
      'device/modifyDevice',
      () => ({ deviceId: a.devices[0]?.id, deviceName: ' ', address: 'x' }),
      () => `${a.devices[0]?.sn} (#${a.devices[0]?.id})`,
    ],
    [
      'device/deleteDevices',
      () => ({ dids: [a.devices[0]?.id, a.devices[1]?.id] }),
      () => `${a.devices[0]?.sn} (#${a.devices[0]?.id}) +1`,
    ],
    ['device/deleteGroup', () => ({ groupId: a.groups.root }), () => `Default (#${a.groups.root})`],
    ['device/addGroup', () => ({ groupName: 'Branch', level: 9, cid: a.customerId }), () => 'Branch'],
    ['user/deleteUser', () => ({ userId: a.admin.id }), () => `${a.admin.username} (#${a.admin.id})`],
    [
      'user/changePassword',
      () => ({ oldpassword: 'not-mine-1', newpassword: 'new-pass-1', confirmPassword: 'new-pass-1' }),
      () => `${a.admin.username} (#${a.admin.id})`,
    ],
    // An invisible object is shown by the id that the user sent, without a name.
    [
      'device/modifyDevice',
      () => ({ deviceId: b.devices[0]?.id, deviceName: 'x', address: 'x' }),
      () => `#${b.devices[0]?.id}`,
    ],
    ['user/deleteUser', () => ({ userId: b.admin.id }), () => `#${b.admin.id}`],
    ['customer/deleteCustomer', () => ({ customerId: b.customerId }), () => `#${b.customerId}`],
  ])('names the object of the refused %s', async (name, body, object) => {
    expect((await call(name, body(), a.admin)).code).not.toBe(0)
    expect((await list({ call: name, result: 'refused' }, a.admin))[0]).toMatchObject({ object: object() })
  })

  it('shows a customer refused attempts of the platform on its own objects only', async () => {
    const body = { dids: [a.devices[0]?.id], groupId: b.groups.root }
    const before = await list({ call: 'device/moveDevices' }, b.admin)
    expect(
      (await call('device/moveDevices', { ...body, dids: [...body.dids, 0] }, systemAdmin)).code,
    ).not.toBe(0)
    expect(await list({ call: 'device/moveDevices' }, b.admin)).toEqual(before)
    expect((await list({ call: 'device/moveDevices' }, a.admin))[0]).toMatchObject({
      object: `${a.devices[0]?.sn} (#${a.devices[0]?.id})`,
      platform: true,
    })
  })

  it.each(['operations', 'logins'])('%s cannot be changed or deleted', async (table) => {
    const { sql } = context
    await expect(sql`update ${sql(table)} set code = 1`).rejects.toThrow('append-only')
    await expect(sql`delete from ${sql(table)}`).rejects.toThrow('append-only')
    await expect(sql`truncate ${sql(table)}`).rejects.toThrow('append-only')
    await expect(
      sql.begin(async (tx) => {
        await tx`set local iot.upkeep = 'on'`
        await tx`delete from ${sql(table)}`
      }),
    ).rejects.toThrow('append-only')
  })
})

describe('the login history', () => {
  type Login = { username: string; result: string; way: string; ip: string; endedAt: string | null }
  const logins = async (body: object, who: { username: string }) =>
    (await call<{ list: Login[] }>('log/getLoginList', { limit: 100, ...body }, who)).data?.list ?? []

  it('contains successes and failures of the customer’s users, for its administrator only', async () => {
    await call('userLogin', { username: a.viewer.username, password: 'wrong-pass-1' })
    await call('emailLogin', { email: `${a.viewer.username}@example.test`, password: TEST_PASSWORD })
    const rows = await logins({ userId: a.viewer.id }, a.admin)
    expect(rows.map(({ result, way }) => [result, way])).toEqual([
      ['ok', 'email'],
      ['wrongPassword', 'username'],
    ])
    expect(rows[0]).toMatchObject({ username: a.viewer.username, ip: '127.0.0.1', endedAt: null })
    expect(await logins({ userId: a.viewer.id }, b.admin)).toEqual([])
    expect(await logins({ userId: a.viewer.id, result: 'wrongPassword' }, a.admin)).toHaveLength(1)
    await context.sql`delete from login_attempts`
  })

  it('shows unknown names to platform users only', async () => {
    await call('userLogin', { username: 'ghost', password: 'wrong-pass-1' })
    expect(await logins({ search: 'ghost' }, a.admin)).toEqual([])
    expect(await logins({ search: 'ghost' }, systemAdmin)).toMatchObject([{ result: 'wrongPassword' }])
    await context.sql`delete from login_attempts`
  })

  it('contains when a login ended', async () => {
    const mine = (
      await call<{ token: string }>('userLogin', { username: b.viewer.username, password: TEST_PASSWORD })
    ).data
    await call('userLogout', {}, mine?.token)
    expect((await logins({ userId: b.viewer.id }, b.admin))[0]?.endedAt).not.toBeNull()
  })

  it('does not record throttled attempts: a flood fills no table', async () => {
    for (let i = 0; i < 8; i++)
      await call('userLogin', { username: b.operator.username, password: 'wrong-pass-1' })
    expect(await logins({ userId: b.operator.id, result: 'wrongPassword' }, b.admin)).toHaveLength(5)
    const rows =
      await context.sql`select 1 from operations where call = 'userLogin' and code = ${sessionRefusals.tooManyAttempts.code}`
    expect(rows).toHaveLength(0)
    await context.sql`delete from login_attempts`
  })

  it('is exported as CSV', async () => {
    const csv = await exported('exportLogins', { userId: a.viewer.id }, a.admin)
    expect(csv.startsWith(`${BOM}Time (UTC),User name`)).toBe(true)
    expect(csv).toContain(a.viewer.username)
  })

  it('is exported with times in the reader’s zone, and names it', async () => {
    const read = async (zone: string) => {
      const csv = await exported('exportLogins', { userId: a.viewer.id, zone }, a.admin)
      const [head = '', line = ''] = csv.slice(1).split('\r\n')
      return { head, at: Date.parse(`${line.slice(0, 19).replace(' ', 'T')}Z`) }
    }
    const [utc, there] = [await read('UTC'), await read('Asia/Kathmandu')]
    expect(there.head).toMatch(/^Time \(Asia\/Kathmandu\),.*,Logged out \(Asia\/Kathmandu\)$/)
    expect(there.at - utc.at).toBe((5 * 60 + 45) * 60_000)
  })
})
