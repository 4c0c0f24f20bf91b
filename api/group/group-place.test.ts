import { describe, expect, it } from 'vitest'
import { groupRefusals } from '#schema/group/group-refusals'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b, superAdmin } = tenants

const made = async (groupName: string, parentGroupId = 0) =>
  (await call<{ gid: number }>('device/addGroup', { groupName, parentGroupId }, a.admin)).data?.gid ?? 0
const move = (groupId: number, parentGroupId: number, who = a.admin) =>
  call('device/levelUp', { groupId, parentGroupId }, who)
const levels = async (...ids: number[]) =>
  (
    await context.sql<
      { level: number }[]
    >`select level from groups where id in ${context.sql(ids)} order by id`
  ).map(({ level }) => level)

describe('moving between levels', () => {
  it('takes the subtree along, up and down', async () => {
    const top = await made('Top')
    const middle = await made('Middle', top)
    const low = await made('Low', middle)
    expect((await move(middle, 0)).code).toBe(0)
    expect(await levels(top, middle, low)).toEqual([1, 1, 2])
    expect((await move(middle, top)).code).toBe(0)
    expect(await levels(top, middle, low)).toEqual([1, 2, 3])
    expect((await move(low, top)).code).toBe(0)
    expect(await levels(low)).toEqual([2])
  })

  it('leaves a group that has a project on the first level, so that no device is in two', async () => {
    const [plant, other] = [await made('Plant'), await made('Other plant')]
    const project = { name: 'Plant', type: 'energy', groupId: plant }
    const { data } = await call<{ id: number }>('project/addProject', project, a.admin)
    expect(await move(plant, other)).toMatchObject({
      code: monitorRefusals.groupNotFirstLevel.code,
      field: 'parentGroupId',
    })
    expect(await levels(plant)).toEqual([1])
    expect((await move(other, plant)).code).toBe(0)
    await call('project/deleteProject', { id: data?.id }, a.admin)
  })

  it('never makes a fourth level', async () => {
    const tall = await made('Tall')
    await made('Tall child', tall)
    const deep = await made('Deep', await made('Deep parent'))
    expect(await move(tall, deep)).toMatchObject({ code: groupRefusals.groupTooDeep.code })
    expect(await move(tall, a.groups.other)).toMatchObject({ code: 0 })
  })

  it('is never moved into or below itself', async () => {
    const gid = await made('Circle')
    const child = await made('Circle child', gid)
    expect((await move(gid, gid)).code).toBe(groupRefusals.groupIntoItself.code)
    expect((await move(gid, child)).code).toBe(groupRefusals.groupIntoItself.code)
  })

  it('two moves at once create no cycle', async () => {
    const one = await made('One')
    const two = await made('Two')
    const answers = await Promise.all([move(one, two), move(two, one)])
    expect(answers.map(({ code }) => code).sort()).toEqual([0, groupRefusals.groupIntoItself.code].sort())
  })

  it('never leaves its customer, and the default group stays where it is', async () => {
    const gid = await made('Loyal')
    expect((await move(gid, b.groups.root)).code).toBe(sessionRefusals.noPermission.code)
    expect((await move(gid, b.groups.root, superAdmin)).code).toBe(groupRefusals.groupCustomerStays.code)
    expect((await move(a.groups.root, gid)).code).toBe(groupRefusals.defaultGroupStays.code)
  })

  it('modifyGroupName with another parent is a move, and needs that permission', async () => {
    const gid = await made('Moved')
    const body = { gid, parentGroupId: a.groups.root, level: 2 }
    expect((await call('device/modifyGroupName', body, a.admin)).code).toBe(0)
    expect(await levels(gid)).toEqual([2])
    const role = [1000, 1003]
    await context.sql`
      insert into roles (customer_id, name, function_ids) values (${a.customerId}, 'editor', ${role})`
    await context.sql`update users set role_id = (select id from roles where name = 'editor') where id = ${a.operator.id}`
    const child = { gid: a.groups.branch, parentGroupId: 0 }
    expect((await call('device/modifyGroupName', child, a.operator)).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })
})

describe('findCanLevelUp and getAddLevelGroup', () => {
  it('return the parents under which the whole subtree fits', async () => {
    const gid = await made('Chooser')
    await made('Chooser child', gid)
    const { data } = await call<{ canBeFirst: boolean; list: { level: number; gid: number }[] }>(
      'device/findCanLevelUp',
      { groupId: gid },
      a.admin,
    )
    expect(data?.canBeFirst).toBe(false)
    expect(data?.list.every(({ level }) => level === 1)).toBe(true)
    expect(data?.list.map((one) => one.gid)).not.toContain(gid)
    for (const { gid: parent } of data?.list ?? []) expect((await move(gid, parent)).code).toBe(0)
    expect(await call('device/findCanLevelUp', { groupId: a.groups.root }, a.admin)).toMatchObject({
      data: { canBeFirst: false, list: [] },
    })
  })

  it('return the level of a new group', async () => {
    const level = async (pid: number) =>
      (await call<{ level: number | null }>('device/getAddLevelGroup', { pid }, a.admin)).data?.level
    expect(await level(0)).toBe(1)
    expect(await level(a.groups.root)).toBe(2)
    const last = await made('Last', a.groups.branch)
    expect(await level(last)).toBe(null)
    expect((await call('device/getAddLevelGroup', { pid: b.groups.root }, a.admin)).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })
})
