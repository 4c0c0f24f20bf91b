import { describe, expect, it } from 'vitest'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b, superAdmin } = tenants
type Listed = { list: { gid: number; groupName: string; deviceTotal: number }[]; total: number }
const names = (answer: { data: unknown }) => (answer.data as Listed).list.map(({ groupName }) => groupName)

const remote = {
  name: 'acme-north',
  password: 'north-pass-1',
  ip: '10.128.7.1',
  n2nIfnoMaskbit: 24,
  loginType: 'allow',
  loginNum: 3,
}
await call('device/modifyGroupName', { gid: a.groups.branch, ...remote }, a.admin)

describe('lists of groups', () => {
  it('getGroupList returns every field of a group except the password, and the children of pid', async () => {
    const { data } = await call<Listed>('device/getGroupList', { pid: a.groups.root }, a.admin)
    const { password: _, ...shown } = remote
    expect(data?.list).toMatchObject([
      {
        ...shown,
        gid: a.groups.branch,
        groupName: 'Branch',
        level: 2,
        parentGroupId: a.groups.root,
        parentName: 'Default',
        cid: a.customerId,
        customerName: 'Acme',
        deviceTotal: 2,
        deviceOnline: 0,
        hasPassword: true,
        n2nInfoBridge: false,
        groupServiceDistribution: null,
        port: null,
      },
    ])
    expect(JSON.stringify(data)).not.toContain(remote.password)
  })

  it('fristLevelGroup returns the first level, 50 to a page, of one customer or below pid', async () => {
    await context.sql`
      insert into groups (customer_id, name, level) select ${b.customerId}, 'Site ' || n, 1 from generate_series(1, 60) n`
    const first = await call<Listed>('device/fristLevelGroup', { customer: b.customerId }, superAdmin)
    expect(first.data).toMatchObject({ total: 62, list: { length: 50 } })
    expect(names(await call('device/fristLevelGroup', {}, a.admin))).toEqual(['Default', 'Other'])
    expect(names(await call('device/fristLevelGroup', { pid: a.groups.root }, a.admin))).toEqual(['Branch'])
  })

  it('a normal user sees their groups only, and of their parents not even the name', async () => {
    const { data } = await call<{ list: object[] }>('device/getGroupList', {}, a.viewer)
    expect(data?.list).toMatchObject([{ groupName: 'Branch', parentGroupId: null, parentName: null }])
  })

  it.each([
    ['fristLevelGroup', {}],
    ['fristLevelGroup', { pid: 0, customer: a.customerId }],
    ['getGroupList', { pid: 0 }],
  ])(
    '%s %j answers a confined user the top of his groups, without a word of what is above',
    async (name, body) => {
      const [below] = await context.sql<{ id: number }[]>`
      insert into groups (customer_id, name, parent_id, level) values (${a.customerId}, ${`Leaf ${Math.random()}`}, ${a.groups.branch}, 3)
      returning id`
      const { data } = await call<{ list: { gid: number }[]; total: number }>(
        `device/${name}`,
        body,
        a.viewer,
      )
      expect(data).toMatchObject({
        total: 1,
        list: [{ gid: a.groups.branch, level: 2, parentGroupId: null, parentName: null }],
      })
      expect(names(await call('device/getGroupList', { pid: a.groups.branch }, a.viewer))).toHaveLength(1)
      // An invisible parent is treated like one that does not exist.
      const hidden = await call(`device/${name}`, { ...body, pid: a.groups.root }, a.viewer)
      expect(hidden).toEqual(await call(`device/${name}`, { ...body, pid: 999_999 }, a.viewer))
      await context.sql`delete from groups where id = ${below?.id ?? 0}`
    },
  )

  it('getGroupTree returns all visible groups with the counts of their own devices', async () => {
    await context.sql`update device_states set online = true where device_id = ${a.devices[1]?.id ?? 0}`
    const { data } = await call<{ customers: object[]; list: object[] }>('device/getGroupTree', {}, a.admin)
    expect(data?.customers).toEqual([{ cid: a.customerId, customerName: 'Acme' }])
    expect(data?.list).toMatchObject([
      { groupName: 'Default', deviceTotal: 1, deviceOnline: 0 },
      { groupName: 'Branch', deviceTotal: 2, deviceOnline: 1, parentGroupId: a.groups.root },
      { groupName: 'Other', deviceTotal: 1, deviceOnline: 0 },
    ])
  })

  it('group/cid/list returns the groups of a customer', async () => {
    expect(names(await call('group/cid/list', { cid: a.customerId }, a.admin))).toEqual([
      'Default',
      'Branch',
      'Other',
    ])
  })

  it('group/uid/list returns what that user sees, as far as the actor sees it', async () => {
    const of = async (uid: number, who = a.admin) => names(await call('group/uid/list', { uid }, who))
    expect(await of(a.viewer.id)).toEqual(['Branch'])
    // Being responsible for a group does not make it visible.
    await call('device/modifyGroupName', { gid: a.groups.other, uid: a.viewer.id }, a.admin)
    expect(await of(a.viewer.id)).toEqual(['Branch'])
    expect(await of(a.admin.id)).toEqual(['Default', 'Branch', 'Other'])
    // Subgroups of the user's groups are visible as well.
    await call('device/addGroup', { groupName: 'Twig', parentGroupId: a.groups.branch }, a.admin)
    expect(await of(a.viewer.id)).toEqual(['Branch', 'Twig'])
    expect((await of(superAdmin.id, superAdmin)).length).toBeGreaterThan(4)
    await context.sql`delete from groups where name = 'Twig'`
    expect(await call('group/uid/list', { uid: b.viewer.id }, a.admin)).toMatchObject({
      code: sessionRefusals.noPermission.code,
    })
  })
})

