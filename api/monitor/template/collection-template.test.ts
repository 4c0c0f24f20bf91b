import { describe, expect, it } from 'vitest'
import { monitorRefusals } from '#schema/monitor/monitor-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const fields = { name: 'Meter', type: 'powerMeter' }
const add = (body: object, who = a.admin) =>
  call<{ id: number }>('collectionTemplate/addTemplate', { ...fields, ...body }, who)
const variable = {
  unit: 'V',
  registerType: 'input',
  address: 0,
  dataType: 'float32',
  byteOrder: 'template',
  reportType: 'both',
}
const terminal = { protocol: 'modbusRtu', slaveAddress: 'bus1' }

describe('a collection template', () => {
  it('[§8] in use by terminals cannot be deleted', async () => {
    const id = (await add({ name: 'Used' })).data?.id
    const device = a.devices[0]?.id
    const used = await call<{ id: number }>(
      'terminal/addTerminal',
      { ...terminal, name: 'T', templateId: id, deviceId: device, slaveId: 1 },
      a.admin,
    )
    expect(await call('collectionTemplate/deleteTemplate', { id }, a.admin)).toMatchObject({
      code: monitorRefusals.templateInUse.code,
      message: 'The template is in use by 1 terminal and cannot be deleted',
    })
    await call('terminal/deleteTerminal', { id: used.data?.id }, a.admin)
    expect(await call('collectionTemplate/deleteTemplate', { id }, a.admin)).toMatchObject({ code: 0 })
  })

  it.each([6, -1, 1.5])('[§9 Resend and retry] is refused with %s retries', async (retries) => {
    expect(await add({ name: 'Retried', retries })).toMatchObject({
      code: sessionRefusals.invalid.code,
      field: 'retries',
    })
  })

  it('has a name of its own within its customer', async () => {
    await add({ name: 'Same' })
    expect(await add({ name: 'SAME ' })).toMatchObject({
      code: monitorRefusals.templateNameTaken.code,
      field: 'name',
    })
    expect(await add({ name: 'Same' }, b.admin)).toMatchObject({ code: 0 })
  })

  it('is copied as it is at one moment, while variables are added to it', async () => {
    const id = (await add({ name: 'Growing' })).data?.id ?? 0
    await call('variable/addVariable', { ...variable, templateId: id, name: 'U' }, a.admin)
    const copied = await meanwhile(
      context.sql,
      () => call<{ id: number }>('collectionTemplate/copyTemplate', { id, name: 'Grown' }, a.admin),
      async (tx) => {
        const [taken] = await tx<{ slot: number }[]>`
          update collection_templates set next_slot = next_slot + 1 where id = ${id} returning next_slot - 1 as slot`
        await tx`
          insert into variables (template_id, slot, name, unit, register_type, address, data_type)
          values (${id}, ${taken?.slot ?? 0}, 'I', 'A', 'holding', 7, 'uint16')`
        // Holds the copy up half-way, as a slow disk would.
        await tx`insert into collection_templates (customer_id, name, type) values (${a.customerId}, 'Grown', 'other')`
      },
      (tx) => tx`delete from collection_templates where name = 'Grown'`,
    )
    const templateId = copied.data?.id
    expect(await call('variable/addVariable', { ...variable, templateId, name: 'P' }, a.admin)).toMatchObject(
      {
        code: 0,
      },
    )
  })

  it('is copied with its variables and their slots', async () => {
    const id = (await add({ name: 'Original', timeoutMs: 250 })).data?.id
    for (const name of ['U', 'I'])
      await call('variable/addVariable', { ...variable, templateId: id, name }, a.admin)
    const copy = await call<{ id: number }>('collectionTemplate/copyTemplate', { id, name: 'Copy' }, a.admin)
    await call('variable/addVariable', { ...variable, templateId: copy.data?.id, name: 'P' }, a.admin)
    const rows = await context.sql`
      select v.name, v.slot, c.timeout_ms from variables v join collection_templates c on c.id = v.template_id
      where c.id = ${copy.data?.id ?? 0} order by slot`
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['U', 0, 250],
      ['I', 1, 250],
      ['P', 2, 250],
    ])
  })

  it('says which terminals and gateways an edit reaches, of those that the user sees', async () => {
    const id = (await add({ name: 'Reaching' })).data?.id
    const behind = (deviceId: number | undefined, slaveId: number) =>
      call(
        'terminal/addTerminal',
        { ...terminal, name: `M${slaveId}`, templateId: id, deviceId, slaveId, slaveAddress: 'bus7' },
        a.admin,
      )
    await behind(a.devices[0]?.id, 1)
    await behind(a.devices[1]?.id, 2)
    await behind(a.devices[1]?.id, 3)
    const reach = (who = a.admin) => call('collectionTemplate/getTemplateReach', { id }, who)
    expect(await reach()).toMatchObject({ data: { terminals: 3, gateways: 2, online: 0 } })
    expect(await reach(a.operator)).toMatchObject({ data: { terminals: 2, gateways: 1 } })
  })

  it('says before saving where a register is never read: on terminals without a slave', async () => {
    const id = (await add({ name: 'Own inputs' })).data?.id
    await call('variable/addVariable', { ...variable, name: 'U', templateId: id }, a.admin)
    await call(
      'terminal/addTerminal',
      { name: 'Cabinet', protocol: 'interfaces', templateId: id, deviceId: a.devices[0]?.id },
      a.admin,
    )
    const reach = await call('collectionTemplate/getTemplateReach', { id }, a.admin)
    expect(reach.data).toMatchObject({ terminals: 1, withoutSlave: 1 })
    const offered = await call<{ list: object[] }>(
      'terminal/getTerminalTemplates',
      { search: 'Own in' },
      a.admin,
    )
    expect(offered.data?.list).toMatchObject([{ variableCount: 1, slaveCount: 1 }])
  })

  it('that terminals in other groups use is not changed by a user confined to some', async () => {
    const id = (await add({ name: 'Shared' }, a.operator)).data?.id
    const change = { ...fields, id, name: 'Shared', retries: 5 }
    expect(await call('collectionTemplate/modifyTemplate', change, a.operator)).toMatchObject({ code: 0 })
    await call(
      'terminal/addTerminal',
      { ...terminal, name: 'Far', templateId: id, deviceId: a.devices[3]?.id, slaveId: 1 },
      a.admin,
    )
    const refused = { code: monitorRefusals.templateOfOthers.code }
    expect(await call('collectionTemplate/modifyTemplate', change, a.operator)).toMatchObject(refused)
    expect(
      await call('variable/addVariable', { ...variable, templateId: id, name: 'U' }, a.operator),
    ).toMatchObject(refused)
    expect(await call('collectionTemplate/copyTemplate', { id, name: 'Own' }, a.operator)).toMatchObject({
      code: 0,
    })
  })

  it('that a deleted device of their own groups has is still changed by a user confined to them', async () => {
    const id = (await add({ name: 'Left behind' }, a.operator)).data?.id
    const deviceId = a.devices[1]?.id ?? 0
    const left = { ...terminal, name: 'Left', templateId: id, deviceId, slaveId: 9, slaveAddress: 'bus9' }
    const made = await call<{ id: number }>('terminal/addTerminal', left, a.operator)
    await context.sql`update devices set deleted_at = now() where id = ${deviceId}`
    const change = { ...fields, id, name: 'Left behind', retries: 5 }
    expect(await call('collectionTemplate/modifyTemplate', change, a.operator)).toMatchObject({ code: 0 })
    const added = await call<{ id: number }>(
      'variable/addVariable',
      { ...variable, templateId: id, name: 'U' },
      a.operator,
    )
    // Nothing collects it.
    expect(await call('variable/deleteVariable', { id: added.data?.id }, a.operator)).toMatchObject({
      code: 0,
    })
    await context.sql`update devices set deleted_at = null where id = ${deviceId}`
    await call('terminal/deleteTerminal', { id: made.data?.id }, a.operator)
  })

  it('that only terminals of deleted devices use says where these are, as no list of terminals shows them', async () => {
    const id = (await add({ name: 'Hidden use' })).data?.id
    const deviceId = a.devices[0]?.id ?? 0
    const used = { ...terminal, name: 'Unseen', templateId: id, deviceId, slaveId: 8, slaveAddress: 'bus9' }
    const made = await call<{ id: number }>('terminal/addTerminal', used, a.admin)
    await context.sql`update devices set deleted_at = now() where id = ${deviceId}`
    expect(await call('collectionTemplate/deleteTemplate', { id }, a.admin)).toMatchObject({
      code: monitorRefusals.templateOfDeleted.code,
      message: expect.stringContaining('abnormal'),
    })
    await context.sql`update devices set deleted_at = null where id = ${deviceId}`
    await call('terminal/deleteTerminal', { id: made.data?.id }, a.admin)
  })

  it('belongs to Cloud Monitoring: without monState nothing of it is reached [§2]', async () => {
    await context.sql`update users set mon_state = 0 where id = ${a.viewer.id}`
    expect(await call('collectionTemplate/getTemplateList', {}, a.viewer)).toMatchObject({
      code: sessionRefusals.noPermission.code,
    })
    const menu = await call<{ sonId: unknown[] }>('config/getMenu', { funTag: 1 }, a.viewer)
    expect(menu.data?.sonId).toEqual([])
    await context.sql`update users set mon_state = 1 where id = ${a.viewer.id}`
    const again = await call<{
      sonId: { id: number; path: string }[]
      queryResult: { parentName: string }[]
    }>('config/getMenu', { funTag: 1 }, a.viewer)
    expect(
      again.data?.sonId.filter(({ id }) => id === 217).map(({ path }) => path.split('/').at(-1)),
    ).toEqual(['variableList', 'collectConfigurate'])
    expect(again.data?.queryResult[0]?.parentName).toBe('Device management')
  })
})

