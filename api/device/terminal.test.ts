/** [§5 Terminal] name, template, device, slave id (0-255), slave address and protocol are required. */

import { describe, expect, it } from 'vitest'
import { sessionRefusals } from '#schema/people/session-refusals'
import { printerRefusals } from '#schema/printing/printer-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants } = await apiTest()
const { a } = tenants
const fields = {
  name: 'Meter 1',
  template: 'Meter',
  protocol: 'modbusRtu',
  deviceId: a.devices[0]?.id,
  slaveId: 1,
  slaveAddress: 'bus1',
}
const add = (body: object, who = a.admin) => call<{ id: number }>('terminal/addTerminal', body, who)
type Listed = { list: { name: string }[]; total: number }
const list = (body: object, who = a.admin) => call<Listed>('terminal/getTerminalList', body, who)

describe('a terminal', () => {
  it('is added, listed, changed, hidden and deleted', async () => {
    const own = { ...fields, deviceId: a.devices[1]?.id }
    const id = (await add({ ...own, name: 'Boiler', port: 502 }, a.operator)).data?.id
    const changed = { id, ...own, name: 'Boiler 2', serial: 'B-17' }
    expect(await call('terminal/modifyTerminal', changed, a.operator)).toMatchObject({ code: 0 })
    expect(await call('terminal/hideTerminal', { id, hidden: true }, a.operator)).toMatchObject({ code: 0 })
    expect((await list({ search: 'boiler', hidden: 'yes' }, a.operator)).data?.list).toMatchObject([
      { name: 'Boiler 2', serial: 'B-17', port: null, hidden: true },
    ])
    expect(await call('terminal/deleteTerminal', { id }, a.operator)).toMatchObject({ code: 0 })
    expect((await list({}, a.operator)).data?.total).toBe(0)
  })

  it.each([
    ['name', { name: ' ' }],
    ['template', { template: '' }],
    ['protocol', { protocol: 'ftp' }],
    ['slaveId', { slaveId: 256 }],
    ['slaveId', { slaveId: -1 }],
    ['slaveId', { slaveId: '' }],
    ['slaveId', { slaveId: null }],
    ['slaveAddress', { slaveAddress: 'http://x/' }],
    ['port', { port: 65_536 }],
  ])('is refused for its %s', async (field, wrong) => {
    expect(await add({ ...fields, ...wrong })).toMatchObject({ code: sessionRefusals.invalid.code, field })
  })

  it('has a unique name and a unique slave at its device', async () => {
    expect(await add(fields)).toMatchObject({ code: 0 })
    expect(await add({ ...fields, slaveId: 2 })).toMatchObject({
      code: printerRefusals.terminalNameTaken.code,
      field: 'name',
    })
    expect(await add({ ...fields, name: 'Meter 2' })).toMatchObject({
      code: printerRefusals.slaveTaken.code,
      field: 'slaveId',
    })
  })

  it('cannot be attached to a device outside the own groups', async () => {
    expect(await add(fields, a.operator)).toMatchObject({ code: sessionRefusals.noPermission.code })
  })
})
