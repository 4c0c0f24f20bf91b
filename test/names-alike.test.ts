/** [decisions/064] Names that look alike are equal, wherever names are unique. */

import { expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { groupRefusals } from '#schema/group/group-refusals'
import { accountRefusals } from '#schema/people/account-refusals'
import { peopleRefusals } from '#schema/people/people-refusals'
import { viewRefusals } from '#schema/platform/view-refusals'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { apiTest } from './api-client.ts'

const { call, tenants, context } = await apiTest()
const { a, superAdmin } = tenants
const { sql } = context

const [template] = await sql<{ id: number }[]>`
  insert into collection_templates (customer_id, name, type) values (${a.customerId}, 'Meter', 'other') returning id`
const terminal = {
  deviceId: a.devices[0]?.id,
  templateId: template?.id,
  protocol: 'modbusRtu',
  slaveAddress: '40001',
}
let slaveId = 1
const rule = { kind: 'offline', threshold: 5, scope: 'customer' }
const channel = { kind: 'webhook', secretUrl: 'https://hooks.example.com/x' }
const view = { list: 'device/getDeviceList', query: 'a=1', shared: false, isDefault: false }
const named: readonly [string, (name: string) => object, number, string, { username: string }][] = [
  [
    'device/addGroup',
    (groupName) => ({ groupName, cid: a.customerId }),
    groupRefusals.groupNameTaken.code,
    'groupName',
    a.admin,
  ],
  ['customer/addCustomer', (name) => ({ name }), peopleRefusals.customerTaken.code, 'name', superAdmin],
  [
    'role/addRole',
    (name) => ({ name, description: '', functionIds: [], menuIds: [] }),
    deviceRefusals.nameTaken.code,
    'name',
    a.admin,
  ],
  ['alarm/createAlarmRule', (name) => ({ ...rule, name }), deviceRefusals.nameTaken.code, 'name', a.admin],
  [
    'alarm/createAlarmChannel',
    (name) => ({ ...channel, name }),
    deviceRefusals.nameTaken.code,
    'name',
    a.admin,
  ],
  ['view/saveView', (name) => ({ ...view, name }), viewRefusals.viewNameExists.code, 'name', a.admin],
  [
    'terminal/addTerminal',
    (name) => ({ ...terminal, slaveId: slaveId++, name }),
    printerRefusals.terminalNameTaken.code,
    'name',
    a.admin,
  ],
  [
    'parameter/addParameter',
    (nameEn) => ({ nameEn, nameZh: nameEn, value: '1' }),
    accountRefusals.parameterZhTaken.code,
    'nameZh',
    superAdmin,
  ],
]

it.each(named)('%s refuses a name that looks like another one', async (name, body, code, field, who) => {
  expect(await call(name, body('Pump Room 1'), who)).toMatchObject({ code: 0 })
  for (const alike of ['pump room 1', '  Pump   Room 1 ', 'Ｐｕｍｐ\u3000Ｒｏｏｍ　１', 'Pump\u00a0Room 1'])
    expect(await call(name, body(alike), who)).toMatchObject({ code, field })
  expect(await call(name, body('Pump Room 2'), who)).toMatchObject({ code: 0 })
})

it('an edit may change the notation of its own name, and cannot take another’s', async () => {
  const [group] = await sql<{ id: number }[]>`select id from groups where name = 'Pump Room 2'`
  const rename = (groupName: string) => call('device/modifyGroupName', { gid: group?.id, groupName }, a.admin)
  expect(await rename('PUMP room 2')).toMatchObject({ code: 0 })
  expect(await rename('PUMP room 1')).toMatchObject({ code: groupRefusals.groupNameTaken.code })
})

it('a printer driver refuses a sign that looks like another one, added or edited', async () => {
  const driver = (sign: string) => ({ sign, address: '/x', type: 'common' })
  const added = await call<{ id: number }>('printer/addPrinterDriver', driver('Zebra-1'), superAdmin)
  const other = await call<{ id: number }>('printer/addPrinterDriver', driver('Zebra-2'), superAdmin)
  const refused = { code: printerRefusals.driverSignTaken.code, field: 'sign' }
  expect(await call('printer/addPrinterDriver', driver('ZEBRA-1'), superAdmin)).toMatchObject(refused)
  const modify = (id: number | undefined, sign: string) =>
    call('printer/modifyPrinterDriver', { id, ...driver(sign), debugState: 'passed', remark: '' }, superAdmin)
  expect(await modify(other.data?.id, 'zebra-1')).toMatchObject(refused)
  expect(await modify(added.data?.id, 'ZEBRA-1')).toMatchObject({ code: 0 })
})