it('[§2] the menu of Cloud Monitoring leads to every page of the specification, under its id', async () => {
  await context.sql`update users set mon_state = 1`
  const { data } = await call<{
    sonId: { id: number; path: string; parentId: number }[]
    queryResult: { parentId: number; parentName: string }[]
  }>('config/getMenu', { funTag: 1 }, a.admin, { 'accept-language': 'zh-CN' })
  const parents = new Map(data?.queryResult.map(({ parentId, parentName }) => [parentId, parentName]))
  const led = data?.sonId.map(({ id, path, parentId }) => [id, parents.get(parentId), path]) ?? []
  const at = (parent: string, id: number, path: string) => [id, parent, `/cloudMonitor/${path}`]
  const named = [
    at('设备管理', 213, 'deviceManagement/fastAccess'),
    at('设备管理', 214, 'deviceManagement/projectGroup'),
    at('设备管理', 215, 'deviceManagement/deviceList'),
    at('设备管理', 216, 'deviceManagement/terminalList'),
    at('设备管理', 217, 'deviceManagement/variableList'),
    at('设备管理', 217, 'deviceManagement/collectConfigurate'),
    at('告警管理', 218, 'alarmManagement/alarmNotice'),
    at('告警管理', 219, 'alarmManagement/alarmContact'),
    at('告警管理', 264, 'alarmManagement/alarmList'),
    at('统计报表', 220, 'statisticalReports/historyRecords'),
    at('统计报表', 220, 'statisticalReports/devicesStatus'),
    at('统计报表', 220, 'cloudMonitorHome'),
  ]
  expect(led).toEqual(expect.arrayContaining(named))
})
