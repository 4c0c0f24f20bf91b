/** Zones, which of them may reach which, and rules: the first that matches decides. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { flag, list, packageOf, saidBy, text, textOf, withOption, withSections } from '../bind.ts'
import { inRow, type RowBound, type Rows, rowWhere } from '../bind-rows.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { macText, plainName, rowKey, ruled } from '../page-fields.ts'
import {
  areIpv6,
  havePorts,
  isIgnored,
  isIpv6Match,
  type Policy,
  policies,
  policy,
  protocol,
  protocols,
  protocolsOf,
  ruleName,
} from '../parts/traffic-match.ts'
import type { UciDoc } from '../uci.ts'

const families = ['any', 'ipv4', 'ipv6'] as const

/** A zone, or `*` for any; '' means the device itself. */
const zoneOrAny = field(z.string().trim().max(32).default(''), { refersTo: 'anyZone' })
const zoneName = field(plainName(32).min(1), { refersTo: 'zone' })

const zone = z.object({
  ...rowKey,
  name: field(plainName(32).min(1), { names: 'zone' }),
  // Stock OpenWrt names wan6 on devices that have none.
  networks: field(z.array(plainName(32)).max(32).default([]), { refersTo: 'laterInterface' }),
  input: z.enum(policies).default('REJECT'),
  output: z.enum(policies).default('ACCEPT'),
  forward: z.enum(policies).default('REJECT'),
  masq: z.boolean().default(false),
  mtuFix: z.boolean().default(false),
})

const forwarding = z.object({ ...rowKey, src: zoneName, dest: zoneName })

const matches = z.array(ruled('addressMatch', 64)).max(32).default([])
const ports = z.array(ruled('ports', 11)).max(32).default([])

/** By name (`echo-request`), or by number with or without a code (`3/1`). */
const icmpType = z
  .string()
  .trim()
  .max(32)
  .regex(shaped(/^([a-z][a-z-]*|(?:1?\d?\d|2[0-4]\d|25[0-5])(\/(?:1?\d?\d|2[0-4]\d|25[0-5]))?)$/, 'icmpType'))

const rule = z.object({
  ...rowKey,
  name: ruleName,
  enabled: z.boolean().default(true),
  target: z.enum(policies),
  src: zoneOrAny,
  dest: zoneOrAny,
  family: z.enum(families).default('any'),
  protocols: z.array(protocol).max(8).default(['tcp', 'udp']),
  icmpTypes: z.array(icmpType).max(16).default([]),
  srcIp: matches,
  srcMac: z.array(macText).max(32).default([]),
  srcPort: ports,
  destIp: matches,
  destPort: ports,
})

const body = z.object({
  input: z.enum(policies).default('REJECT'),
  output: z.enum(policies).default('REJECT'),
  forward: z.enum(policies).default('REJECT'),
  zones: z.array(zone).max(32).default([]),
  forwardings: z.array(forwarding).max(64).default([]),
  rules: field(z.array(rule).max(256).default([]), { ordered: true }),
})
type Values = z.output<typeof body>

const defaultsAt = { package: 'firewall', type: 'defaults' } as const
const initialPolicy: Policy = 'DROP'

const defaultPolicy = (option: string) => ({ where: defaultsAt, ...policy(option, initialPolicy) })

const family: RowBound = {
  option: 'family',
  get: (found) => families.find((one) => one === textOf(found).toLowerCase()) ?? 'any',
  put: (value) => (value === 'any' ? null : String(value)),
}

const words = (option: string) => inRow(list(rowWhere, option))
const word = (option: string) => inRow(text(rowWhere, option))

/** A zone without the option uses the defaults. */
function zonesIn(doc: UciDoc): Rows {
  const defaults = packageOf(doc, 'firewall').sections.find(({ type }) => type === 'defaults')
  const initial = (option: string) =>
    policies.find((one) => one === textOf(saidBy(defaults, option)).toUpperCase()) ?? initialPolicy
  return {
    package: 'firewall',
    type: 'zone',
    fields: {
      name: word('name'),
      networks: words('network'),
      input: policy('input', initial('input')),
      output: policy('output', initial('output')),
      forward: policy('forward', initial('forward')),
      masq: inRow(flag(rowWhere, 'masq')),
      mtuFix: inRow(flag(rowWhere, 'mtu_fix')),
    },
  }
}

const directions = ['input', 'output', 'forward'] as const

/** A zone that followed the defaults keeps what the form shows when these change: it must not be opened unseen. */
function keepZones(after: UciDoc, { input, output, forward, zones }: Values): UciDoc {
  const defaults = { input, output, forward }
  const kept = [...zones]
  const sections = packageOf(after, 'firewall').sections.map((section) => {
    const row = section.type === 'zone' ? kept.shift() : undefined
    if (!row) return section
    return directions
      .filter((one) => saidBy(section, one) === undefined && row[one] !== defaults[one])
      .reduce((made, one) => withOption(made, one, row[one]), section)
  })
  return zones.length === 0 ? after : withSections(after, 'firewall', sections)
}

const isPolicy = (said: string) => policies.some((one) => one === said.toUpperCase())

