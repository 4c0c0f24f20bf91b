import { expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { modbusGateway } from './modbus-gateway.ts'

const page = triedPage(modbusGateway, deviceDoc)
const [gateway] = page.values.gateways
if (!gateway) throw new Error('the sample has a gateway')

it('reads the gateway, also with a parity in small letters', () => {
  expect(gateway).toMatchObject({ enabled: false, port: 502, parity: 'N', retries: 2, waitMs: 500 })
})

it('changes the option that differs and keeps what no field knows', () => {
  expect(page.lines({ gateways: [{ ...gateway, retries: 5 }] }, 'mbusd')).toEqual([
    "- option rtu_retries '2'",
    "+ option rtu_retries '5'",
  ])
})

it.each([6, -1, 2.5])('[§5] refuses %s retries in the form and on the server', (retries) => {
  expect(page.bounds({ gateways: [{ ...gateway, retries }] })).toEqual({
    server: ['gateways.0.retries'],
    form: ['gateways.0.retries'],
  })
})

it.each([0, 5])('[§5] takes %s retries', (retries) => {
  expect(page.bounds({ gateways: [{ ...gateway, retries }] })).toEqual({ server: [], form: [] })
})

it('refuses a serial port that ser2net has', () => {
  const taken = { ...gateway, enabled: true, device: '/dev/ttyUSB0' }
  expect(page.faults({ gateways: [taken] })).toEqual(['gateways.0.device serial:fault.deviceTaken'])
  expect(page.faults({ gateways: [{ ...taken, enabled: false }] })).toEqual([])
})

it('takes only 8 data bits, with any other number of which the program ends at once', () => {
  const faults = (changed: object) =>
    page.faults({ gateways: [{ ...gateway, enabled: true, device: '/dev/ttyS7', ...changed }] })
  expect(faults({})).toEqual([])
  expect(faults({ databits: '7' })).toEqual(['gateways.0.databits modbus-gateway:fault.dataBits'])
  expect(faults({ databits: '7', enabled: false })).toEqual([])
})
