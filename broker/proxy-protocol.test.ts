import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { generate } from 'mqtt-packet'
import { describe, expect, it } from 'vitest'
import { brokerTest } from '#test/broker-test'
import type { TestDevice } from '#test/tenants'
import { readProxyHeader } from './proxy-protocol.ts'

const v2 = (command: number, family: number, body: string, length = body.length / 2) =>
  Buffer.from(
    `0d0a0d0a000d0a515549540a${command.toString(16)}${family.toString(16).padStart(2, '0')}${length.toString(16).padStart(4, '0')}${body}`,
    'hex',
  )
const four = 'cb007109' + '7f000001' + '1f90' + '075b'
const six = '20010db8000000000000000000000007' + '00000000000000000000000000000001' + '1f90' + '075b'

describe('the header of a balancer', () => {
  it.each([
    ['version 1', Buffer.from('PROXY TCP4 203.0.113.9 127.0.0.1 8080 1883\r\nrest'), '203.0.113.9', 44],
    ['version 1, IPv6', Buffer.from('PROXY TCP6 2001:db8::7 ::1 8080 1883\r\n'), '2001:db8::7', 38],
    ['version 1, unknown', Buffer.from('PROXY UNKNOWN anything\r\n'), null, 24],
    ['version 2', v2(0x21, 0x11, four), '203.0.113.9', 28],
    ['version 2, IPv6', v2(0x21, 0x21, six), '2001:db8:0:0:0:0:0:7', 52],
    ['version 2, with further fields', v2(0x21, 0x11, `${four}030004aabbccdd`), '203.0.113.9', 35],
    ['version 2, a health check', v2(0x20, 0, ''), null, 16],
  ])('%s names the address', (_what, bytes, ip, length) => {
    expect(readProxyHeader(bytes)).toEqual({ ip, bytes: length })
    for (let i = 0; i < length; i++) expect(readProxyHeader(bytes.subarray(0, i))).toBe('incomplete')
  })

  it.each([
    ['an MQTT packet', Buffer.from([0x10, 12, 0, 4])],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n')],
    ['no address', Buffer.from('PROXY TCP4 nowhere 127.0.0.1 1 2\r\n')],
    ['an address of the other family', Buffer.from('PROXY TCP4 ::1 ::1 1 2\r\n')],
    ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
    ['an unknown version', v2(0x31, 0x11, four)],
    ['an unknown command', v2(0x25, 0x11, four)],
    ['too short for its family', v2(0x21, 0x21, four)],
    ['endless', v2(0x21, 0x11, four, 60_000)],
  ])('%s is none', (_what, bytes) => expect(readProxyHeader(bytes)).toBe('fault'))
})

const { context, broker, devices } = await brokerTest('PP-', 3, { MQTT_PROXIES: '127.0.0.2' })
const hello = ({ sn, secret }: TestDevice) =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    clientId: sn,
    username: sn,
    password: Buffer.from(secret),
  })

describe('a connection of a trusted balancer', () => {
  it.each([
    ['tcp', 0],
    ['tls', 1],
  ] as const)('over %s has the address that the header names', async (transport, index) => {
    const device = devices[index] as TestDevice
    const port = transport === 'tcp' ? broker.ports.mqtt : broker.ports.mqtts
    const raw = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    const header = v2(0x21, 0x11, four)
    // In two parts, the second together with what follows.
    raw.write(header.subarray(0, 9))
    await new Promise((done) => setTimeout(done, 50))
    raw.write(header.subarray(9))
    const socket = transport === 'tcp' ? raw : connectTls({ socket: raw, rejectUnauthorized: false })
    socket.write(hello(device))
    const answer = await new Promise<Buffer>((done) => socket.once('data', done))
    expect([...answer]).toEqual([0x20, 2, 0, 0])
    await expect
      .poll(() => context.sql`select ip, transport from presence_records where device_id = ${device.id}`)
      .toEqual([{ ip: '203.0.113.9', transport }])
    socket.destroy()
  })

  it('without the header is closed', async () => {
    const socket = connect({ port: broker.ports.mqtt, host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket.write(hello(devices[2] as TestDevice))
    await new Promise((done) => socket.once('close', done))
  })

  it('from other addresses, the header is not accepted', async () => {
    const socket = connect({ port: broker.ports.mqtt, host: '127.0.0.1' })
    socket.write(Buffer.concat([v2(0x21, 0x11, four), hello(devices[2] as TestDevice)]))
    await new Promise((done) => socket.once('close', done))
  })
})
