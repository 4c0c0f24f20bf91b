import { describe, expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import { groupRefusals } from '#schema/group/group-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { apiTest } from '#test/api-client'
import { addDevices } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { a, b, superAdmin } = tenants
const { sql } = context

const add = async (body: object, who = a.admin) => call<{ gid: number }>('device/addGroup', body, who)
const made = async (groupName: string, parentGroupId = 0) =>
  (await add({ groupName, parentGroupId })).data?.gid ?? 0
const modify = (gid: number, body: object, who = a.admin) =>
  call('device/modifyGroupName', { gid, ...body }, who)
const remove = (groupId: number, who = a.admin) => call('device/deleteGroup', { groupId }, who)
const row = async (gid: number) => (await sql`select * from groups where id = ${gid}`)[0]

describe('[§5 Group] the name', () => {
  it('is required', async () => {
    expect(await add({ groupName: '  ' })).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'groupName',
      message: 'Group name is required',
    })
    const chinese = { 'accept-language': 'zh-TW' }
    const { message } = await call('device/addGroup', { groupName: 'x'.repeat(65) }, a.admin, chinese)
    expect(message).toBe('群組名稱：最多 64 個字元')
  })

  it('is unique within the customer: duplicate group name', async () => {
    await made('East')
    expect(await add({ groupName: 'East' })).toMatchObject({
      code: groupRefusals.groupNameTaken.code,
      message: 'Group name East already exists',
      field: 'groupName',
    })
    expect((await add({ groupName: 'East' }, b.admin)).code).toBe(0)
    const other = await made('East 2')
    expect((await modify(other, { groupName: 'East' })).code).toBe(groupRefusals.groupNameTaken.code)
  })

  it('of twenty equal groups at once one is created', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add({ groupName: 'Rush' })))
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1)
  })
})

describe('[§3 Group] the place', () => {
  it('of level 2 needs a parent', async () => {
    expect(await add({ groupName: 'Lone', level: 2 })).toMatchObject({
      code: groupRefusals.groupNeedsParent.code,
      field: 'parentGroupId',
      message: 'A group of level 2 needs a group above it',
    })
  })

  it.each(['', null])('of an edit with %j as the parent stays as it was', async (parentGroupId) => {
    const gid = await made(`Below ${parentGroupId}`, a.groups.root)
    const edit = { parentGroupId, groupServiceDistribution: parentGroupId, dataPlanMb: null }
    expect((await modify(gid, edit, superAdmin)).code).toBe(0)
    expect(await row(gid)).toMatchObject({ parent_id: a.groups.root, level: 2, data_plan_mb: null })
  })

  it('has three levels and no fourth', async () => {
    const second = await made('Second', a.groups.root)
    const third = await made('Third', second)
    expect(await row(third)).toMatchObject({ level: 3, parent_id: second, created_by: a.admin.id })
    expect(await add({ groupName: 'Fourth', parentGroupId: third })).toMatchObject({
      code: groupRefusals.groupTooDeep.code,
    })
    expect((await add({ groupName: 'Odd', parentGroupId: second, level: 2 })).code).toBe(
      groupRefusals.groupLevelWrong.code,
    )
  })

  it('is within the own customer; a platform user selects one for the first level', async () => {
    expect((await add({ groupName: 'Here', cid: b.customerId })).code).toBe(sessionRefusals.noPermission.code)
    expect((await add({ groupName: 'Nowhere' }, superAdmin)).code).toBe(groupRefusals.groupNoCustomer.code)
    expect((await add({ groupName: 'There', cid: b.customerId }, superAdmin)).code).toBe(0)
    expect(
      (await add({ groupName: 'Mixed', cid: b.customerId, parentGroupId: a.groups.root }, superAdmin)).code,
    ).toBe(groupRefusals.groupCustomerStays.code)
  })
})

