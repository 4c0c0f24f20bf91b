import { describe, expect, it } from 'vitest'
import { sampleDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { n2nEdge } from './n2n-edge.ts'

const { values, lines, bounds, faults } = triedPage(n2nEdge)

it('reads the edge', () => {
  expect(values).toMatchObject({
    enabled: true,
    supernode: 'n2n.example',
    port: 9001,
    tunnel: 'n2n0',
    address: '10.64.8.17',
    prefix: 16,
    mtu: 1290,
    zone: '',
  })
})

it('puts the tunnel into a zone, and takes it along when it is renamed', () => {
  expect(lines({ zone: 'lan' }, 'firewall')).toEqual(["+ list device 'n2n0'"])
  const there = triedPage(
    n2nEdge,
    n2nEdge.write(sampleDoc, { ...values, zone: 'lan' }, { abilities: new Set(), model: null }),
  )
  expect(there.values.zone).toBe('lan')
  expect(there.lines({ tunnel: 'edge0' }, 'firewall')).toEqual([
    "- list device 'n2n0'",
    "+ list device 'edge0'",
  ])
  expect(there.lines({ zone: '' }, 'firewall')).toEqual(["- list device 'n2n0'"])
})

it('writes out what the program needs when it is switched on for the first time', () => {
  const fresh = triedPage(n2nEdge, {})
  expect(fresh.lines({ enabled: true, supernode: 'n2n.example', community: 'shops' }, 'n2n')).toEqual([
    '+ package n2n',
    '+ config edge',
    "+ option enabled '1'",
    "+ option supernode 'n2n.example'",
    "+ option community 'shops'",
    "+ option tunname 'n2n0'",
    "+ option mode 'dhcp'",
    "+ option port '9001'",
    "+ option mtu '1290'",
  ])
})

it('keeps the fixed address while it gets one from the network', () => {
  expect(lines({ mode: 'dhcp', address: '' }, 'n2n')).toEqual([
    "- option mode 'static'",
    "+ option mode 'dhcp'",
  ])
})

it('joins a supernode that knows users', () => {
  const key = 'aDF8it1ZAAQMVcCrH5FCCqYTm-xAp5WlZQ2uClbFFp0'
  const user = { user: 'acme-north', password: 'pass-word-1', federationKey: key, mode: 'supernode' } as const
  expect(faults(user)).toEqual([])
  expect(lines({ ...user, address: '' }, 'n2n')).toEqual([
    "- option mode 'static'",
    "+ option mode 'supernode'",
    "+ option user 'acme-north'",
    "+ option password 'pass-word-1'",
    `+ option federation_key '${key}'`,
  ])
})

describe('[§5 N2n] port 9001-50000', () => {
  it.each([9000, 50_001, 0])('refuses %d in form and schema', (port) => {
    expect(bounds({ port })).toEqual({ server: ['port'], form: ['port'] })
    expect(bounds({ secondPort: port })).toEqual({ server: ['secondPort'], form: ['secondPort'] })
  })
  it.each([9001, 50_000])('accepts %d', (port) => {
    expect(bounds({ port, secondPort: port })).toEqual({ server: [], form: [] })
  })
})

it.each([
  ['supernode', 'two words'],
  ['community', 'twenty-characters-xx'],
  ['community', 'two words'],
  ['key', 'two words'],
  ['tunnel', 'a-name-of-16-cha'],
  ['address', '10.64.8'],
  ['prefix', 31],
  ['mtu', 1501],
  ['user', 'sixteen-letters-'],
  ['user', 'two words'],
  ['password', 'two words'],
])('refuses %s %j in form and schema', (name, value) => {
  expect(bounds({ [name]: value })).toEqual({ server: [name], form: [name] })
})

it('needs supernode and community while it is on', () => {
  const changed = { supernode: '', community: '', address: '' }
  expect(bounds(changed).form).toEqual(['supernode', 'community', 'address'])
  expect(bounds({ ...changed, enabled: false }).form).toEqual([])
})

it.each([
  [{ address: '192.168.8.200', prefix: 24 }, 'address n2n-edge:fault.overlapsLan'],
  [{ secondPort: 9002 }, 'secondSupernode n2n-edge:fault.noSecond'],
  [{ password: 'pass-word-1' }, 'user n2n-edge:fault.noUser'],
  [{ user: 'acme-north' }, 'password n2n-edge:fault.noPassword'],
  [{ federationKey: 'x'.repeat(42) }, 'federationKey n2n-edge:fault.federationKey'],
  [{ federationKey: `_${'x'.repeat(42)}` }, 'federationKey n2n-edge:fault.federationKey'],
  [{ zone: 'dmz' }, 'zone config:missing.zone'],
])('refuses what does not fit together: %j', (changed, fault) => {
  expect(faults(changed)).toEqual([fault])
})