const bounds = (doc: UciDoc) => ({
  input: defaultPolicy('input'),
  output: defaultPolicy('output'),
  forward: defaultPolicy('forward'),
  zones: zonesIn(doc),
  forwardings: {
    package: 'firewall',
    type: 'forwarding',
    fields: { src: word('src'), dest: word('dest') },
  },
  rules: {
    package: 'firewall',
    type: 'rule',
    // Marks, helpers and the like stay where they are.
    only: (section) => isPolicy(textOf(saidBy(section, 'target'))),
    // Written out also where it is what a rule without one would be read as: the device would take REJECT, and warn.
    added: { target: 'ACCEPT' },
    fields: {
      name: word('name'),
      enabled: inRow(flag(rowWhere, 'enabled', true)),
      src: word('src'),
      dest: word('dest'),
      family,
      protocols,
      icmpTypes: words('icmp_type'),
      srcIp: words('src_ip'),
      srcMac: words('src_mac'),
      srcPort: words('src_port'),
      destIp: words('dest_ip'),
      destPort: words('dest_port'),
      target: policy('target', initialPolicy),
    },
  } satisfies Rows,
})

/** firewall4 skips a zone with any other name, and with it all that names it. */
const NAME_OF_FW4 = /^[A-Za-z_.]/

/** firewall3 makes chains of the names, which iptables limits. */
const NAME_MAX = 11

function faultsOfZones({ zones }: Values, { abilities }: DeviceTraits): PageFault[] {
  const names = new Set<string>()
  const networks = new Set<string>()
  return zones.flatMap(({ name, networks: own }, i): PageFault[] => {
    const path = `zones.${i}.name`
    if (names.size === names.add(name).size) return [{ path, text: 'firewall:fault.zoneTwice' }]
    if (name.length > NAME_MAX && !abilities.has('fw4'))
      return [{ path, text: 'firewall:fault.nameLong', params: { max: NAME_MAX } }]
    if (!NAME_OF_FW4.test(name) && abilities.has('fw4')) return [{ path, text: 'firewall:fault.nameStart' }]
    const doubled = own.find((one) => networks.size === networks.add(one).size)
    return doubled === undefined
      ? []
      : [{ path: `zones.${i}.networks`, text: 'firewall:fault.networkTwice', params: { network: doubled } }]
  })
}

/** ICMP of either family, by name and by number. */
const ICMP = ['icmp', 'icmpv6', 'ipv6-icmp', '1', '58']

const VERSIONS = ['ipv4', 'ipv6'] as const

/** Whether a packet of some IP version can match: the device skips a rule that leaves none. */
function hasVersion({ family, protocols: words, srcIp, destIp }: Values['rules'][number]): boolean {
  const left = VERSIONS.filter((version) =>
    [srcIp, destIp].every(
      (addresses) =>
        addresses.length === 0 || addresses.some((one) => isIpv6Match(one) === (version === 'ipv6')),
    ),
  )
  return areIpv6(words) ? left.includes('ipv6') : left.some((version) => ['any', version].includes(family))
}

const faultsOfRules = ({ rules }: Values, { abilities }: DeviceTraits): PageFault[] =>
  rows(rules).flatMap(([row, i]): PageFault[] => {
    const side = row.srcPort.length > 0 ? 'srcPort' : row.destPort.length > 0 ? 'destPort' : null
    if (side && !havePorts(row.protocols))
      return [{ path: `rules.${i}.${side}`, text: 'firewall:fault.noPorts' }]
    if (row.icmpTypes.length > 0 && !protocolsOf(row.protocols).some((one) => ICMP.includes(one)))
      return [{ path: `rules.${i}.icmpTypes`, text: 'firewall:fault.notIcmp' }]
    if (isIgnored(row.protocols, abilities))
      return [{ path: `rules.${i}.protocols`, text: 'firewall:fault.negated' }]
    if (!hasVersion(row)) return [{ path: `rules.${i}.family`, text: 'firewall:fault.noVersion' }]
    return row.src === '' && row.srcMac.length > 0
      ? [{ path: `rules.${i}.srcMac`, text: 'firewall:fault.ownMac' }]
      : []
  })
const rows = <T>(list: readonly T[]) => list.map((row, i) => [row, i] as const)

/** Port forwards are another page's, and name zones too. Some are on no page. */
function faultsOfForwards({ zones }: Values, doc: UciDoc): PageFault[] {
  const names = new Set(['*', ...zones.map(({ name }) => name)])
  return packageOf(doc, 'firewall')
    .sections.filter(({ type }) => type === 'redirect')
    .flatMap((section): PageFault[] => {
      const said = (option: string) => textOf(saidBy(section, option))
      const zone = ['src', 'dest'].map(said).find((name) => name !== '' && !names.has(name))
      const forward = said('name') || said('src_dport') || said('dest_ip')
      return zone === undefined
        ? []
        : [{ path: 'zones', text: 'firewall:fault.zoneInUse', params: { zone, forward } }]
    })
}

export const firewall = configPage({
  name: 'firewall',
  group: 'security',
  place: 50,
  icon: 'wall',
  packages: ['firewall'],
  carriedBy: 'stock',
  needs: [],
  trial: 'wired',
  body,
  bounds,
  finish: keepZones,
  check: (values, doc, traits) => [
    ...faultsOfZones(values, traits),
    ...faultsOfRules(values, traits),
    ...faultsOfForwards(values, doc),
  ],
})
