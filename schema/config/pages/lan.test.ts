import { describe, expect, it } from 'vitest'
import { sampleDoc, section } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { lan } from './lan.ts'

const { values, lines, bounds, faults, write } = triedPage(lan)
const row = { id: '', mac: '02:00:5E:20:00:09', ip: '192.168.8.40', name: '', leaseTime: '', tag: '' }

it('reads the address with its netmask, the pool and the name servers for clients', () => {
  expect(values).toMatchObject({
    mode: 'static',
    address: '192.168.8.1',
    netmask: '255.255.255.0',
    dhcp: true,
    start: 50,
    limit: 100,
    leaseTime: '6h',
    clientDns: ['192.0.2.53', '198.51.100.53'],
  })
})

it('shows hosts with a hardware address as reservations, and no others', () => {
  expect(values.reservations.map(({ name, ip }) => [name, ip])).toEqual([
    ['till', '192.168.8.20'],
    ['', '192.168.8.30'],
  ])
})

it('keeps other DHCP options in their places when the name servers change', () => {
  expect(lines({ clientDns: ['192.0.2.54'] }, 'dhcp')).toEqual([
    "- list dhcp_option '6,192.0.2.53,198.51.100.53'",
    "+ list dhcp_option '6,192.0.2.54'",
  ])
  expect(lines({ clientDns: [] }, 'dhcp')).toEqual(["- list dhcp_option '6,192.0.2.53,198.51.100.53'"])
})

it('adds a reservation as an anonymous section behind the others, and keeps their unknown options', () => {
  const sections = write({ reservations: [...values.reservations, row] })['dhcp']?.sections ?? []
  expect(sections.at(-1)).toEqual(section('host', null, { mac: row.mac, ip: row.ip }))
  expect(sections.find(({ options }) => options.some(({ name }) => name === 'tag'))).toBeDefined()
})

it('switches the server on and off by one option', () => {
  expect(lines({ dhcp: false }, 'dhcp')).toEqual(["+ option ignore '1'"])
})

it('makes the pool of a network that has none', () => {
  const { lines: fresh, values: before } = triedPage(lan, {})
  expect(before.dhcp).toBe(false)
  expect(fresh({ dhcp: true, leaseTime: '1h' }, 'dhcp')).toEqual([
    '+ package dhcp',
    "+ config dhcp 'lan'",
    "+ option interface 'lan'",
    "+ option ignore '0'",
    "+ option leasetime '1h'",
  ])
})

it('does not write what is not shown', () => {
  expect(lines({ mode: 'dhcp', address: '10.0.0.1' }, 'network')).toEqual([
    "- option proto 'static'",
    "+ option proto 'dhcp'",
  ])
})

describe('[§5 DHCP lease time] at least 2m', () => {
  it.each(['1m', '119', '119s', '0', 'soon'])('refuses %s in form and schema', (leaseTime) => {
    expect(bounds({ leaseTime })).toEqual({ server: ['leaseTime'], form: ['leaseTime'] })
    const reservations = [{ ...row, leaseTime }]
    const path = ['reservations.0.leaseTime']
    expect(bounds({ reservations })).toEqual({ server: path, form: path })
  })
  it.each(['2m', '120', '12h', '7d', 'infinite'])('accepts %s', (leaseTime) => {
    expect(bounds({ leaseTime })).toEqual({ server: [], form: [] })
  })
})

it.each([
  ['address', { address: '192.168.8.256' }],
  ['netmask', { netmask: '255.0.255.0' }],
  ['start', { start: 0 }],
  ['limit', { limit: 0 }],
  ['clientDns', { clientDns: ['dns.example'] }],
  ['reservations.0.mac', { reservations: [{ ...row, mac: '02:00:5E' }] }],
  ['reservations.0.ip', { reservations: [{ ...row, ip: '192.168.8' }] }],
])('refuses a bad %s in form and schema', (path, changed) => {
  const { server, form } = bounds(changed)
  expect(form).toEqual([path])
  expect(server.map((one) => one.replace(/^(clientDns)\.0$/, '$1'))).toEqual([path])
})