describe('[§7] the whole payload, as a form sends it', () => {
  it('is accepted with empty fields, and with a platform user as responsible user', async () => {
    const place = { level: 1, parentGroupId: 0, cid: a.customerId, uid: superAdmin.id }
    const gid = (await add({ groupName: 'Formal', ...place }, superAdmin)).data?.gid ?? 0
    expect(await row(gid)).toMatchObject({ owner_id: superAdmin.id })
    expect((await add({ groupName: 'Plain', level: '', parentGroupId: '', cid: '', uid: '' })).code).toBe(0)
    const empty = { name: '', password: '', ip: '', loginNum: '', n2nIfnoMaskbit: '' }
    const body = { groupName: 'Formal 2', ...place, ...empty, n2nInfoBridge: false, loginType: 'disallow' }
    // The customer's administrator, who cannot see the platform user, sends the id back.
    expect((await modify(gid, body)).code).toBe(0)
    expect(await row(gid)).toMatchObject({
      name: 'Formal 2',
      remote_account: null,
      remote_ip: null,
      owner_id: superAdmin.id,
    })
    expect((await modify(gid, { loginType: 'allow', n2nInfoBridge: true })).code).toBe(0)
    for (const blank of ['', null])
      expect((await modify(gid, { loginType: blank, n2nInfoBridge: blank })).code).toBe(0)
    expect(await row(gid)).toMatchObject({ login_type: 'allow', bridged: true })
    expect((await modify(gid, { uid: b.admin.id })).code).toBe(sessionRefusals.noPermission.code)
  })
})

describe('the responsible user', () => {
  const person = async (username: string, customerId: number | null) => {
    const [user] = await sql<{ id: number }[]>`
      insert into users (username, password_hash, type, customer_id, role_id)
      values (${username}, '', 'customerAdmin', ${customerId},
        (select id from roles where name = 'customerAdmin' and template)) returning id`
    return user?.id ?? 0
  }

  it('is nobody after that user was deleted', async () => {
    const uid = await person('leaver', a.customerId)
    const gid = (await add({ groupName: 'Left', uid })).data?.gid ?? 0
    expect((await call('user/deleteUser', { userId: uid }, a.admin)).code).toBe(0)
    expect(await row(gid)).toMatchObject({ owner_id: null })
    expect((await modify(gid, { uid })).code).toBe(sessionRefusals.noPermission.code)
  })

  it('is nobody after that user moved to another customer', async () => {
    const uid = await person('mover', a.customerId)
    const gid = (await add({ groupName: 'Moved', uid })).data?.gid ?? 0
    const [user] = await sql`select role_id as role from users where id = ${uid}`
    const body = {
      userId: uid,
      userType: 'customerAdmin',
      roleId: user?.['role'],
      customerId: b.customerId,
    }
    expect((await call('user/modifyUser', body, superAdmin)).code).toBe(0)
    expect(await row(gid)).toMatchObject({ owner_id: null })
  })

  it('of another customer cannot stay', async () => {
    const uid = await person('stranger', b.customerId)
    const gid = await made('Strange')
    await sql`update groups set owner_id = ${uid} where id = ${gid}`
    expect((await modify(gid, { uid })).code).toBe(sessionRefusals.noPermission.code)
    expect((await modify(gid, { uid: 0 })).code).toBe(0)
  })
})

