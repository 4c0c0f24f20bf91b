import { describe, expect, it } from 'vitest'
import { packageOf } from '../bind.ts'
import { sampleDoc, section } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { portForward } from './port-forward.ts'

const { values, write, bounds, faults } = triedPage(portForward)
const [camera] = values.forwards
if (!camera) throw new Error('the sample has a port forward')
const added = { ...camera, id: '', name: 'Till', port: '9000', destPort: '80' }
const both = (changed: Partial<typeof camera>) => ({ forwards: [camera, { ...added, ...changed }] })

it('shows forwards to a host; what is intercepted for the device itself is none', () => {
  expect(
    values.forwards.map(({ name, port, protocols, reflection }) => [name, port, protocols, reflection]),
  ).toEqual([['Camera', '8000-8010', ['tcp'], true]])
})

it('adds one behind the others of its kind', () => {
  const sections = write(both({ reflection: false }))['firewall']?.sections ?? []
  const places = sections.flatMap(({ type }, i) => (type === 'redirect' ? [i] : []))
  expect(places).toHaveLength(3)
  expect(sections[(places[0] ?? 0) + 1]).toEqual(
    section('redirect', null, {
      target: 'DNAT',
      name: 'Till',
      src: 'wan',
      src_dport: '9000',
      proto: 'tcp',
      dest: 'lan',
      dest_ip: '192.168.8.20',
      dest_port: '80',
      reflection: '0',
    }),
  )
})

it.each([
  ['port', '70000'],
  ['port', '10-5'],
  ['destPort', '0'],
  ['destIp', '192.168.8.300'],
  ['address', 'router'],
  ['src', ''],
])('refuses %s %j in form and schema', (name, value) => {
  const path = [`forwards.1.${name}`]
  expect(bounds(both({ [name]: value }))).toEqual({ server: path, form: path })
})

it('the sender is no list, for which firewall4 skips the whole forward', () => {
  const sections = write(both({ source: '!198.51.100.0/24' }))['firewall']?.sections ?? []
  expect(sections.flatMap(({ options }) => options)).toContainEqual({
    name: 'src_ip',
    value: '!198.51.100.0/24',
  })
})

it('a name is as long as the comments that firewall4 makes of it may be: one that is too long would end all rules', () => {
  const named = (name: string) => bounds(both({ name })).server
  expect(named('摄'.repeat(33))).toEqual([])
  expect(named('摄'.repeat(34))).toEqual(['forwards.1.name'])
  expect(named('x'.repeat(100))).toEqual([])
})

it('needs a host', () => {
  expect(bounds(both({ destIp: '' })).form).toEqual(['forwards.1.destIp'])
})

describe('a conflict', () => {
  it.each([
    ['the same port', { port: '8000' }],
    ['a range that begins inside', { port: '8010-8020', destPort: '' }],
    ['a range around', { port: '7000-9000', destPort: '' }],
    ['all ports', { port: '', destPort: '' }],
    ['one of its protocols', { port: '8005', protocols: ['udp', 'tcp'] }],
    ['its protocol in capitals', { port: '8005', protocols: ['TCP'] }],
    ['one address of the zone', { port: '8005', address: '192.0.2.4' }],
    ['some of its senders', { port: '8005', source: '192.0.2.9' }],
  ])('is %s', (_, changed) => {
    expect(faults(both(changed))).toEqual(['forwards.1.port port-forward:fault.conflict'])
  })
  it.each([
    ['the next port', { port: '8011' }],
    ['another protocol', { port: '8005', protocols: ['udp'] }],
    ['another zone', { port: '8005', src: 'lan' }],
    ['a forward that is off', { port: '8005', enabled: false }],
  ])('is not %s', (_, changed) => {
    expect(faults(both(changed))).toEqual([])
  })
  it('is not between two addresses, or between two senders', () => {
    const first = { ...camera, address: '192.0.2.1', source: '198.51.100.1' }
    const other = { ...added, port: '8000', source: '198.51.100.1' }
    expect(faults({ forwards: [first, { ...other, address: '192.0.2.2' }] })).toEqual([])
    expect(faults({ forwards: [first, { ...other, source: '198.51.100.2' }] })).toEqual([])
    expect(faults({ forwards: [first, { ...other, source: '!198.51.100.2' }] })).toHaveLength(1)
  })
})