it('needs an address while it is static, and no longer', () => {
  expect(bounds({ address: '', netmask: '' }).form).toEqual(['address', 'netmask'])
  expect(bounds({ mode: 'dhcp', address: '', netmask: '' }).form).toEqual([])
})

it.each([
  [{ start: 255 }, 'start lan:fault.startOutside'],
  [{ limit: 206 }, 'limit lan:fault.poolTooLarge'],
  [{ address: '192.168.8.0' }, 'address lan:fault.noHostAddress'],
  [{ address: '192.168.8.255' }, 'address lan:fault.noHostAddress'],
  [{ netmask: '255.255.255.255' }, 'netmask lan:fault.noHosts'],
  [{ reservations: [{ ...row, ip: '192.168.9.4' }] }, 'reservations.0.ip lan:fault.ipOutside'],
  [{ reservations: [{ ...row, ip: '192.168.8.1' }] }, 'reservations.0.ip lan:fault.ipOwn'],
  [{ reservations: [{ ...row, name: '_till' }] }, 'reservations.0.name lan:fault.name'],
  [{ reservations: [{ ...row, name: '12h' }] }, 'reservations.0.name lan:fault.name'],
  [{ reservations: [{ ...row, name: 'ignore' }] }, 'reservations.0.name lan:fault.name'],
  [{ reservations: [{ ...row, name: '10.0.0.5' }] }, 'reservations.0.name lan:fault.name'],
  [{ reservations: [row, { ...row, ip: '192.168.8.41' }] }, 'reservations.1.mac lan:fault.macTwice'],
  [{ reservations: [row, { ...row, mac: '02:00:5e:20:00:0A' }] }, 'reservations.1.ip lan:fault.ipTwice'],
])('refuses what does not fit together: %j', (changed, fault) => {
  expect(faults(changed)).toEqual([fault])
})

it('accepts the last pool and reservation that fit', () => {
  expect(faults({ start: 50, limit: 205, reservations: [row] })).toEqual([])
})

it('serves clients with a reservation only, and gives a client the options of its tag', () => {
  expect(lines({ dynamic: false }, 'dhcp')).toEqual(["+ option dynamicdhcp '0'"])
  expect(values.reservations[0]?.tag).toBe('kept')
  const [first, ...others] = values.reservations
  expect(lines({ reservations: [{ ...(first ?? row), tag: 'tills' }, ...others] }, 'dhcp')).toEqual([
    "- option tag 'kept'",
    "+ option tag 'tills'",
  ])
})

describe('of an interface with two addresses', () => {
  const listed = triedPage(lan, {
    ...sampleDoc,
    network: {
      name: 'network',
      sections: [
        section('interface', 'lan', {
          device: 'br-lan',
          proto: 'static',
          ipaddr: ['192.168.8.1/24', '10.20.0.1/16'],
        }),
      ],
    },
  })

  it('accepts reservations in both networks', () => {
    expect(listed.faults({ reservations: [{ ...row, ip: '10.20.3.4' }] })).toEqual([])
    expect(listed.faults({ reservations: [{ ...row, ip: '10.21.3.4' }] })).toHaveLength(1)
  })

  it('keeps the second address when the first is changed', () => {
    expect(listed.lines({ address: '192.168.8.2' }, 'network')).toEqual([
      "- list ipaddr '192.168.8.1/24'",
      "+ list ipaddr '192.168.8.2'",
      "+ option netmask '255.255.255.0'",
    ])
  })
})

it('a changed netmask is not left beside a prefix in the address, which devices prefer', () => {
  expect(lines({ netmask: '255.255.254.0' }, 'network')).toEqual([
    "- option ipaddr '192.168.8.1/24'",
    "+ option ipaddr '192.168.8.1'",
    "+ option netmask '255.255.254.0'",
  ])
})