describe('[§5 Group] the remote account', () => {
  const account = { name: 'acme-east', password: 'secret-9' }

  it('has 6 to 18 characters, both ends included, and no Chinese characters', async () => {
    const gid = await made('Rules')
    for (const name of ['short', 'x'.repeat(19), '远程账号一二三', 'with space', 'a.regular.*'])
      expect(await modify(gid, { ...account, name })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'name',
      })
    for (const name of ['sixsix', 'x'.repeat(18)])
      expect((await modify(gid, { ...account, name })).code).toBe(0)
  })

  it('has a password of 6 to 18 characters without Chinese characters', async () => {
    const gid = await made('Rules 2')
    for (const password of ['short', 'x'.repeat(19), '密码密码密码密码', 'with space'])
      expect(await modify(gid, { name: 'acme-rules2', password })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'password',
      })
    expect(await modify(gid, { name: 'acme-rules2' })).toMatchObject({
      code: groupRefusals.remoteNeedsPassword.code,
      field: 'password',
    })
  })

  it('is unique, also between customers: duplicate remote account', async () => {
    const first = await made('First account')
    expect((await modify(first, account)).code).toBe(0)
    expect(await modify(b.groups.other, { ...account, name: 'Acme-East' }, b.admin)).toMatchObject({
      code: groupRefusals.remoteAccountTaken.code,
      message: 'Remote account Acme-East already exists',
      field: 'name',
    })
  })

  it('has a remote IP that a host can have', async () => {
    const gid = await made('Addresses')
    for (const ip of ['10.0.0', '10.0.0.0', '10.0.0.255', '127.0.0.1', '224.0.0.1', 'fe80::1', '1.2.3.4.5'])
      expect(await modify(gid, { ip, n2nIfnoMaskbit: 24 })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'ip',
      })
    expect((await modify(gid, { ip: '10.0.0.1', n2nIfnoMaskbit: 24 })).code).toBe(0)
    expect((await modify(gid, { n2nIfnoMaskbit: 30, ip: '10.0.0.5' })).code).toBe(0)
  })

  it('[§4] the bridging toggle resets the remote IP: gateway LAN default, or the default of n2n', async () => {
    const gid = await made('Bridge')
    await modify(gid, { name: 'acme-bridge', password: 'secret-9', ip: '10.9.8.7', n2nIfnoMaskbit: 24 })
    await modify(gid, { n2nInfoBridge: true, ip: '10.9.8.7' })
    expect(await row(gid)).toMatchObject({ bridged: true, remote_ip: '192.168.1.1', mask_bits: 24 })
    await modify(gid, { n2nInfoBridge: false })
    expect(await row(gid)).toMatchObject({ bridged: false, remote_ip: '10.128.0.1' })
    await modify(gid, { n2nInfoBridge: true, ip: '192.168.9.1' })
    expect(await row(gid)).toMatchObject({ remote_ip: '192.168.9.1' })
  })

  it.each([
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
    [true, true],
    [false, false],
  ])('[§7] n2nInfoBridge %j is %j', async (given, bridged) => {
    const gid = await made(`Bridged ${JSON.stringify(given)}`)
    await modify(gid, {
      name: `acme-as-${typeof given}-${given}`,
      password: 'secret-9',
      n2nInfoBridge: !bridged,
    })
    expect((await modify(gid, { n2nInfoBridge: given })).code).toBe(0)
    expect(await row(gid)).toMatchObject({ bridged })
  })

  it('is encrypted at rest and shown only to users who may edit groups, each time with an entry in the operation log', async () => {
    const gid = await made('Sealed')
    await modify(gid, { name: 'acme-sealed', password: 'open-sesame' })
    const stored = await row(gid)
    expect(stored?.['remote_password']).not.toContain('open-sesame')
    expect(await call('device/getGroupPassword', { gid }, a.admin)).toMatchObject({
      data: { name: 'acme-sealed', password: 'open-sesame' },
    })
    expect((await call('device/getGroupPassword', { gid }, b.admin)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await call('device/getGroupPassword', { gid: a.groups.branch }, a.operator)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    const logged =
      await sql`select object, body::text, before::text, after::text from operations where object = 'Sealed'`
    expect(logged.length).toBeGreaterThan(0)
    expect(JSON.stringify(logged)).not.toContain('open-sesame')
    // A new account keeps the password, and gets a matching key.
    await modify(gid, { name: 'acme-sealed-2' })
    expect((await row(gid))?.['remote_key']).not.toBe(stored?.['remote_key'])
    await call('device/clearGroupRemote', { gid }, a.admin)
    expect(await row(gid)).toMatchObject({ remote_account: null, remote_password: null, remote_key: null })
    expect((await call('device/getGroupPassword', { gid }, a.admin)).code).toBe(
      groupRefusals.remoteAccountNone.code,
    )
  })

  it('encrypted with a key that the server no longer has stays as it is while other fields are edited, and gets a new password', async () => {
    const gid = await made('Other key')
    await modify(gid, { name: 'acme-other', password: 'open-sesame' })
    await sql`update groups set remote_password = ${seal('open-sesame', 'another secret')} where id = ${gid}`
    const before = await row(gid)
    expect((await modify(gid, { groupName: 'Renamed', name: 'acme-other' })).code).toBe(0)
    expect(await row(gid)).toMatchObject({ name: 'Renamed', remote_password: before?.['remote_password'] })
    expect(await modify(gid, { name: 'acme-another' })).toMatchObject({
      code: groupRefusals.remoteNeedsPassword.code,
      field: 'password',
    })
    expect((await modify(gid, { name: 'acme-another', password: 'sesame-2' })).code).toBe(0)
    expect(await call('device/getGroupPassword', { gid }, a.admin)).toMatchObject({
      data: { name: 'acme-another', password: 'sesame-2' },
    })
  })

  it('allows the given number of logins; if several are not allowed, one', async () => {
    const gid = await made('Logins')
    await modify(gid, { loginType: 'allow', loginNum: 5 })
    expect(await row(gid)).toMatchObject({ login_type: 'allow', login_num: 5 })
    await modify(gid, { loginType: 'disallow', loginNum: 5 })
    expect(await row(gid)).toMatchObject({ login_type: 'disallow', login_num: 1 })
  })
})

