import { beforeAll, describe, expect, it } from 'vitest'
import { templateGrants } from '#infra/rights'
import { deviceRebootPermission } from '#schema/device/commands/power'
import { deviceRefusals } from '#schema/device/device-refusals'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import {
  userCreatePermission,
  userDeletePermission,
  userEditPermission,
  userListPermission,
  userScreen,
} from '#schema/people/user-pages'
import { apiTest } from '#test/api-client'
import { TEST_PASSWORD } from '#test/tenants'

const { tenants, call, context } = await apiTest()
const { a, b, superAdmin, systemAdmin } = tenants
const admin = a.admin
const roles: Record<string, number> = {}
const password = 'right-horse-7'

beforeAll(async () => {
  for (const row of await context.sql<
    { id: number; name: string }[]
  >`select id, name from roles where template`)
    roles[row.name] = row.id
})

const person = (username: string, more: object = {}) => ({
  username,
  password,
  confirmPassword: password,
  userType: 'normal',
  roleId: roles['viewer'],
  groupIds: [a.groups.branch],
  ...more,
})
const add = (username: string, more: object = {}, who: { username: string } = admin) =>
  call<{ userId: number }>('user/addUser', person(username, more), who)
const rows = async (body: object, who: { username: string } = admin) =>
  (
    await call<{ list: (Record<string, unknown> & { user_id: number })[]; total: number }>(
      'user/getUserList',
      body,
      who,
    )
  ).data
const fieldsOf = (row: Record<string, unknown>) => ({
  userId: row['user_id'],
  userType: row['userType'],
  roleId: row['roleId'],
  customerId: row['customerId'],
  groupIds: (row['groups'] as { gid: number }[]).map(({ gid }) => gid),
})
const logIn = (username: string, with_ = password) =>
  call<{ token: string }>('userLogin', { username, password: with_ })

