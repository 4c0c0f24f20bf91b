import { beforeAll, describe, expect, it } from 'vitest'
import { installationFunctionIds, templateGrants } from '#infra/rights'
import { deviceRebootPermission } from '#schema/device/commands/power'
import { deviceResetPermission } from '#schema/device/commands/reset'
import { deviceListPermission, deviceListScreen } from '#schema/device/device-pages'
import { deviceRefusals } from '#schema/device/device-refusals'
import { n2nServerScreen } from '#schema/group/n2n-server'
import { customerCreatePermission, customerListPermission } from '#schema/people/customer'
import { peopleRefusals } from '#schema/people/people-refusals'
import { roleEditPermission, roleListPermission, roleScreen } from '#schema/people/role'
import { sessionRefusals } from '#schema/people/session-refusals'
import { userScreen } from '#schema/people/user-pages'
import { remoteRecordingPermission, remoteRecordingScreen } from '#schema/remote/recording-pages'
import { remoteOperationPermission } from '#schema/remote/remote-access'
import { remoteSessionScreen } from '#schema/remote/remote-pages'
import { packageListPermission, packageScreen } from '#schema/task/package'
import { apiTest } from '#test/api-client'

const { tenants, call, context } = await apiTest()
const { a, b, superAdmin, systemAdmin } = tenants
const admin = a.admin
let ownRole = 0

const add = async (body: object, who: { username: string } = admin) =>
  call<{ roleId: number }>(
    'role/addRole',
    { functionIds: [deviceListPermission.id], menuIds: [deviceListScreen.menuId], ...body },
    who,
  )

beforeAll(async () => {
  ownRole = (await add({ name: 'Field staff' })).data?.roleId ?? 0
})

