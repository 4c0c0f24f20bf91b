/** Several uplinks at once, by the package `mwan3`: which are up, and which of them traffic takes. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { choice, flag, list, number, saidBy, sectionOf, text, textOf } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { rowKey, ruled, ruledOrNone, sectionName } from '../page-fields.ts'
import { PACKAGE_NAMES, portsInOne } from '../parts/multi-wan.ts'
import type { UciDoc } from '../uci.ts'

const families = ['ipv4', 'ipv6'] as const
const protocols = ['all', 'tcp', 'udp', 'icmp', 'esp'] as const
const lastResorts = ['unreachable', 'blackhole', 'default'] as const

const measured = { when: { enabled: [true], checkQuality: [true] } }
const used = { when: { enabled: [true] } }
const percent = z.int().min(1).max(100)
const latencyMs = z.int().min(1).max(10_000)

const uplink = z.object({
  ...rowKey,
  // Stock files name uplinks that most devices do not have.
  // With `mwan3_iface_in_` before it, the name of a chain has at most 28 characters.
  name: field(sectionName(13).min(1), { names: 'uplink', refersTo: 'laterInterface' }),
  enabled: z.boolean().default(true),
  family: field(z.enum(families).default('ipv4'), used),
  trackIps: field(z.array(ruled('host', 253)).max(8).default([]), used),
  reliability: field(z.int().min(1).max(8).default(1), used),
  count: field(z.int().min(1).max(10).default(1), used),
  timeoutS: field(z.int().min(1).max(10).default(4), used),
  intervalS: field(z.int().min(1).max(3600).default(10), used),
  down: field(z.int().min(1).max(10).default(5), used),
  up: field(z.int().min(1).max(10).default(5), used),
  checkQuality: field(z.boolean().default(false), used),
  failureLatencyMs: field(latencyMs.default(1000), measured),
  recoveryLatencyMs: field(latencyMs.default(500), measured),
  failureLossPercent: field(percent.default(40), { ...measured, unit: '%' }),
  recoveryLossPercent: field(percent.default(10), { ...measured, unit: '%' }),
})

const member = z.object({
  ...rowKey,
  name: field(sectionName(32).min(1), { names: 'uplinkMember' }),
  uplink: field(sectionName(15).min(1), { refersTo: 'uplink' }),
  metric: z.int().min(1).max(256).default(1),
  weight: z.int().min(1).max(1000).default(1),
})

const policy = z.object({
  ...rowKey,
  // Chains of iptables are named after it.
  name: field(sectionName(15).min(1), { names: 'uplinkPolicy' }),
  members: field(z.array(sectionName(32)).min(1).max(16), { refersTo: 'uplinkMember' }),
  lastResort: z.enum(lastResorts).default('unreachable'),
})

const hasPorts = { when: { protocol: ['tcp', 'udp'] } }

const rule = z.object({
  ...rowKey,
  name: sectionName(15).min(1),
  family: z.enum(['any', ...families]).default('any'),
  protocol: z.enum(protocols).default('all'),
  srcIp: ruledOrNone('addressMatch', 64),
  srcPort: field(z.array(ruled('ports', 11)).max(15).default([]), hasPorts),
  destIp: ruledOrNone('addressMatch', 64),
  destPort: field(z.array(ruled('ports', 11)).max(15).default([]), hasPorts),
  sticky: z.boolean().default(false),
  policy: field(sectionName(15).min(1), { refersTo: 'uplinkPolicy' }),
})

const body = z.object({
  uplinks: z.array(uplink).max(16).default([]),
  members: z.array(member).max(64).default([]),
  policies: z.array(policy).max(32).default([]),
  rules: field(z.array(rule).max(64).default([]), { ordered: true }),
})
type Values = z.output<typeof body>

const family: RowBound = {
  option: 'family',
  get: (found) => families.find((one) => one === textOf(found)) ?? 'any',
  put: (value) => (value === 'any' ? null : String(value)),
}

const bounds = () => ({
  uplinks: {
    package: 'mwan3',
    type: 'interface',
    named: 'name',
    fields: {
      enabled: inRow(flag(at, 'enabled')),
      family: inRow(choice(at, 'family', families, 'ipv4')),
      trackIps: inRow(list(at, 'track_ip')),
      reliability: inRow(number(at, 'reliability', 1)),
      count: inRow(number(at, 'count', 1)),
      timeoutS: inRow(number(at, 'timeout', 4)),
      intervalS: inRow(number(at, 'interval', 10)),
      down: inRow(number(at, 'down', 5)),
      up: inRow(number(at, 'up', 5)),
      checkQuality: inRow(flag(at, 'check_quality')),
      failureLatencyMs: inRow(number(at, 'failure_latency', 1000)),
      recoveryLatencyMs: inRow(number(at, 'recovery_latency', 500)),
      failureLossPercent: inRow(number(at, 'failure_loss', 40)),
      recoveryLossPercent: inRow(number(at, 'recovery_loss', 10)),
    },
  },
  members: {
    package: 'mwan3',
    type: 'member',
    named: 'name',
    fields: {
      uplink: inRow(text(at, 'interface')),
      metric: inRow(number(at, 'metric', 1)),
      weight: inRow(number(at, 'weight', 1)),
    },
  },
  policies: {
    package: 'mwan3',
    type: 'policy',
    named: 'name',
    fields: {
      members: inRow(list(at, 'use_member')),
      lastResort: inRow(choice(at, 'last_resort', lastResorts, 'unreachable')),
    },
  },
  rules: {
    package: 'mwan3',
    type: 'rule',
    named: 'name',
    fields: {
      family,
      protocol: inRow(choice(at, 'proto', protocols, 'all')),
      srcIp: inRow(text(at, 'src_ip')),
      srcPort: portsInOne('src_port'),
      destIp: inRow(text(at, 'dest_ip')),
      destPort: portsInOne('dest_port'),
      sticky: inRow(flag(at, 'sticky')),
      policy: inRow(text(at, 'use_policy')),
    },
  },
})

/** Sections of any type share their names: a second one makes `uci` refuse the whole package. */
function repeatedNames(values: Values): PageFault[] {
  const seen = new Set<string>(PACKAGE_NAMES)
  return (['uplinks', 'members', 'policies', 'rules'] as const).flatMap((kind) =>
    values[kind].flatMap(({ name }, i): PageFault[] => {
      const isTaken = seen.has(name)
      seen.add(name)
      return isTaken
        ? [{ path: `${kind}.${i}.name`, text: 'multi-wan:fault.nameTaken', params: { value: name } }]
        : []
    }),
  )
}

