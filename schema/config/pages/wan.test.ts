import { expect, it } from 'vitest'
import { sampleDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { wan } from './wan.ts'

const traits = { abilities: new Set<string>(), model: null }
const values = wan.read(sampleDoc, traits)
const wanOf = (doc: typeof sampleDoc) => doc['network']?.sections.find(({ name }) => name === 'wan')

it('reads the interface and the device behind it', () => {
  expect(values).toMatchObject({ mode: 'dhcp', metric: 10, mac: '02:00:5E:10:00:01', peerDns: true, dns: [] })
})

it('changes only the options that differ, and keeps what no field knows', () => {
  const written = wan.write(
    sampleDoc,
    { ...values, mode: 'static', address: '10.1.2.3', netmask: '255.255.255.0', gateway: '10.1.2.1' },
    traits,
  )
  expect(wanOf(written)?.options).toEqual([
    { name: 'device', value: 'eth0' },
    { name: 'proto', value: 'static' },
    { name: 'metric', value: '10' },
    { name: 'some_other', value: 'kept' },
    { name: 'ipaddr', value: '10.1.2.3' },
    { name: 'netmask', value: '255.255.255.0' },
    { name: 'gateway', value: '10.1.2.1' },
  ])
})

it('refuses a gateway outside of the network of the address', () => {
  const wrong = {
    ...values,
    mode: 'static' as const,
    address: '10.1.2.3',
    netmask: '255.255.255.0',
    gateway: '10.1.3.1',
  }
  expect(wan.check(wrong, sampleDoc, traits)).toEqual([{ path: 'gateway', text: 'wan:fault.gatewayOutside' }])
})

it('says who it is to the provider, in the options of the protocol', () => {
  const tried = triedPage(wan)
  expect(tried.lines({ clientId: '01:00:1a', vendorClass: 'iot router' }, 'network')).toEqual([
    "+ option clientid '01:00:1a'",
    "+ option vendorid 'iot router'",
  ])
  const pppoe = {
    mode: 'pppoe',
    username: 'shop',
    password: 'x',
    service: 'fibre',
    concentrator: 'ac1',
  } as const
  expect(tried.lines(pppoe, 'network')).toEqual(
    expect.arrayContaining(["+ option service 'fibre'", "+ option ac 'ac1'"]),
  )
  for (const clientId of ['0', '01:0', 'shop'])
    expect(tried.bounds({ clientId })).toEqual({ server: ['clientId'], form: ['clientId'] })
})

it('asks for more options, leaves the default route to others, and says what PPPoE does with IPv6', () => {
  const { lines } = triedPage(wan)
  expect(lines({ requestOptions: ['42', 'ntpsrv'], defaultRoute: false }, 'network')).toEqual([
    "+ option reqopts '42 ntpsrv'",
    "+ option defaultroute '0'",
  ])
  const pppoe = { mode: 'pppoe', username: 'shop', password: 'x', ipv6: '0' } as const
  expect(lines(pppoe, 'network')).toContain("+ option ipv6 '0'")
})

it('takes addresses that a host can have, and a gateway that is another host of the network', () => {
  const { faults } = triedPage(wan)
  const fixed = (address: string, gateway: string, netmask = '255.255.255.0') =>
    faults({ ...values, mode: 'static', address, netmask, gateway })
  expect(fixed('10.1.2.3', '10.1.2.1')).toEqual([])
  expect(fixed('10.1.2.2', '10.1.2.3', '255.255.255.254')).toEqual([])
  expect(fixed('10.1.2.3', '10.1.2.3')).toEqual(['gateway wan:fault.gatewayOwn'])
  expect(fixed('10.1.2.3', '10.1.2.255')).toEqual(['gateway wan:fault.noHostAddress'])
  expect(fixed('10.1.2.0', '10.1.2.1')).toEqual(['address wan:fault.noHostAddress'])
  const refused = (changes: object) => wan.body.safeParse({ ...values, ...changes }).error?.issues[0]?.path[0]
  expect(refused({ mode: 'static', address: '127.0.0.5', netmask: '255.0.0.0' })).toBe('address')
  expect(refused({ mode: 'static', address: '224.0.0.5', netmask: '255.0.0.0' })).toBe('address')
})

it('takes name servers of both families', () => {
  const parsed = (dns: string[]) => wan.body.safeParse({ ...values, dns }).success
  expect(parsed(['192.0.2.53', '2606:4700:4700::1111'])).toBe(true)
  expect(parsed(['dns.example'])).toBe(false)
})

it.each(['3', '3,10', '5 1'])(
  'takes the keepalive %s of a running PPPoE line, which netifd understands',
  (keepalive) => {
    const lines = (text: string) =>
      triedPage(wan).lines({ mode: 'pppoe', username: 'shop', password: 'x', keepalive: text }, 'network')
    expect(lines(keepalive)).toContain(`+ option keepalive '${keepalive}'`)
  },
)

it('refuses a keepalive of something else', () => {
  for (const keepalive of ['3 10 5', 'three', '3, 10'])
    expect(wan.body.shape.keepalive.safeParse(keepalive).success, keepalive).toBe(false)
})

// BusyBox's DHCP client and netifd were run with these values.
it.each([
  [{ requestOptions: ['ntpsrv', 'ntp'] }, 'requestOptions wan:fault.requestOption'],
  [{ requestOptions: ['255'] }, 'requestOptions wan:fault.requestOption'],
  [{ vendorClass: '厂'.repeat(86) }, 'vendorClass wan:fault.vendorClass'],
  [{ mac: '01:00:5E:00:00:01' }, 'mac wan:fault.mac'],
  [{ mac: '00:00:00:00:00:00' }, 'mac wan:fault.mac'],
])('refuses what the DHCP client gives up at, or the port ignores: %j', (changed, fault) => {
  expect(triedPage(wan).faults({ ...values, ...changed })).toEqual([fault])
})

it('takes numbers and known names of DHCP options, and the longest vendor class', () => {
  const taken = { requestOptions: ['1', '254', '0x2b', 'ntpsrv'], vendorClass: '厂'.repeat(85) }
  expect(triedPage(wan).faults({ ...values, ...taken })).toEqual([])
})

it('has the MTU of a PPPoE line at the interface, where its script reads it, and of any other at the port', () => {
  const account = { username: 'shop', password: 'x' }
  const { lines } = triedPage(wan)
  expect(lines({ mode: 'pppoe', ...account, mtu: 1480 }, 'network')).toContain("+ option mtu '1480'")
  const pppoe = wan.write(sampleDoc, { ...values, mode: 'pppoe', ...account, mtu: 1480 }, traits)
  expect(wanOf(pppoe)?.options).toContainEqual({ name: 'mtu', value: '1480' })
  expect(wan.read(pppoe, traits).mtu).toBe(1480)
  const again = wan.write(pppoe, { ...wan.read(pppoe, traits), mode: 'dhcp' }, traits)
  expect(wanOf(again)?.options).not.toContainEqual({ name: 'mtu', value: '1480' })
  const port = again['network']?.sections.find(({ options }) =>
    options.some(({ name, value }) => name === 'name' && value === 'eth0'),
  )
  expect(port?.options).toContainEqual({ name: 'mtu', value: '1480' })
  expect(wan.read(again, traits).mtu).toBe(1480)
})
