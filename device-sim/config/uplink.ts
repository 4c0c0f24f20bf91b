/** How the device reaches the platform with a configuration, or why it does not. */
import { flag, saidBy, sectionOf } from '#schema/config/bind'
import type { UciDoc, UciSection } from '#schema/config/uci'
import { prefixOfNetmask } from '#schema/kit/network-rules'
import type { Identity } from '../fleet.ts'
import { multiWanProblem } from './multi-wan.ts'
import { said } from './said.ts'
import { inNetwork, uplinkOf } from './site.ts'

export type NetworkUplink = {
  /** The name of the interface in the package `network`. */
  readonly interface: string
  readonly protocol: 'dhcp' | 'static' | 'pppoe' | 'none'
  readonly ip?: string
  readonly netmask?: string
  readonly gateway?: string
  readonly dns?: readonly string[]
  /** Why it does not work; null: it does. */
  readonly problem: string | null
}

const interfaceOf = (doc: UciDoc, name: string): UciSection | undefined =>
  sectionOf(doc, { package: 'network', type: 'interface', name })

/** The first address of an interface, also where it stands as `192.168.1.1/24`. */
export function addressOf(section: UciSection | undefined): { ip: string; prefix: number } {
  const [first = ''] = said(section, 'ipaddr').split(' ')
  const [ip = '', bits] = first.split('/')
  return { ip, prefix: bits === undefined ? (prefixOfNetmask(said(section, 'netmask')) ?? 32) : Number(bits) }
}

export const netmaskOf = (prefix: number): string =>
  [24, 16, 8, 0]
    .map((shift) => (prefix === 0 ? 0 : ((0xffffffff << (32 - prefix)) >>> shift) & 255))
    .join('.')

const isOff = (section: UciSection | undefined) =>
  section === undefined || said(section, 'disabled') === '1' || said(section, 'auto') === '0'

/** Nothing is configured with them; the simulated operators refuse accounts and access points that begin so. */
const isRefused = (text: string) => text === '' || text.toLowerCase().startsWith('bad')

/** The wired one, as if its cable were plugged in. */
export function wiredUplink(doc: UciDoc, identity: Identity): NetworkUplink {
  const section = interfaceOf(doc, 'wan')
  const given = uplinkOf(identity)
  const proto = said(section, 'proto')
  const own = said(section, 'dns').split(' ').filter(Boolean)
  const peers = flag({ package: '', type: '' }, 'peerdns', true).get(saidBy(section, 'peerdns'))
  const dns = [...own, ...(peers && proto !== 'static' ? given.dns : [])].slice(0, 4)
  const base = { interface: 'wan', dns }
  if (isOff(section) || !['dhcp', 'static', 'pppoe'].includes(proto))
    return { interface: 'wan', protocol: 'none', problem: 'wan: no protocol is configured' }
  if (proto === 'static') {
    const { ip, prefix } = addressOf(section)
    const gateway = said(section, 'gateway')
    const reached = gateway === given.gateway && inNetwork(ip, gateway, prefix)
    return {
      ...base,
      protocol: 'static',
      ip,
      netmask: netmaskOf(prefix),
      ...(gateway && { gateway }),
      problem: reached ? null : `wan: the gateway ${gateway || '(none)'} does not answer`,
    }
  }
  if (proto === 'pppoe' && isRefused(said(section, 'username')))
    return { interface: 'wan', protocol: 'pppoe', problem: 'wan: PPPoE authentication failed' }
  return { ...base, ...given, dns, protocol: proto === 'pppoe' ? 'pppoe' : 'dhcp', problem: null }
}

export const apnOf = (doc: UciDoc, slot: number): string => said(interfaceOf(doc, `wan${slot}`), 'apn')
export const usesSlot = (doc: UciDoc, slot: number): boolean => !isOff(interfaceOf(doc, `wan${slot}`))

function mobileUplink(doc: UciDoc, identity: Identity, slot: number): NetworkUplink {
  const name = `wan${slot}`
  const section = interfaceOf(doc, name)
  const base = { interface: name, protocol: 'dhcp' } as const
  if (isOff(section)) return { ...base, protocol: 'none', problem: `${name}: is disabled` }
  if (isRefused(said(section, 'apn')))
    return { ...base, problem: `${name}: CALL_FAILED, no such access point` }
  if (said(section, 'username').toLowerCase().startsWith('bad'))
    return { ...base, problem: `${name}: CALL_FAILED, authentication` }
  return { ...base, ...uplinkOf(identity), problem: null }
}

/** The defaults apply to zones without the option, and to interfaces in no zone. */
function outputOf(doc: UciDoc, name: string): string {
  const sections = doc['firewall']?.sections ?? []
  const zone = sections.find(
    (section) => section.type === 'zone' && said(section, 'network').split(' ').includes(name),
  )
  const defaults = sections.find(({ type }) => type === 'defaults')
  return said(zone, 'output') || said(defaults, 'output') || (sections.length > 0 ? 'REJECT' : 'ACCEPT')
}

function overlaps(doc: UciDoc, { ip, netmask }: NetworkUplink): boolean {
  const lan = addressOf(interfaceOf(doc, 'lan'))
  if (!ip || !netmask || !lan.ip) return false
  return inNetwork(lan.ip, ip, Math.min(lan.prefix, prefixOfNetmask(netmask) ?? 32))
}

/** Of documents that are still in use: parts of a device ask several times in a row. */
const latest = new WeakMap<UciDoc, { identity: Identity; slot: number; uplink: NetworkUplink }>()

/** The uplink in use: models with a modem are at sites without a cable. @param slot of the SIM in use */
export function uplinkIn(doc: UciDoc, identity: Identity, slot: number): NetworkUplink {
  const known = latest.get(doc)
  if (known?.identity === identity && known.slot === slot) return known.uplink
  const uplink = findUplink(doc, identity, slot)
  latest.set(doc, { identity, slot, uplink })
  return uplink
}

function findUplink(doc: UciDoc, identity: Identity, slot: number): NetworkUplink {
  const uplink = identity.model.radio ? mobileUplink(doc, identity, slot) : wiredUplink(doc, identity)
  if (uplink.problem !== null) return uplink
  if (said(interfaceOf(doc, uplink.interface), 'defaultroute') === '0')
    return { ...uplink, problem: `${uplink.interface}: no default route` }
  const output = outputOf(doc, uplink.interface).toUpperCase()
  if (output !== 'ACCEPT')
    return { ...uplink, problem: `firewall: output of ${uplink.interface} is ${output}` }
  const refused = multiWanProblem(doc, uplink.interface)
  if (refused !== null) return { ...uplink, problem: refused }
  return overlaps(doc, uplink)
    ? { ...uplink, problem: `lan and ${uplink.interface} have overlapping networks` }
    : uplink
}
