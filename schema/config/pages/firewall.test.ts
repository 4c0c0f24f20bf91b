import { expect, it } from 'vitest'
import { policies } from '../parts/traffic-match.ts'
import { sampleDoc, section } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { firewall } from './firewall.ts'

const { values, write, lines, bounds, faults } = triedPage(firewall)
const [ping, vpn] = values.rules
const [lan, wan] = values.zones
if (!ping || !vpn || !lan || !wan) throw new Error('the sample has two rules and two zones')
const typesOf = (doc: typeof sampleDoc) =>
  doc['firewall']?.sections.map(
    ({ type, options }) => `${type} ${options.find(({ name }) => name === 'name')?.value ?? ''}`,
  )

it('reads zones with the policies that they inherit', () => {
  expect(values.zones.map(({ name, networks, forward, masq }) => [name, networks, forward, masq])).toEqual([
    ['lan', ['lan'], 'REJECT', false],
    ['wan', ['wan', 'wan1'], 'REJECT', true],
  ])
  expect(values.zones[1]?.output).toBe('ACCEPT')
})

it('a zone keeps the policy that the form shows when the defaults change', () => {
  const page = triedPage(firewall)
  const after = page.write({ forward: 'ACCEPT' })
  expect(triedPage(firewall, after).values).toEqual({ ...page.values, forward: 'ACCEPT' })
  const open = page.write({
    forward: 'ACCEPT',
    zones: page.values.zones.map((one) => ({ ...one, forward: 'ACCEPT' })),
  })
  expect(triedPage(firewall, open).values.zones.map(({ forward }) => forward)).toEqual(['ACCEPT', 'ACCEPT'])
})

it('reads rules in their order; marks are none', () => {
  expect(values.rules.map(({ name, protocols, destPort }) => [name, protocols, destPort])).toEqual([
    ['Allow-Ping', ['icmp'], []],
    ['', ['udp'], ['1194']],
  ])
})

it('adds a zone before the rules, and each of them keeps its own section', () => {
  // No field shows `limit`.
  const sections = (sampleDoc['firewall']?.sections ?? []).map((one, i) =>
    one.type === 'rule' ? { ...one, options: [...one.options, { name: 'limit', value: `${i}/min` }] } : one,
  )
  const page = triedPage(firewall, { ...sampleDoc, firewall: { name: 'firewall', sections } })
  const { id: _, ...policies } = lan
  const guest = { ...policies, id: '', name: 'guest', networks: ['guest'] }
  const { firewall: after } = page.write({ zones: [...page.values.zones, guest] })
  expect(after?.sections.filter(({ options }) => !options.some(({ value }) => value === 'guest'))).toEqual(
    sections,
  )
  expect(after?.sections).toHaveLength(sections.length + 1)
})

it('moves rules, and nothing else', () => {
  expect(typesOf(write({ rules: [vpn, ping] }))).toEqual([
    'defaults ',
    'zone lan',
    'zone wan',
    'forwarding ',
    'rule ',
    'rule Mark-Voice',
    'rule Allow-Ping',
    'redirect Camera',
    'redirect DNS',
    'include ',
  ])
})

it('changes one option of one rule', () => {
  expect(lines({ rules: [{ ...ping, enabled: false }, vpn] }, 'firewall')).toEqual(["+ option enabled '0'"])
})

it('reads the other words for all protocols, and for TCP and UDP', () => {
  const rules = ['*', 'tcpudp'].map((proto) => section('rule', null, { src: 'lan', proto, target: 'DROP' }))
  const page = triedPage(firewall, { ...sampleDoc, firewall: { name: 'firewall', sections: rules } })
  expect(page.values.rules.map(({ protocols }) => protocols)).toEqual([['all'], ['tcp', 'udp']])
  expect(page.bounds({})).toEqual({ server: [], form: [] })
})

it('reads and changes the types of ICMP', () => {
  expect(ping.icmpTypes).toEqual(['echo-request'])
  expect(lines({ rules: [{ ...ping, icmpTypes: ['echo-request', '3/1'] }, vpn] }, 'firewall')).toEqual([
    "+ list icmp_type '3/1'",
  ])
})

it('adds a rule behind the others', () => {
  const added = { ...vpn, id: '', name: 'Web', protocols: ['tcp'], destPort: ['443', '8443'] }
  const sections = write({ rules: [ping, vpn, added] })['firewall']?.sections ?? []
  const last = sections.findLastIndex(({ type }) => type === 'rule')
  expect(sections[last]).toEqual(
    section('rule', null, {
      target: 'ACCEPT',
      name: 'Web',
      src: 'wan',
      proto: 'tcp',
      dest_port: ['443', '8443'],
    }),
  )
  expect(sections[last - 1]?.name).toBe('vpn')
})

const withVpn = (changed: object) => ({ rules: [ping, { ...vpn, ...changed }] })

