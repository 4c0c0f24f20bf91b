import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const add = (body: object, who = a.admin) =>
  call<{ id: number }>(
    'project/addProject',
    { name: 'Plant', type: 'energy', groupId: a.groups.root, ...body },
    who,
  )

describe('a project', () => {
  it('counts the devices and terminals of its group and the groups below it', async () => {
    const id = (await add({})).data?.id
    const [root, branch] = a.devices
    const template = await call<{ id: number }>(
      'collectionTemplate/addTemplate',
      { name: 'M', type: 'other' },
      a.admin,
    )
    const fields = { templateId: template.data?.id, protocol: 'modbusTcp', slaveAddress: '192.0.2.1' }
    for (const [i, device] of [root, branch].entries())
      await call(
        'terminal/addTerminal',
        { ...fields, name: `T${i}`, deviceId: device?.id, slaveId: i + 1 },
        a.admin,
      )
    await context.sql`update device_states set online = true where device_id = ${root?.id ?? 0}`
    await context.sql`insert into terminal_states (terminal_id, state, since) select id, 'answering', now() from terminals`
    const listed = await call<{ list: object[] }>('project/getProjectList', {}, a.admin)
    expect(listed.data?.list).toMatchObject([
      { id, groupName: 'Default', deviceCount: 3, onlineCount: 1, terminalCount: 2, answeringCount: 1 },
    ])
    expect((await call<{ list: object[] }>('project/getProjectList', {}, b.admin)).data?.list).toEqual([])
    const totals = (who: typeof a.admin) => call('project/getProjectTotals', {}, who)
    expect((await totals(a.admin)).data).toEqual({
      projectCount: 1,
      deviceCount: 3,
      onlineCount: 1,
      terminalCount: 2,
      answeringCount: 1,
    })
    expect((await totals(b.admin)).data).toMatchObject({ projectCount: 0, deviceCount: 0 })
  })

  it('counts terminals of a foreign source while it is connected, whatever their gateway does', async () => {
    const { sql } = context
    const answering = async () => {
      const { data } = await call<{ answeringCount: number }>('project/getProjectTotals', {}, a.admin)
      const board = await call<{ figures: { answering: number } }>(
        'monitorBoard/getMonitorBoard',
        {},
        a.admin,
      )
      const gateways = await Promise.all(
        ['monitor/getMonitorDevices', 'monitorStatus/getMonitorStatus'].map(async (path) => {
          const listed = await call<{ list: { answeringCount: number }[] }>(path, { limit: 100 }, a.admin)
          return (listed.data?.list ?? []).reduce((sum, row) => sum + row.answeringCount, 0)
        }),
      )
      return [data?.answeringCount, board.data?.figures.answering, ...gateways]
    }
    const [account] = await sql<{ id: number }[]>`
      insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
      select customer_id, id, 'Source', 'neuron', 'south.figures', 'hash', '{"x/#"}' from projects returning id`
    await sql`insert into south_terminals (account_id, terminal_id, source) select ${account?.id ?? 0}, id, name from terminals`
    await sql`delete from terminal_states`
    expect(await answering()).toEqual([0, 0, 0, 0])
    await sql`insert into south_states (account_id, brokers)
      values (${account?.id ?? 0}, ${sql.json({ broker: { at: Date.now(), perSecond: 1 } })})`
    expect(await answering()).toEqual([2, 2, 2, 2])
    await sql`update south_accounts set enabled = false`
    expect(await answering()).toEqual([0, 0, 0, 0])
  })

  it('has an online rate by hour on the big screen, with gaps while the platform was down', async () => {
    const { sql } = context
    const [root, branch] = a.devices
    const hour = (device: typeof root, back: number, knownS: number, onlineS: number) => sql`
      insert into device_hours (device_id, hour, customer_id, group_id, known_s, online_s)
      select id, date_trunc('hour', now()) - make_interval(hours => ${back}), customer_id, group_id, ${knownS}, ${onlineS}
      from devices where id = ${device?.id ?? 0}`
    // One of two online, both offline, and one that had been offline when the platform went down.
    for (const rows of [
      [hour(root, 3, 3600, 3600), hour(branch, 3, 3600, 0)],
      [hour(root, 2, 3600, 0), hour(branch, 2, 3600, 0)],
      [hour(root, 1, 0, 0), hour(branch, 1, 1200, 0)],
    ])
      await Promise.all(rows)
    const board = await call<{ onlinePercent: (number | null)[] }>(
      'monitorBoard/getMonitorBoard',
      {},
      a.admin,
    )
    expect(board.data?.onlinePercent.slice(-4)).toEqual([null, 50, 0, null])
  })

  it('is one for each first-level group, with a name of its own', async () => {
    expect(await add({ name: 'Another' })).toMatchObject({
      code: monitorRefusals.groupHasProject.code,
      field: 'groupId',
    })
    expect(await add({ name: 'Deep', groupId: a.groups.branch })).toMatchObject({
      code: monitorRefusals.groupNotFirstLevel.code,
      field: 'groupId',
    })
    expect(await add({ groupId: a.groups.other })).toMatchObject({
      code: monitorRefusals.projectNameTaken.code,
      field: 'name',
    })
  })

  it('has a responsible user of its customer', async () => {
    const foreign = await add(
      { name: 'Foreign', groupId: a.groups.other, userId: b.admin.id },
      tenants.superAdmin,
    )
    expect(foreign).toMatchObject({ code: monitorRefusals.responsibleOfOthers.code, field: 'userId' })
    expect(await add({ name: 'Own', groupId: a.groups.other, userId: a.admin.id })).toMatchObject({ code: 0 })
  })

  it('has no responsible user after that one moved to another customer', async () => {
    const [user] = await context.sql<{ id: number; role: number }[]>`
      insert into users (username, password_hash, type, customer_id, role_id)
      select 'mover', '', type, customer_id, role_id from users where id = ${a.admin.id} returning id, role_id as role`
    const [project] = await context.sql<{ id: number }[]>`
      update projects set user_id = ${user?.id ?? 0} where name = 'Own' returning id`
    const moved = {
      userId: user?.id,
      userType: 'customerAdmin',
      roleId: user?.role,
      customerId: b.customerId,
    }
    expect((await call('user/modifyUser', moved, tenants.superAdmin)).code).toBe(0)
    expect(await context.sql`select user_id as id from projects where id = ${project?.id ?? 0}`).toEqual([
      { id: null },
    ])
  })

  it('is changed by many users at once, who do not wait for each other’s connections', async () => {
    const named = { name: 'Busy', type: 'energy' }
    const group = await call<{ gid: number }>('device/addGroup', { groupName: 'Busy' }, a.admin)
    const id = (await add({ ...named, groupId: group.data?.gid })).data?.id
    const change = (_: unknown, i: number) =>
      call('project/modifyProject', { ...named, id, userId: [a.admin.id, a.operator.id][i % 2] }, a.admin)
    const changes = await Promise.all(Array.from({ length: 20 }, change))
    expect(changes.every(({ code }) => code === 0)).toBe(true)
  })

  it('keeps its group from being deleted', async () => {
    const group = await call<{ gid: number }>(
      'device/addGroup',
      { groupName: 'Empty', parentGroupId: 0 },
      a.admin,
    )
    const id = (await add({ name: 'Bare', groupId: group.data?.gid })).data?.id
    const remove = () => call('device/deleteGroup', { groupId: group.data?.gid }, a.admin)
    expect((await remove()).code).not.toBe(0)
    expect(await call('project/deleteProject', { id }, a.admin)).toMatchObject({ code: 0 })
    expect(await remove()).toMatchObject({ code: 0 })
  })

  it('of a group that the user does not see cannot be made', async () => {
    expect(await add({ name: 'Unseen', groupId: a.groups.other }, a.operator)).toMatchObject({
      code: sessionRefusals.noPermission.code,
    })
  })

  it('is not made for a group that becomes a subgroup at the same moment', async () => {
    const group = await call<{ gid: number }>('device/addGroup', { groupName: 'Moved' }, a.admin)
    const gid = group.data?.gid ?? 0
    const adding = await context.sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtext('groups'), ${a.customerId})`
      await tx`update groups set level = 2, parent_id = ${a.groups.root} where id = ${gid}`
      const made = add({ name: 'Late', groupId: gid })
      await Promise.race([made, setTimeout(300)])
      return { made }
    })
    expect(await adding.made).toMatchObject({ code: monitorRefusals.groupNotFirstLevel.code })
  })
})
