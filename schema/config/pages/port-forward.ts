/** Port forwards: connections to a port of the device go to a host behind it. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { portsOf } from '#schema/kit/network-rules'
import { flag, saidBy, text, textOf } from '../bind.ts'
import { inRow, type Rows, rowWhere } from '../bind-rows.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { plainName, rowKey, ruledOrNone } from '../page-fields.ts'
import { type OpenPort, openPorts } from '../parts/open-port.ts'
import {
  areIpv6,
  havePorts,
  isIgnored,
  isIpv6Match,
  protocol,
  protocols,
  ruleName,
  sharePorts,
  shareProtocol,
} from '../parts/traffic-match.ts'
import type { UciDoc, UciSection } from '../uci.ts'

const forward = z.object({
  ...rowKey,
  name: ruleName,
  enabled: z.boolean().default(true),
  src: field(plainName(32).min(1).default('wan'), { needed: true, refersTo: 'zone' }),
  address: ruledOrNone('addressMatch', 64),
  port: ruledOrNone('ports', 11),
  protocols: z.array(protocol).max(8).default(['tcp', 'udp']),
  // One: the firewall skips a forward with a list.
  source: ruledOrNone('addressMatch', 64),
  // Without a zone of destination the device finds it by the address.
  dest: field(plainName(32).default('lan'), { refersTo: 'zone' }),
  destIp: field(ruledOrNone('ipv4', 15), { needed: true }),
  destPort: ruledOrNone('ports', 11),
  reflection: z.boolean().default(true),
})
type Forward = z.output<typeof forward>

const body = z.object({ forwards: field(z.array(forward).max(256).default([]), { ordered: true }) })

/** Without a host they go to the device itself (intercepted DNS): not what this page is about. */
const isForward = (section: UciSection) =>
  ['', 'DNAT'].includes(textOf(saidBy(section, 'target')).toUpperCase()) &&
  saidBy(section, 'dest_ip') !== undefined &&
  saidBy(section, 'src') !== undefined

const word = (option: string) => inRow(text(rowWhere, option))

const forwards: Rows = {
  package: 'firewall',
  type: 'redirect',
  only: isForward,
  added: { target: 'DNAT' },
  fields: {
    name: word('name'),
    enabled: inRow(flag(rowWhere, 'enabled', true)),
    src: word('src'),
    address: word('src_dip'),
    port: word('src_dport'),
    protocols,
    source: word('src_ip'),
    dest: word('dest'),
    destIp: word('dest_ip'),
    destPort: word('dest_port'),
    reflection: inRow(flag(rowWhere, 'reflection', true)),
  },
}

/** With `!`, all addresses but one. */
const isAny = (address: string) => address === '' || address.startsWith('!')
const sameOrAny = (one: string, other: string) => isAny(one) || isAny(other) || one === other

const collide = (one: Forward, other: Forward) =>
  one.src === other.src &&
  sameOrAny(one.address, other.address) &&
  shareProtocol(one.protocols, other.protocols) &&
  sharePorts(one.port, other.port) &&
  // Forwards for different senders may share a port.
  sameOrAny(one.source, other.source)

/** A rule for any zone opens its port to that of the forward, too. */
const hides = (row: Forward, { zone, protocols: own, ports }: OpenPort) =>
  (zone === '*' || [zone, '*'].includes(row.src)) &&
  shareProtocol(row.protocols, own) &&
  sharePorts(row.port, ports)

const size = (ports: string) => {
  const [first, last] = portsOf(ports) ?? [0, 0]
  return last - first
}

function faultsOf(
  { forwards: rows }: z.output<typeof body>,
  doc: UciDoc,
  { abilities }: DeviceTraits,
): PageFault[] {
  const open = openPorts(doc)
  return rows.flatMap((row, i): PageFault[] => {
    const at = (name: string) => `forwards.${i}.${name}`
    if ((row.port !== '' || row.destPort !== '') && !havePorts(row.protocols))
      return [{ path: at('protocols'), text: 'port-forward:fault.noPorts' }]
    // nft would refuse all rules for it.
    if (row.destPort !== '' && row.port === '' && abilities.has('fw4'))
      return [{ path: at('port'), text: 'port-forward:fault.noPort' }]
    if (isIgnored(row.protocols, abilities))
      return [{ path: at('protocols'), text: 'port-forward:fault.negated' }]
    if (areIpv6(row.protocols)) return [{ path: at('protocols'), text: 'port-forward:fault.ipv4Only' }]
    const other6 = (['address', 'source'] as const).find((name) => isIpv6Match(row[name]))
    if (other6) return [{ path: at(other6), text: 'port-forward:fault.ipv4Only' }]
    if (size(row.destPort) > 0 && size(row.destPort) !== size(row.port))
      return [{ path: at('destPort'), text: 'port-forward:fault.range' }]
    if (!row.enabled) return []
    const other = rows.findIndex((one, j) => j < i && one.enabled && collide(one, row))
    if (other >= 0)
      return [{ path: at('port'), text: 'port-forward:fault.conflict', params: { n: other + 1 } }]
    const service = open.find((one) => hides(row, one))
    return service
      ? [{ path: at('port'), text: 'port-forward:fault.own', params: { service: service.name } }]
      : []
  })
}

export const portForward = configPage({
  name: 'port-forward',
  group: 'security',
  place: 60,
  icon: 'arrow-ramp-right',
  packages: ['firewall'],
  carriedBy: 'stock',
  needs: [],
  trial: 'wired',
  body,
  bounds: () => ({ forwards }),
  check: faultsOf,
})