it.each([
  ['rules.1.destPort', withVpn({ destPort: ['70000'] })],
  ['rules.1.destPort', withVpn({ destPort: ['90-80'] })],
  ['rules.1.srcIp', withVpn({ srcIp: ['192.168.8.0/33'] })],
  ['rules.1.srcMac', withVpn({ srcMac: ['02:00'] })],
  ['rules.1.protocols', withVpn({ protocols: ['tcp udp'] })],
  ['rules.1.protocols', withVpn({ protocols: ['tpc'] })],
  ['rules.1.protocols', withVpn({ protocols: ['300'] })],
  ['rules.1.name', withVpn({ name: '允'.repeat(34) })],
  ['rules.1.icmpTypes', withVpn({ protocols: ['icmp'], icmpTypes: ['256'] })],
  ['rules.1.target', withVpn({ target: 'ALLOW' })],
  ['rules.1.icmpTypes', withVpn({ protocols: ['icmp'], icmpTypes: ['Echo request'] })],
  ['zones.0.name', { zones: [{ ...lan, name: 'two words' }, wan] }],
])('refuses a bad %s in form and schema', (path, changed) => {
  const { server, form } = bounds(changed)
  expect(form).toEqual([path])
  expect(server.map((one) => one.replace(/(\w)\.0$/, '$1'))).toEqual([path])
})

it('accepts networks, ranges, other families and "all but"', () => {
  const changed = { srcIp: ['!192.168.8.0/24', 'fe80::/10', '10.0.0.1'], destPort: ['1:1024'] }
  expect(bounds(withVpn(changed))).toEqual({ server: [], form: [] })
})

it.each([
  [withVpn({ src: 'dmz' }), [], 'rules.1.src config:missing.zone'],
  [withVpn({ protocols: ['icmp'] }), [], 'rules.1.destPort firewall:fault.noPorts'],
  [withVpn({ destPort: [], icmpTypes: ['echo-request'] }), [], 'rules.1.icmpTypes firewall:fault.notIcmp'],
  [withVpn({ src: '', srcMac: ['02:00:5E:10:00:01'] }), [], 'rules.1.srcMac firewall:fault.ownMac'],
  [{ zones: [lan, wan, { ...lan, id: '', networks: [] }] }, [], 'zones.2.name firewall:fault.zoneTwice'],
  [
    { zones: [lan, wan, { ...lan, id: '', name: 'dmz' }] },
    [],
    'zones.2.networks firewall:fault.networkTwice',
  ],
  [
    { zones: [lan, wan, { ...lan, id: '', name: 'warehouse-no-2', networks: [] }] },
    [],
    'zones.2.name firewall:fault.nameLong',
  ],
  [
    { zones: [lan, wan, { ...lan, id: '', name: '4g', networks: [] }] },
    ['fw4'],
    'zones.2.name firewall:fault.nameStart',
  ],
  [withVpn({ destPort: [], protocols: ['!tcp'] }), ['fw4'], 'rules.1.protocols firewall:fault.negated'],
  [withVpn({ family: 'ipv4', srcIp: ['2001:db8::/32'] }), [], 'rules.1.family firewall:fault.noVersion'],
  [withVpn({ srcIp: ['fe80::/10'], destIp: ['10.0.0.1'] }), [], 'rules.1.family firewall:fault.noVersion'],
  [
    withVpn({ destPort: [], protocols: ['58', 'esp'], srcIp: ['10.0.0.1'] }),
    [],
    'rules.1.family firewall:fault.noVersion',
  ],
])('refuses what the device would skip: %#', (changed, abilities, fault) => {
  expect(faults(changed, abilities)).toEqual([fault])
})

it('takes protocols in capitals, and the other words for several, as the device does', () => {
  for (const protocols of [['TCP'], ['tcpudp']]) expect(faults(withVpn({ protocols }))).toEqual([])
  expect(faults(withVpn({ protocols: ['ICMP'], destPort: [], icmpTypes: ['echo-request'] }))).toEqual([])
  expect(lines(withVpn({ protocols: ['TCP'] }), 'firewall')).toContain("+ option proto 'tcp'")
})

it('lets firewall4 have longer names', () => {
  expect(
    faults({ zones: [lan, wan, { ...lan, id: '', name: 'warehouse-no-2', networks: [] }] }, ['fw4']),
  ).toEqual([])
})

it('refuses to remove a zone that rules or port forwards name', () => {
  expect(faults({ zones: [wan], forwardings: [], rules: [ping, vpn] })).toEqual([
    'zones firewall:fault.zoneInUse',
    'zones firewall:fault.zoneInUse',
  ])
})

it.each(policies)('a new rule that says %s says so to the device, too', (target) => {
  const added = { ...vpn, id: '', name: 'New', target }
  const sections = write({ rules: [ping, vpn, added] })['firewall']?.sections ?? []
  const options = sections.find(({ options }) => options.some(({ value }) => value === 'New'))?.options
  expect(options).toContainEqual({ name: 'target', value: target })
})

it('lets firewall3 have what firewall4 reads otherwise, and any rule addresses of both IP versions', () => {
  const zones = [lan, wan, { ...lan, id: '', name: '4g', networks: [] }]
  expect(faults({ zones, ...withVpn({ destPort: [], protocols: ['!tcp'] }) })).toEqual([])
  const mixed = { srcIp: ['fe80::/10', '10.0.0.0/8'], destIp: ['10.0.0.1'] }
  expect(faults(withVpn(mixed), ['fw4'])).toEqual([])
})
