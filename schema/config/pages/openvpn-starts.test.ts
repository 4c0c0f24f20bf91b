/** What OpenVPN itself refuses at its start: tried with 2.6. */
import { expect, it } from 'vitest'
import { sampleDoc } from '../sample-doc.ts'
import { noTraits, triedPage } from '../tried-page.ts'
import { openvpn } from './openvpn.ts'

const { values, lines, faults } = triedPage(openvpn)
const serverOn = { ...values.server, enabled: true, subnet: '10.8.0.0/24' }
/** Without those about its keys, which it lacks here. */
const about = (changed: Partial<typeof serverOn>) =>
  faults({ server: { ...serverOn, ...changed } }).filter((fault) => !fault.endsWith('missing'))

it.each([
  ['keepalive', { keepalive: '10 15' }],
  ['keepalive', { keepalive: '10 0' }],
  ['subnet', { subnet: '10.8.0.5/24' }],
  ['subnet', { subnet: '10.8.0.0/30' }],
  ['subnet', { subnet: '10.0.0.0/8' }],
])('refuses a %s with which it does not start: %j', (name, changed) => {
  expect(about(changed)).toEqual([`server.${name} openvpn:fault.${name}`])
})

it('accepts a keepalive that is off, and the smallest and largest networks', () => {
  for (const changed of [
    { keepalive: '0 0' },
    { keepalive: '' },
    { keepalive: '10 20' },
    { subnet: '10.8.0.0/29' },
    { subnet: '10.8.0.0/16' },
  ])
    expect(about(changed), JSON.stringify(changed)).toEqual([])
})

it('a route to everything is pushed as one', () => {
  const after = lines({ server: { ...serverOn, routes: ['0.0.0.0/0', '10.1.0.0/16'] } }, 'openvpn')
  expect(after.filter((line) => line.includes('route'))).toEqual([
    "+ list push 'route 0.0.0.0 0.0.0.0'",
    "+ list push 'route 10.1.0.0 255.255.0.0'",
  ])
})

it('several ciphers are one item, since of several lines OpenVPN takes the last', () => {
  const ciphers = ['AES-256-GCM', 'CHACHA20-POLY1305']
  const after = lines({ server: { ...serverOn, ciphers } }, 'openvpn')
  expect(after).toContain("+ list data_ciphers 'AES-256-GCM:CHACHA20-POLY1305'")
  const read = openvpn.read(
    openvpn.write(sampleDoc, { ...values, server: { ...serverOn, ciphers } }, noTraits),
    noTraits,
  )
  expect(read.server.ciphers).toEqual(ciphers)
})

it('refuses two hyphens where an interface carries the tunnel, whose handler cuts the option off there', () => {
  const client = { ...values.client, remotes: ['xn--fiqs8s.example 1194'] }
  const server = { ...serverOn, push: ['dhcp-option DOMAIN a--b.example'] }
  const hyphens = (abilities: string[]) =>
    faults({ client, server }, abilities).filter((fault) => fault.includes('hyphens'))
  expect(hyphens(['openvpn', 'openvpnNetifd'])).toEqual([
    'client.remotes openvpn:fault.hyphens',
    'server.push openvpn:fault.hyphens',
  ])
  expect(hyphens(['openvpn'])).toEqual([])
})