describe('users', () => {
  it('have type, role, customer, groups, names, phone, e-mail, remark and the alarm and cloud monitor switches', async () => {
    const made = await add('field_1', {
      realname: 'Li Wei',
      nickname: 'Wei',
      tel: '+86 138-0000-0001',
      email: 'wei@acme.example',
      addr: 'Harbour Road',
      remark: 'night shift',
      alarmState: false,
      monState: true,
    })
    expect(made.code).toBe(0)
    const found = await rows({ search: '13800000001' })
    expect(found?.list).toMatchObject([
      {
        user_id: made.data?.userId,
        username: 'field_1',
        realname: 'Li Wei',
        userType: 'normal',
        customerName: 'Acme',
        roleName: 'viewer',
        roleTemplate: true,
        tel: '+8613800000001',
        email: 'wei@acme.example',
        status: 1,
        alarmState: 0,
        monState: 1,
        groups: [{ gid: a.groups.branch, groupName: 'Branch' }],
        lastLoginAt: null,
        beyond: false,
      },
    ])
  })

  it('passwords never enter the operation log', async () => {
    const [{ found } = { found: -1 }] = await context.sql<{ found: number }[]>`
      select count(*)::int as found from operations where body::text like ${`%${password}%`}`
    expect(found).toBe(0)
    const [entry] = await context.sql<{ body: Record<string, unknown> }[]>`
      select body from operations where call = 'user/addUser' limit 1`
    expect(entry?.body).toMatchObject({ password: '***', confirmPassword: '***' })
  })

  it('normal users see their groups, customer administrators their customer, system and super administrators all', async () => {
    const devices = async (who: { username: string } | string) =>
      (await call<{ total: number }>('device/getDeviceList', { limit: 100 }, who)).data?.total
    const token = (await logIn('field_1')).data?.token ?? ''
    expect(await devices(token)).toBe(2)
    expect(await devices(admin)).toBe(4)
    for (const who of [systemAdmin, superAdmin]) expect(await devices(who)).toBe(8)
  })

  it('Username: digits, letters, underscore', async () => {
    for (const name of ['with-dash', 'with space', '用户', 'a@b', ''])
      expect((await add(name)).field, name).toBe('username')
  })

  it('User password: 6-16 characters with two kinds; confirmation must match', async () => {
    expect(await add('pw_1', { password: '12345678', confirmPassword: '12345678' })).toMatchObject({
      code: sessionRefusals.passwordRule.code,
      field: 'password',
    })
    expect(await add('pw_1', { confirmPassword: 'right-horse-8' })).toMatchObject({
      code: peopleRefusals.passwordsDiffer.code,
      field: 'confirmPassword',
    })
  })

  it('Role and user identity required; a normal user needs groups', async () => {
    expect(await add('r_1', { roleId: undefined })).toMatchObject({
      code: peopleRefusals.roleRequired.code,
      field: 'roleId',
    })
    for (const empty of [null, ''])
      expect(await add('r_1', { roleId: empty })).toMatchObject({
        code: peopleRefusals.roleRequired.code,
        field: 'roleId',
      })
    expect(await add('r_1', { userType: undefined })).toMatchObject({ field: 'userType' })
    expect(await add('r_1', { groupIds: [] })).toMatchObject({
      code: peopleRefusals.groupsRequired.code,
      field: 'groupIds',
    })
    expect(await add('r_1', { groupIds: [b.groups.root] })).toMatchObject({
      code: sessionRefusals.noPermission.code,
    })
  })

  it('Phone and email formats checked', async () => {
    expect((await add('f_1', { tel: '12' })).field).toBe('tel')
    expect((await add('f_1', { email: 'x@' })).field).toBe('email')
  })

  it('Duplicates: user, email, phone already exists', async () => {
    expect((await add('FIELD_1')).code).toBe(peopleRefusals.userTaken.code)
    expect(await add('dup_1', { email: 'Wei@acme.example' })).toMatchObject({
      code: peopleRefusals.emailTaken.code,
      field: 'email',
    })
    expect(await add('dup_1', { tel: '+8613800000001' })).toMatchObject({
      code: peopleRefusals.phoneTaken.code,
      field: 'tel',
    })
  })

  it('users cannot create a user of a higher type, and no one a super administrator', async () => {
    expect((await add('up_1', { userType: 'systemAdmin' })).code).toBe(peopleRefusals.typeTooHigh.code)
    for (const who of [systemAdmin, superAdmin])
      expect((await add('up_1', { userType: 'superAdmin' }, who)).code).toBe(peopleRefusals.typeTooHigh.code)
    expect(
      (await add('sys_2', { userType: 'systemAdmin', roleId: roles['systemAdmin'] }, systemAdmin)).code,
    ).toBe(0)
    const high = await add(
      'up_2',
      { userType: 'customerAdmin', roleId: roles['systemAdmin'], customerId: a.customerId },
      superAdmin,
    )
    expect(high.code).toBe(sessionRefusals.noPermission.code)
  })

  it('users cannot grant a role with functions or menus that they do not have, nor edit such a user', async () => {
    const [weak] = await context.sql<{ id: number }[]>`
      insert into roles (customer_id, name, function_ids, menu_ids) values (${a.customerId}, 'Registrar',
        ${[userListPermission.id, userCreatePermission.id, userEditPermission.id, userDeletePermission.id, ...templateGrants('viewer').functionIds]},
        ${[userScreen.menuId, ...templateGrants('viewer').menuIds]}) returning id`
    const registrar = await add('registrar', { userType: 'customerAdmin', roleId: weak?.id })
    expect(registrar.code).toBe(0)
    const token = (await logIn('registrar')).data?.token ?? ''
    const grant = await call('user/addUser', person('grant_1', { roleId: roles['operator'] }), token)
    expect(grant).toMatchObject({ code: deviceRefusals.grantExceeds.code, field: 'roleId' })
    expect((await call('user/addUser', person('grant_2'), token)).code).toBe(0)
    for (const [name, body] of [
      ['user/setUserStatus', { userId: a.operator.id, status: 0 }],
      ['user/deleteUser', { userId: a.operator.id }],
      [
        'user/modifyUser',
        { userId: a.operator.id, userType: 'normal', roleId: roles['viewer'], groupIds: [a.groups.branch] },
      ],
      ['user/changePassword', { userId: a.operator.id, newpassword: 'other-horse-8' }],
    ] as const)
      expect((await call(name, body, token)).code, name).toBe(peopleRefusals.holdsMore.code)
    const options = await call<{ list: { name: string }[] }>('role/getRoleOptions', {}, token)
    expect(options.data?.list.map(({ name }) => name)).toEqual(['viewer', 'Registrar'])
  })

  it('super administrator cannot be deleted, disabled or demoted', async () => {
    const body = { userId: superAdmin.id }
    const edit = { ...body, userType: 'systemAdmin', roleId: roles['systemAdmin'] }
    for (const who of [systemAdmin, superAdmin]) {
      expect((await call('user/deleteUser', body, who)).code).toBe(peopleRefusals.superAdminProtected.code)
      expect((await call('user/setUserStatus', { ...body, status: 0 }, who)).code).toBe(
        peopleRefusals.superAdminProtected.code,
      )
      expect((await call('user/modifyUser', edit, who)).code).toBe(peopleRefusals.superAdminProtected.code)
    }
    const named = await call(
      'user/modifyUser',
      { ...body, userType: 'superAdmin', realname: 'Root' },
      superAdmin,
    )
    expect(named.code).toBe(0)
  })

  it('users cannot lock themselves out: not delete or disable themselves, nor change their own type or role', async () => {
    expect((await call('user/deleteUser', { userId: admin.id }, admin)).code).toBe(
      peopleRefusals.notYourself.code,
    )
    expect((await call('user/setUserStatus', { userId: admin.id, status: 0 }, admin)).code).toBe(
      peopleRefusals.notYourself.code,
    )
    const own = (await rows({ search: 'acme-admin' }))?.list[0] ?? {}
    const less = await call(
      'user/modifyUser',
      { ...fieldsOf({ groups: [], ...own }), roleId: roles['viewer'] },
      admin,
    )
    expect(less.code).toBe(peopleRefusals.notYourself.code)
    const named = await call(
      'user/modifyUser',
      { ...fieldsOf({ groups: [], ...own }), realname: 'Chief' },
      admin,
    )
    expect(named.code).toBe(0)
  })

  it('disabling ends sessions at once, and enabling does not restore them', async () => {
    const userId = (await add('switch_1')).data?.userId
    const token = (await logIn('switch_1')).data?.token ?? ''
    expect((await call('config/getMenu', {}, token)).code).toBe(0)
    expect((await call('user/setUserStatus', { userId, status: 0 }, admin)).code).toBe(0)
    expect((await call('config/getMenu', {}, token)).code).toBe(sessionRefusals.sessionEnded.code)
    expect((await logIn('switch_1')).code).not.toBe(0)
    await call('user/setUserStatus', { userId, status: 1 }, admin)
    expect((await call('config/getMenu', {}, token)).code).toBe(sessionRefusals.sessionEnded.code)
    expect((await logIn('switch_1')).code).toBe(0)
  })

  it('a new role, group or type takes effect with the next request, without a new login', async () => {
    const userId = (await add('moved_1')).data?.userId
    const token = (await logIn('moved_1')).data?.token ?? ''
    const body = { userId, userType: 'normal', roleId: roles['operator'], groupIds: [a.groups.other] }
    expect((await call('user/modifyUser', body, admin)).code).toBe(0)
    expect((await call<{ total: number }>('device/getDeviceList', {}, token)).data?.total).toBe(1)
    const list = await call<{ list: { functionId: number }[] }>('permission/showFunctionList', {}, token)
    expect(list.data?.list.map(({ functionId }) => functionId)).toContain(deviceRebootPermission.id)
  })

  it('an administrator sets a password by userId and newpassword; logins and API tokens of that user end', async () => {
    const userId = (await add('forgot_1', { roleId: roles['operator'] })).data?.userId
    const token = (await logIn('forgot_1')).data?.token ?? ''
    const made = await call<{ token: string }>('token/createApiToken', { name: 'script' }, token)
    const bad = await call('user/changePassword', { userId, newpassword: 'short' }, admin)
    expect(bad).toMatchObject({ code: sessionRefusals.passwordRule.code, field: 'newpassword' })
    const differs = { userId, newpassword: 'fresh-horse-9', confirmPassword: 'fresh-horse-8' }
    expect(await call('user/changePassword', differs, admin)).toMatchObject({
      code: peopleRefusals.passwordsDiffer.code,
      field: 'confirmPassword',
    })
    expect((await call('user/changePassword', { userId, newpassword: 'fresh-horse-9' }, admin)).code).toBe(0)
    expect((await call('config/getMenu', {}, token)).code).toBe(sessionRefusals.sessionEnded.code)
    expect((await call('config/getMenu', {}, made.data?.token)).code).toBe(sessionRefusals.notLoggedIn.code)
    expect((await logIn('forgot_1', 'fresh-horse-9')).code).toBe(0)
  })

  it('userId bypasses neither the user’s own old password nor the function for editing users', async () => {
    const own = await call('user/changePassword', { userId: admin.id, newpassword: 'fresh-horse-9' }, admin)
    expect(own.code).toBe(sessionRefusals.wrongPassword.code)
    const low = await call(
      'user/changePassword',
      { userId: a.viewer.id, newpassword: 'fresh-horse-9' },
      a.operator,
    )
    expect(low.code).toBe(sessionRefusals.noPermission.code)
  })

  it('deleting ends logins and tokens and keeps the history', async () => {
    const userId = (await add('leaver_1', { roleId: roles['operator'] })).data?.userId
    const token = (await logIn('leaver_1')).data?.token ?? ''
    await call('token/createApiToken', { name: 'mine' }, token)
    await context.sql`insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, visibility, customer_id, uploader_id)
      values ('p', '1', 'R', 'upgrade', 1, 'x', 'x', 'x', 'customer', ${a.customerId}, ${userId ?? 0})`
    expect((await call('user/deleteUser', { userId }, admin)).code).toBe(0)
    expect((await call('config/getMenu', {}, token)).code).toBe(sessionRefusals.notLoggedIn.code)
    const history =
      await context.sql`select call from operations where username = 'leaver_1' and call = 'token/createApiToken'`
    expect(history).toHaveLength(1)
    const [entry] =
      await context.sql`select object, before from operations where call = 'user/deleteUser' and code = 0`
    expect(entry).toMatchObject({ object: 'leaver_1', before: { username: 'leaver_1' } })
    const uploaded = await call<{ list: { uploader: string }[] }>('package/getPackageList', {}, admin)
    expect(uploaded.data?.list[0]?.uploader).toBe('leaver_1')
  })

  it('can be deleted whatever they created: no table prevents it', async () => {
    const held = await context.sql`select conrelid::regclass::text as table from pg_constraint
      where contype = 'f' and confrelid = 'users'::regclass and confdeltype in ('a', 'r') and conparentid = 0`
    expect(held).toEqual([])
  })

  it('getUserList is asked with user_id, offset and limit 99999; a customer sees only its own users', async () => {
    const mine = await rows({ user_id: admin.id, offset: 1, limit: 99_999 })
    expect(mine?.list.every(({ customerId }) => customerId === a.customerId)).toBe(true)
    const all = await rows({ user_id: 1, offset: 1, limit: 99_999 }, superAdmin)
    expect(all?.list.map(({ username }) => username)).toEqual(
      expect.arrayContaining(['root', 'bolt-admin', 'field_1']),
    )
    expect(all?.list.find(({ username }) => username === 'root')?.['beyond']).toBe(false)
  })

  it('platform users name the customer of a customer’s user', async () => {
    const none = await add(
      'cust_1',
      { userType: 'customerAdmin', roleId: roles['customerAdmin'] },
      systemAdmin,
    )
    expect(none).toMatchObject({ code: peopleRefusals.customerRequired.code, field: 'customerId' })
    const made = await add(
      'cust_1',
      { userType: 'customerAdmin', roleId: roles['customerAdmin'], customerId: b.customerId },
      systemAdmin,
    )
    expect(made.code).toBe(0)
    expect((await logIn('cust_1', TEST_PASSWORD)).data).toMatchObject({ user_ctid: b.customerId })
  })
})