/** The system keeps one default route of each metric: mwan3 would find no route of the other uplink. */
function metricsTaken({ uplinks }: Values, doc: UciDoc): PageFault[] {
  const seen = new Map<string, string>()
  return uplinks.flatMap(({ name, enabled, family: version }, i): PageFault[] => {
    const section = sectionOf(doc, { package: 'network', type: 'interface', name })
    if (!enabled || !section) return []
    const metric = textOf(saidBy(section, 'metric')) || '0'
    const other = seen.get(`${version} ${metric}`)
    seen.set(`${version} ${metric}`, name)
    return other === undefined
      ? []
      : [{ path: `uplinks.${i}.name`, text: 'multi-wan:fault.sameMetric', params: { other, metric } }]
  })
}

/** Such an uplink would never count as up. */
const tooReliable = ({ uplinks }: Values): PageFault[] =>
  uplinks.flatMap(({ enabled, trackIps, reliability }, i) =>
    enabled && trackIps.length > 0 && reliability > trackIps.length
      ? [{ path: `uplinks.${i}.reliability`, text: 'multi-wan:fault.reliability' } as const]
      : [],
  )

/** iptables takes so many in one rule; a range counts as two. */
const PORTS_MAX = 15
const placesOf = (ports: readonly string[]) =>
  ports.reduce((sum, one) => sum + (/^\d+$/.test(one) ? 1 : 2), 0)

/** mwan3 hands all rules to iptables at once, which takes none of them if it refuses one. */
const refusedWithAll = ({ rules }: Values): PageFault[] =>
  rules.flatMap((row, i): PageFault[] => {
    const negated = (['srcIp', 'destIp'] as const).find((name) => row[name].startsWith('!'))
    if (negated) return [{ path: `rules.${i}.${negated}`, text: 'multi-wan:fault.negated' }]
    const many = (['srcPort', 'destPort'] as const).find((name) => placesOf(row[name]) > PORTS_MAX)
    return many
      ? [{ path: `rules.${i}.${many}`, text: 'multi-wan:fault.tooManyPorts', params: { max: PORTS_MAX } }]
      : []
  })

export const multiWan = configPage({
  name: 'multi-wan',
  group: 'network',
  place: 35,
  icon: 'route',
  packages: ['mwan3', 'network'],
  carriedBy: { package: 'mwan3' },
  needs: ['mwan3'],
  trial: 'radio',
  body,
  bounds,
  check: (values, doc) => [
    ...repeatedNames(values),
    ...metricsTaken(values, doc),
    ...tooReliable(values),
    ...refusedWithAll(values),
  ],
})
