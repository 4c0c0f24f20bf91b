import { describe, expect, it } from 'vitest'
import { deviceDoc, section } from '../sample-doc.ts'
import { noTraits, triedPage } from '../tried-page.ts'
import { serialServer } from './serial-server.ts'

const page = triedPage(serialServer, deviceDoc)
const [proxy] = page.values.proxies
if (!proxy) throw new Error('the sample has a proxy')

it('reads the proxies, and no other section', () => {
  expect(page.values).toMatchObject({
    enabled: true,
    proxies: [{ enabled: true, device: '/dev/ttyUSB0', port: 5000, protocol: 'telnet', baudrate: '115200' }],
  })
})

it('changes the line that differs', () => {
  expect(page.lines({ proxies: [{ ...proxy, timeoutS: 30 }] }, 'ser2net')).toEqual(["+ option timeout '30'"])
  expect(page.lines({ enabled: false }, 'ser2net')).toEqual(["- option enabled '1'", "+ option enabled '0'"])
})

it('gives a new proxy the protocol without which its section is skipped', () => {
  const added = { ...proxy, id: '', port: 5001, protocol: 'raw' as const, device: '/dev/ttyUSB5' }
  expect(page.lines({ proxies: [proxy, added] }, 'ser2net')).toContain("+ option protocol 'raw'")
})

describe('the line of a proxy', () => {
  it('is written whole where it changes, since its init script reads no part of it alone', () => {
    expect(page.lines({ proxies: [{ ...proxy, databits: '7' }] }, 'ser2net')).toEqual([
      "+ option databits '7'",
      "+ option parity 'none'",
      "+ option stopbits '1'",
    ])
  })

  it('is written whole for a new proxy, which would otherwise have the line of the section for all', () => {
    const { baudrate: _, ...plain } = proxy
    const added = serialServer.body.parse({
      enabled: true,
      proxies: [proxy, { ...plain, id: '', port: 5001, device: '/dev/ttyUSB5' }],
    })
    const lines = page.lines(added, 'ser2net')
    for (const line of ["baudrate '9600'", "databits '8'", "parity 'none'", "stopbits '1'"])
      expect(lines).toContain(`+ option ${line}`)
  })

  it('is read from the section for all where a proxy says nothing', () => {
    const all = section('default', null, { speed: '19200', parity: 'Even', stopbits: '2' })
    const plain = section('proxy', null, { protocol: 'raw', device: '/dev/ttyS1', port: '5000' })
    const doc = { ...deviceDoc, ser2net: { name: 'ser2net', sections: [all, plain] } }
    expect(serialServer.read(doc, noTraits).proxies).toMatchObject([
      { baudrate: '19200', databits: '8', parity: 'even', stopbits: '2' },
    ])
  })

  it('gets no parity for which its init script would leave the proxy out, but keeps one that is there', () => {
    const odd = { ...proxy, parity: 'mark' as const }
    expect(page.faults({ proxies: [odd] })).toEqual(['proxies.0.parity serial-server:fault.parity'])
    expect(page.faults({ proxies: [{ ...odd, enabled: false }] })).toEqual([])
    const was = section('proxy', null, {
      protocol: 'raw',
      device: '/dev/ttyS1',
      parity: 'mark',
      enabled: '1',
    })
    const before = triedPage(serialServer, {
      ...deviceDoc,
      ser2net: { name: 'ser2net', sections: [was] },
      serial: { name: 'serial', sections: [] },
    })
    expect(before.faults({})).toEqual([])
  })
})

it('writes further options, and leaves the empty one of the stock file as it is', () => {
  expect(
    page.lines({ proxies: [{ ...proxy, options: ['kickolduser', 'max-connections=2'] }] }, 'ser2net'),
  ).toEqual(["+ list options 'kickolduser'", "+ list options 'max-connections=2'"])
  const stock = {
    name: 'ser2net',
    sections: [section('proxy', null, { device: '/dev/ttyS1', options: [''] })],
  }
  const doc = { ...deviceDoc, ser2net: stock }
  const { proxies } = serialServer.read(doc, noTraits)
  expect(proxies[0]?.options).toEqual([])
  expect(
    triedPage(serialServer, doc).lines(
      { proxies: proxies.map((one) => ({ ...one, xonxoff: true })) },
      'ser2net',
    ),
  ).toEqual(["+ option xonxoff '1'"])
})

it('refuses bad values in the form and on the server', () => {
  const refused = page.bounds({ proxies: [{ ...proxy, port: 0, baudrate: '9601', device: 'ttyS1' }] })
  const paths = ['proxies.0.device', 'proxies.0.port', 'proxies.0.baudrate']
  expect(refused).toEqual({ server: paths, form: paths })
})

it('refuses the serial port of another program', () => {
  expect(page.faults({ proxies: [{ ...proxy, device: '/dev/ttyS1' }] })).toEqual([
    'proxies.0.device serial:fault.deviceTaken',
  ])
})
