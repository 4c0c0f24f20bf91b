import { describe, expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { serial } from './serial.ts'

const page = triedPage(serial, deviceDoc)
const [meters, spare] = page.values.ports
if (!meters || !spare) throw new Error('the sample has two ports')
const withMeters = (changed: Partial<typeof meters>) => ({ ports: [{ ...meters, ...changed }, spare] })

it('reads each port with what it does without an option', () => {
  expect(meters).toMatchObject({
    mode: 'mqtt',
    host: 'mqtt.example',
    remotePort: 8883,
    prefix: '0x0102',
    baudrate: '9600',
  })
  expect(spare).toMatchObject({ device: '/dev/ttyS2', mode: 'off', standard: 'rs232' })
})

it('changes the option that differs, and nothing else', () => {
  expect(page.lines(withMeters({ heartbeat: '0x00ff' }), 'serial')).toEqual(["+ option heartbeat '0x00ff'"])
})

it('adds a port as an anonymous section', () => {
  const added = { ...spare, id: '', name: 'Scale', device: '/dev/ttyS3' }
  expect(page.lines({ ports: [meters, spare, added] }, 'serial')).toEqual([
    '+ config port',
    "+ option name 'Scale'",
    "+ option device '/dev/ttyS3'",
  ])
})

describe('[§5] refuses, in the form and on the server,', () => {
  it.each([
    ['a prefix of five bytes', 'prefix', '0x0102030405'],
    ['a prefix without 0x', 'prefix', '0102'],
    ['half a byte', 'prefix', '0x123'],
    ['a device id of 17 bytes', 'deviceId', `0x${'ab'.repeat(17)}`],
    ['a heartbeat of 65 bytes', 'heartbeat', `0x${'00'.repeat(65)}`],
    ['six retries', 'retries', 6],
    ['a negative number of retries', 'retries', -1],
    ['a port above 65535', 'remotePort', 65_536],
    ['a host with a blank', 'host', 'my host'],
    ['a path outside of /dev', 'device', '/etc/passwd'],
  ] as const)('%s', (_, field, value) => {
    const refused = page.bounds(withMeters({ [field]: value }))
    expect(refused).toEqual({ server: [`ports.0.${field}`], form: [`ports.0.${field}`] })
  })

  it.each([
    ['prefix', `0x${'ab'.repeat(4)}`],
    ['deviceId', `0x${'ab'.repeat(16)}`],
    ['heartbeat', `0x${'ab'.repeat(64)}`],
    ['retries', 0],
    ['retries', 5],
  ] as const)('but not %s %s', (field, value) => {
    expect(page.bounds(withMeters({ [field]: value }))).toEqual({ server: [], form: [] })
  })
})

it('asks for the fields of a mode only while that mode is chosen', () => {
  expect(page.bounds(withMeters({ mode: 'tcp_server' })).form).toEqual(['ports.0.localPort'])
  expect(page.bounds(withMeters({ mode: 'mqtt', publishTopic: '' })).form).toEqual(['ports.0.publishTopic'])
})

it('refuses one serial device, or one TCP port, for two programs', () => {
  const listening = { mode: 'tcp_server', localPort: 5000 } as const
  expect(page.faults(withMeters({ ...listening, device: '/dev/ttyUSB0' }))).toEqual([
    'ports.0.device serial:fault.deviceTaken',
    'ports.0.localPort serial:fault.portTaken',
  ])
  const twice = { ...spare, ...listening, localPort: 4000, device: meters.device }
  expect(page.faults({ ports: [meters, twice] })).toEqual(['ports.1.device serial:fault.deviceTaken'])
  expect(page.faults(withMeters({ ...listening, localPort: 4001 }))).toEqual([])
})