describe('[decisions/059] a group that was changed meanwhile', () => {
  it('names the user who assigned its n2n server, not the last one who edited it', async () => {
    const gid = await made('Assigned')
    await modify(gid, { groupName: 'Assigned to one' })
    const [server] = await sql<{ id: number }[]>`
      insert into n2n_servers (name, address, port, version, token_hash) values ('S', 's.example.net', 9001, 3, 'x') returning id`
    const taken = await modify(gid, { groupName: 'Mine', edition: 'long ago' })
    const { edition } = taken.data as unknown as { edition: string }
    const serverId = server?.id
    expect(
      (await call('n2nServer/updateGroupInfo', { n2nInfoIds: [gid], serverId }, tenants.systemAdmin)).code,
    ).toBe(0)
    expect(await modify(gid, { groupName: 'Mine', edition })).toMatchObject({
      code: editionRefusals.changedMeanwhile.code,
      data: { by: null, platform: true, now: { groupServiceDistribution: serverId } },
    })
  })
})

describe('[§8 Blocked deletes]', () => {
  it('the default group cannot be deleted', async () => {
    expect((await remove(a.groups.root)).code).toBe(groupRefusals.groupIsDefault.code)
  })

  it('a group with devices cannot be deleted, abnormal ones included', async () => {
    const gid = await made('Full')
    const [device] = await addDevices(sql, a.customerId, gid, 'FULL-', 1)
    expect(await remove(gid)).toMatchObject({ code: groupRefusals.groupHasDevices.code })
    await sql`update devices set deleted_at = now() where id = ${device?.id ?? 0}`
    expect(await remove(gid)).toMatchObject({
      code: groupRefusals.groupHasDevices.code,
      message: 'The group cannot be deleted: it has 1 device, abnormal ones included',
    })
  })

  it('a group with groups below it cannot be deleted', async () => {
    const gid = await made('Mother')
    const child = await made('Daughter', gid)
    expect((await remove(gid)).code).toBe(groupRefusals.groupHasGroups.code)
    expect((await remove(child)).code).toBe(0)
    const project = { groupId: gid, name: 'Pump station', type: 'water' }
    const { data } = await call<{ id: number }>('project/addProject', project, a.admin)
    expect(await remove(gid)).toMatchObject({
      code: groupRefusals.groupIsProject.code,
      message:
        'The group cannot be deleted: it is the project Pump station of Cloud Monitoring, which has to be deleted first',
    })
    expect((await call('project/deleteProject', { id: data?.id }, a.admin)).code).toBe(0)
    expect((await remove(gid)).code).toBe(0)
  })

  it('the only group of a user cannot be deleted, and the refusal names them', async () => {
    const gid = await made('Only')
    const put = (name: string, ...ids: number[]) => sql`
      with one as (insert into users (username, password_hash, type, customer_id)
        values (${name}, '', 'normal', ${a.customerId}) returning id)
      insert into user_groups (user_id, group_id) select one.id, g from one, unnest(${ids}::int[]) g`
    await put('only-one', gid)
    await put('one-of-two', gid, a.groups.branch)
    const refused = await remove(gid)
    expect(refused).toMatchObject({
      code: groupRefusals.groupIsLast.code,
      message: 'The group cannot be deleted: it is the only group of only-one, who needs another one first',
    })
    await sql`delete from users where username = 'only-one'`
    expect((await remove(gid)).code).toBe(0)
  })

  it('an empty group is deleted with its enrolment keys; another customer’s stays unknown', async () => {
    const gid = await made('Keyed')
    await call('device/createEnrolmentKey', { groupId: gid, label: 'depot' }, a.admin)
    expect((await remove(gid, b.admin)).code).toBe(sessionRefusals.noPermission.code)
    expect((await remove(gid)).code).toBe(0)
    expect(await sql`select 1 from enrolment_keys where group_id = ${gid}`).toHaveLength(0)
  })
})