describe('[§7] getGroupList', () => {
  const list = async (body: object) =>
    (await call<Listed>('device/getGroupList', body, a.admin)).data?.list ?? []
  const online = a.devices.find(({ id }) => id > 0)?.id ?? 0

  it('allDevice selects which devices are counted: 0 offline, 1 online, 2 all', async () => {
    const [held] = await context.sql<{ groupId: number; total: number }[]>`
      select group_id as "groupId", count(*)::int as total from devices
      where group_id = (select group_id from devices where id = ${online}) and deleted_at is null group by 1`
    await context.sql`update device_states set online = true where device_id = ${online}`
    const totalOf = async (body: object) =>
      (await list(body)).find(({ gid }) => gid === held?.groupId)?.deviceTotal
    const total = held?.total ?? 0
    expect(await totalOf({})).toBe(total)
    expect(await totalOf({ allDevice: 2 })).toBe(total)
    expect(await totalOf({ allDevice: 1 })).toBe(1)
    expect(await totalOf({ allDevice: 0 })).toBe(total - 1)
    await context.sql`update device_states set online = false where device_id = ${online}`
  })

  it('allGroup 1 lists all groups below pid, 0 its children', async () => {
    await call('device/addGroup', { groupName: 'Leaf', parentGroupId: a.groups.branch }, a.admin)
    const below = async (body: object) => (await list(body)).map(({ groupName }) => groupName)
    expect(await below({ pid: a.groups.root })).not.toContain('Leaf')
    expect(await below({ pid: a.groups.root, allGroup: 0 })).not.toContain('Leaf')
    expect(await below({ pid: a.groups.root, allGroup: 1 })).toEqual(
      expect.arrayContaining(['Branch', 'Leaf']),
    )
    expect(await below({ pid: a.groups.root, allGroup: 1 })).not.toContain('Default')
    expect(await below({ pid: 0, allGroup: 1 })).toEqual(
      expect.arrayContaining(['Default', 'Branch', 'Leaf']),
    )
    expect(await below({ pid: b.groups.root, allGroup: 1 })).toEqual([])
    await context.sql`delete from groups where name = 'Leaf'`
  })
})