describe('roles', () => {
  it('are listed with name, description, status, creator, customer, created time and their functions', async () => {
    const { data } = await call<{ list: Record<string, unknown>[] }>(
      'role/getRoleList',
      { search: 'Field' },
      admin,
    )
    expect(data?.list).toMatchObject([
      {
        id: ownRole,
        name: 'Field staff',
        status: 1,
        template: false,
        creator: 'acme-admin',
        customerName: 'Acme',
        functionIds: [deviceListPermission.id],
        userCount: 0,
        within: true,
      },
    ])
  })

  it('Duplicates: a role name already exists within its customer, another customer may use it', async () => {
    expect(await add({ name: 'Field staff' })).toMatchObject({
      code: deviceRefusals.nameTaken.code,
      field: 'name',
    })
    expect((await add({ name: 'Field staff' }, b.admin)).code).toBe(0)
  })

  it('Template roles cannot be edited, nor deleted', async () => {
    const [viewer] = await context.sql<
      { id: number }[]
    >`select id from roles where name = 'viewer' and template`
    const body = { roleId: viewer?.id, name: 'viewer', functionIds: [], menuIds: [] }
    for (const who of [admin, superAdmin]) {
      expect((await call('role/modifyRole', body, who)).code).toBe(peopleRefusals.templateLocked.code)
      expect((await call('role/deleteRole', { roleId: viewer?.id }, who)).code).toBe(
        peopleRefusals.templateLocked.code,
      )
    }
  })

  it('the template of system administrators is not visible to customers', async () => {
    const names = async (who: { username: string }) =>
      (
        await call<{ list: { name: string }[] }>('role/getRoleList', { kind: 'template' }, who)
      ).data?.list.map(({ name }) => name)
    expect(await names(admin)).toEqual(['customerAdmin', 'operator', 'viewer'])
    expect(await names(systemAdmin)).toContain('systemAdmin')
  })

  it('users cannot grant permissions that they do not have', async () => {
    const limited = await context.sql<{ id: number }[]>`
      insert into roles (customer_id, name, function_ids, menu_ids) values (${a.customerId}, 'Role keeper',
        ${[roleListPermission.id, roleEditPermission.id, deviceListPermission.id]}, ${[roleScreen.menuId, deviceListScreen.menuId]}) returning id`
    await context.sql`update users set role_id = ${limited[0]?.id ?? 0} where id = ${a.operator.id}`
    const more = await add({ name: 'More', functionIds: [deviceRebootPermission.id] }, a.operator)
    expect(more.code).toBe(deviceRefusals.grantExceeds.code)
    const menu = await add({ name: 'More', menuIds: [userScreen.menuId] }, a.operator)
    expect(menu.code).toBe(deviceRefusals.grantExceeds.code)
    expect((await add({ name: 'Less' }, a.operator)).code).toBe(0)
  })

  it('users cannot edit a role with more permissions than their own', async () => {
    const strong = await add({ name: 'Strong', functionIds: [deviceResetPermission.id], menuIds: [] })
    const answer = await call(
      'role/modifyRole',
      { roleId: strong.data?.roleId, name: 'Strong', functionIds: [], menuIds: [] },
      a.operator,
    )
    expect(answer.code).toBe(peopleRefusals.holdsMore.code)
  })

  it('users cannot lock themselves out of the roles', async () => {
    const [mine] = await context.sql<
      { id: number }[]
    >`select role_id as id from users where id = ${a.operator.id}`
    const answer = await call(
      'role/modifyRole',
      {
        roleId: mine?.id,
        name: 'Role keeper',
        functionIds: [deviceListPermission.id],
        menuIds: [deviceListScreen.menuId],
      },
      a.operator,
    )
    expect(answer.code).toBe(peopleRefusals.selfLockout.code)
  })

  it('a role of a customer never contains permissions of the installation', async () => {
    const answer = await call(
      'role/addRole',
      { name: 'Too much', customerId: a.customerId, functionIds: [customerCreatePermission.id], menuIds: [] },
      superAdmin,
    )
    expect(answer.code).toBe(peopleRefusals.roleBeyondCustomer.code)
    expect(answer.message).toContain('Add customers')
  })

  it('a customer’s user has no permissions of the installation even if a role contains them', async () => {
    await context.sql`insert into roles (customer_id, name, function_ids, menu_ids)
      values (${b.customerId}, 'Old mistake', ${templateGrants('systemAdmin').functionIds}, ${[...templateGrants('systemAdmin').menuIds]})`
    await context.sql`update users set role_id = (select id from roles where name = 'Old mistake') where id = ${b.viewer.id}`
    const { data } = await call<{ list: { functionId: number }[] }>(
      'permission/showFunctionList',
      {},
      b.viewer,
    )
    expect(data?.list.filter(({ functionId }) => installationFunctionIds.includes(functionId))).toEqual([])
    const { data: menu } = await call<{ menuIds: number[] }>('config/getMenu', {}, b.viewer)
    expect(menu?.menuIds).not.toContain(n2nServerScreen.menuId)
  })

  it('platform users pick the customer, and roles without one belong to the platform', async () => {
    const made = await call<{ roleId: number }>(
      'role/addRole',
      { name: 'Support', functionIds: [customerListPermission.id], menuIds: [] },
      systemAdmin,
    )
    expect(made.code).toBe(0)
    const answer = await call<{ list: { name: string }[] }>('role/getRoleList', { kind: 'platform' }, admin)
    expect(answer.data?.list).toEqual([])
    const forUsers = await call<{ list: { name: string }[] }>('role/getRoleOptions', {}, systemAdmin)
    expect(forUsers.data?.list.map(({ name }) => name)).toContain('Support')
  })

  it('for the administrator of a new customer only templates are offered, none of the installation', async () => {
    const { data } = await call<{ list: { name: string; template: boolean }[] }>(
      'role/getRoleOptions',
      { newCustomer: true },
      superAdmin,
    )
    expect(data?.list.map(({ name }) => name)).toEqual(['customerAdmin', 'operator', 'viewer'])
  })

  it('a change takes effect with the next request, without a new login', async () => {
    await context.sql`update users set role_id = ${ownRole} where id = ${a.viewer.id}`
    const version = async () => {
      const answer = await call('permission/getRights', {}, a.viewer)
      return answer
    }
    // A GET call requested by POST does not exist.
    expect((await version()).status).toBe(404)
    expect((await call('device/getDeviceList', {}, a.viewer)).code).toBe(0)
    const changed = await call(
      'role/modifyRole',
      {
        roleId: ownRole,
        name: 'Field staff',
        functionIds: [packageListPermission.id],
        menuIds: [packageScreen.menuId],
      },
      admin,
    )
    expect(changed.code).toBe(0)
    expect((await call('device/getDeviceList', {}, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
    expect((await call('levelUp/getPackageList', {}, a.viewer)).status).not.toBe(500)
    const menu = await call<{ menuIds: number[] }>('config/getMenu', {}, a.viewer)
    expect(menu.data?.menuIds).toEqual([packageScreen.menuId])
  })

  it('a role in use cannot be deleted', async () => {
    const used = await call('role/deleteRole', { roleId: ownRole }, admin)
    expect(used).toMatchObject({ code: peopleRefusals.roleInUse.code })
    expect(used.message).toBe('The role cannot be deleted: one user has it')
    await context.sql`update users set role_id = null where role_id = ${ownRole}`
    expect((await call('role/deleteRole', { roleId: ownRole }, admin)).code).toBe(0)
  })

  it('the operation log contains the added and removed functions', async () => {
    const [entry] = await context.sql<{ object: string; before: unknown; after: unknown }[]>`
      select object, before, after from operations where call = 'role/modifyRole' and code = 0`
    expect(entry?.object).toBe('Field staff')
    expect(entry?.before).toMatchObject({ removed: { functions: ['deviceList'] } })
    expect(entry?.after).toMatchObject({ added: { functions: ['packageList'] } })
  })
})

describe('menus', () => {
  const shown = async (who: { username: string }, funTag = 0) =>
    (await call<{ sonId: { path: string }[]; menuIds: number[] }>('config/getMenu', { funTag }, who)).data
  it('show the system section to customer-type users with a customer id and to those who run the installation', async () => {
    for (const who of [admin, systemAdmin, superAdmin])
      expect((await shown(who))?.sonId.map(({ path }) => path)).toContain('/system/authoritymanagement')
    await context.sql`update users set customer_id = null where id = ${b.admin.id}`
    const homeless = await shown(b.admin)
    expect(homeless?.sonId.some(({ path }) => path.startsWith('/system/'))).toBe(false)
    expect(homeless?.menuIds).not.toContain(roleScreen.menuId)
  })

  it('show functions in the language asked for', async () => {
    const { data } = await call<{ list: { functionId: number; functionName: string }[] }>(
      'permission/showFunctionList',
      { language: 'zh-TW' },
      admin,
    )
    expect(data?.list.find(({ functionId }) => functionId === deviceRebootPermission.id)?.functionName).toBe(
      '重新啟動裝置',
    )
  })

  it('have no entry that the route guard would send to /404, for want of its permission', async () => {
    const preview = async (functionIds: number[]) => {
      const body = { functionIds, menuIds: [remoteSessionScreen.menuId] }
      const { data } = await call<{ management: { sonId: { path: string }[] } }>(
        'role/previewRole',
        body,
        admin,
      )
      return data?.management.sonId.map(({ path }) => path)
    }
    expect(await preview([])).toEqual([])
    expect(await preview([remoteRecordingPermission.id])).toEqual([remoteRecordingScreen.path])
    expect(await preview([remoteOperationPermission.id])).toContain(remoteSessionScreen.path)
  })

  it('are previewed for a draft of a role without becoming it', async () => {
    const { data } = await call<{
      management: { sonId: { path: string }[] }
      functions: { functionName: string }[]
    }>(
      'role/previewRole',
      { functionIds: [deviceListPermission.id], menuIds: [deviceListScreen.menuId] },
      admin,
    )
    expect(data?.management.sonId.map(({ path }) => path)).toEqual(['/device/devicelist'])
    expect(data?.functions.map(({ functionName }) => functionName)).toEqual(['See devices'])
  })
})