it('refuses a port that a rule opens for the device itself', () => {
  expect(faults(both({ port: '1194', protocols: ['udp'] }))).toEqual([
    'forwards.1.port port-forward:fault.own',
  ])
  expect(faults(both({ port: '1194', protocols: ['tcp'] }))).toEqual([])
})

it('refuses a port that a rule opens to all zones', () => {
  const { name, sections } = packageOf(sampleDoc, 'firewall')
  const opened = (options: Record<string, string>) => {
    const own = { name: 'Agent', src: '*', proto: 'tcp', dest_port: '7000', target: 'ACCEPT', ...options }
    const rules = [...sections, section('rule', null, own)]
    return triedPage(portForward, { ...sampleDoc, firewall: { name, sections: rules } })
  }
  const tried = both({ port: '7000', protocols: ['tcp'] })
  expect(opened({}).faults(tried)).toEqual(['forwards.1.port port-forward:fault.own'])
  expect(opened({ enabled: 'disabled' }).faults(tried)).toEqual([])
})

it('refuses a port of the device where its zone lets everything in', () => {
  const services = {
    ...sampleDoc,
    uhttpd: {
      name: 'uhttpd',
      sections: [section('uhttpd', 'main', { listen_https: ['0.0.0.0:443', '[::]:443'] })],
    },
    dropbear: { name: 'dropbear', sections: [section('dropbear', null, {})] },
  }
  const { faults: there } = triedPage(portForward, services)
  expect(there(both({ src: 'lan', port: '443' }))).toEqual(['forwards.1.port port-forward:fault.own'])
  expect(there(both({ src: 'lan', port: '22' }))).toEqual(['forwards.1.port port-forward:fault.own'])
  expect(there(both({ src: 'wan', port: '443' }))).toEqual([])
  const zones = [section('defaults', null, { input: 'ACCEPT' }), section('zone', null, { name: 'wan' })]
  const open = triedPage(portForward, { ...services, firewall: { name: 'firewall', sections: zones } })
  expect(open.faults({ forwards: [{ ...added, dest: 'wan', port: '443' }] })).toContain(
    'forwards.0.port port-forward:fault.own',
  )
})

it.each([
  [{ src: 'dmz' }, 'forwards.1.src config:missing.zone'],
  [{ protocols: ['esp'] }, 'forwards.1.protocols port-forward:fault.noPorts'],
  [{ source: '2001:db8::1' }, 'forwards.1.source port-forward:fault.ipv4Only'],
  [{ address: '2001:db8::1' }, 'forwards.1.address port-forward:fault.ipv4Only'],
  [{ port: '', destPort: '', protocols: ['icmpv6'] }, 'forwards.1.protocols port-forward:fault.ipv4Only'],
  [{ port: '9000-9009', destPort: '80-85' }, 'forwards.1.destPort port-forward:fault.range'],
])('refuses what the device would skip: %j', (changed, fault) => {
  expect(faults(both(changed))).toEqual([fault])
})

it('where firewall4 ignores the ! of a protocol it is refused', () => {
  const changed = both({ port: '', destPort: '', protocols: ['!tcp'] })
  expect(faults(changed, ['fw4'])).toEqual(['forwards.1.protocols port-forward:fault.negated'])
})

it('an internal port needs an external one, or nft would refuse all rules', () => {
  expect(faults({ forwards: [{ ...camera, port: '', destPort: '9000' }] }, ['fw4'])).toEqual([
    'forwards.0.port port-forward:fault.noPort',
  ])
  expect(faults({ forwards: [{ ...camera, port: '', destPort: '9000' }] })).toEqual([])
})