describe('queryGroupKeyword', () => {
  const found = async (body: object, who = a.admin) =>
    names(await call('device/queryGroupKeyword', body, who))

  it('finds by a keyword in any column', async () => {
    for (const keyword of ['ranch', 'acme-n', '10.128.7', new Date().toISOString().slice(0, 10)])
      expect(await found({ keyword })).toContain('Branch')
    expect(await found({ keyword: 'acme-n' })).toEqual(['Branch'])
    expect(await found({ keyword: '100%' })).toEqual([])
  })

  it('finds by part of each column', async () => {
    const [server] = await context.sql<{ id: number }[]>`
      insert into n2n_servers (name, address, port, version, token_hash) values ('Edge one', 'sn.example.net', 9200, 3, 'x') returning id`
    await call(
      'device/modifyGroupName',
      { gid: a.groups.branch, groupServiceDistribution: server?.id },
      superAdmin,
    )
    const made = await call<{ gid: number }>(
      'device/addGroup',
      { groupName: 'Leaf', parentGroupId: a.groups.branch },
      a.admin,
    )
    for (const body of [
      { groupname: 'bran' },
      { account: 'NORTH' },
      { ip: '.7.1' },
      { superlink: 'net:9200' },
      { superlink: 'edge' },
      { password: 'north-pass' },
    ])
      expect(await found(body)).toEqual(['Branch'])
    expect(await found({ parentname: 'branch' })).toEqual(['Leaf'])
    expect(await found({ create: 'acme-adm' })).toEqual(['Leaf'])
    expect(await found({ groLevel: 3 })).toEqual(['Leaf'])
    expect(await found({ keyword: null, account: null, password: null, groLevel: 3 })).toEqual(['Leaf'])
    expect(await found({ pid: a.groups.branch })).toEqual(['Branch', 'Leaf'])
    expect(await found({ cname: 'bolt' })).toEqual([])
    expect((await found({ cname: 'bolt' }, superAdmin)).length).toBeGreaterThan(0)
    await call('device/deleteGroup', { groupId: made.data?.gid }, a.admin)
  })

  it('finds what a deleted user created, by the name that the list shows, and no name that it does not', async () => {
    await context.sql`
      insert into former_users (id, username, customer_id) values
        (999998, 'gone-colleague', ${a.customerId}), (999999, 'gone-support', null)`
    const madeBy = (id: number) => context.sql`
      update groups set created_by = ${id} where id = ${a.groups.branch}`
    await madeBy(999_998)
    expect(await found({ create: 'colleague' })).toEqual(['Branch'])
    expect(await found({ keyword: 'gone-' })).toEqual(['Branch'])
    await madeBy(999_999)
    expect(await found({ create: 'gone-' })).toEqual([])
    expect(await found({ create: 'platform' })).toEqual([])
    expect(await found({ create: 'gone-' }, superAdmin)).toEqual(['Branch'])
    await context.sql`update groups set created_by = null where id = ${a.groups.branch}`
  })

  it('counts the devices of a group with those of the groups below it, as the tree beside the list does', async () => {
    const online = a.devices[1]?.id ?? 0
    await context.sql`update device_states set online = true where device_id = ${online}`
    const { data } = await call<{ list: object[] }>('device/queryGroupKeyword', {}, a.admin)
    await context.sql`update device_states set online = false where device_id = ${online}`
    expect(data?.list).toMatchObject([
      { groupName: 'Branch', deviceTotal: 2, treeTotal: 2, treeOnline: 1 },
      { groupName: 'Default', deviceTotal: 1, deviceOnline: 0, treeTotal: 3, treeOnline: 1 },
      { groupName: 'Other', deviceTotal: 1, treeTotal: 1, treeOnline: 0 },
    ])
  })

  it('accepts all its fields with most of them empty, as a form sends them', async () => {
    const names = 'keyword groupname parentname cname create superlink account password ip updatetime'
    const empty = Object.fromEntries(names.split(' ').map((name) => [name, '']))
    const body = { user_id: a.admin.id, offset: 1, limit: 100, pid: 0, groLevel: '', ...empty }
    const whole = await call<{ total: number }>('device/queryGroupKeyword', body, a.admin)
    expect(whole).toEqual(await call('device/queryGroupKeyword', { limit: 100 }, a.admin))
    const first = { pid: 0, offset: 1, limit: 50 }
    expect(await call('device/fristLevelGroup', { ...first, customer: '' }, a.admin)).toEqual(
      await call('device/fristLevelGroup', { ...first, customer: 0 }, a.admin),
    )
    expect((await call('device/fristLevelGroup', { ...first, customer: '' }, a.admin)).code).toBe(0)
  })

  it('searches passwords only for users who may edit groups', async () => {
    expect(await call('device/queryGroupKeyword', { password: 'north' }, a.viewer)).toMatchObject({
      code: sessionRefusals.noPermission.code,
    })
    expect(await found({ password: 'north' }, b.admin)).toEqual([])
  })
})

describe('group/devices', () => {
  const sns = async (body: object, who = a.admin) => {
    const { data } = await call<{ list: { deviceSn: string }[] }>('device/group/devices', body, who)
    return data?.list.map(({ deviceSn }) => deviceSn)
  }
  it('returns the devices of a group, of those below, or the others, searched by serial number', async () => {
    const gid = a.groups.root
    expect(await sns({ gid, queryType: 0 })).toEqual(['Acme-R-00000'])
    expect(await sns({ gid })).toEqual(['Acme-B-00000', 'Acme-B-00001', 'Acme-R-00000'])
    expect(await sns({ gid, queryType: 2 })).toEqual(['Acme-O-00000'])
    expect(await sns({ gid, sn: 'B-00001' })).toEqual(['Acme-B-00001'])
    expect(await sns({ gid, queryType: '', sn: null })).toEqual(await sns({ gid }))
    expect(await sns({ gid, limit: 1, offset: 2 })).toEqual(['Acme-B-00001'])
    expect(await sns({ gid: b.groups.root })).toBeUndefined()
  })
})
