/** What must hold in any configuration that is sent: otherwise nobody reaches the device, and it can only revert. */
import { isIpv4, prefixOfNetmask } from '../kit/network-rules.ts'
import type { Key } from '../kit/words.gen.ts'
import { packageOf, saidBy, sectionOf, textOf } from './bind.ts'
import { networkOf, overlap } from './parts/interface.ts'
import { isNo, isYes, metricOf, routesIpv4, UPLINKS } from './parts/uplink-metric.ts'
import type { UciDoc, UciSection } from './uci.ts'

const interfaces = (doc: UciDoc): readonly UciSection[] =>
  packageOf(doc, 'network').sections.filter(({ type, name }) => type === 'interface' && name !== null)

const isUsed = (section: UciSection) =>
  !['', 'none'].includes(textOf(saidBy(section, 'proto'))) &&
  !isYes(section, 'disabled') &&
  !isNo(section, 'auto')

/** `reported`: the one over which the device reached the platform last, whatever it is called. */
const uplinks = (doc: UciDoc, reported: string | null) =>
  interfaces(doc)
    .filter(({ name }) => name === reported || UPLINKS.test(name ?? ''))
    .filter(isUsed)
const uplinkNames = (doc: UciDoc, reported: string | null) =>
  uplinks(doc, reported).map(({ name }) => name ?? '')

const listOf = (section: UciSection, option: string): readonly string[] => {
  const value = saidBy(section, option)
  return value === undefined ? [] : typeof value === 'string' ? value.split(/\s+/) : value
}

const zonesOf = (doc: UciDoc) => packageOf(doc, 'firewall').sections.filter(({ type }) => type === 'zone')
const zoneOf = (doc: UciDoc, name: string) =>
  zonesOf(doc).find((one) => listOf(one, 'network').includes(name))

/** fw4 drops what nothing allows, also if it is not told any defaults; without the package nothing is filtered. */
function blockedUplinks(doc: UciDoc, reported: string | null): string[] {
  if (!doc['firewall']) return []
  const defaults = doc['firewall'].sections.find(({ type }) => type === 'defaults')
  const isBlocked = (name: string) => {
    const output =
      textOf(saidBy(zoneOf(doc, name) ?? defaults, 'output')) || textOf(saidBy(defaults, 'output'))
    return output.toUpperCase() !== 'ACCEPT'
  }
  return uplinkNames(doc, reported).filter(isBlocked)
}

/** Hosts behind the device would not be let out over them, and the rules of no zone would apply to what comes in. */
const uplinksWithoutZone = (doc: UciDoc, reported: string | null): string[] =>
  zonesOf(doc).length === 0 ? [] : uplinkNames(doc, reported).filter((name) => !zoneOf(doc, name))

const ANYWHERE = ['0.0.0.0', '0.0.0.0/0', '::/0', 'default']

const routesOver = (doc: UciDoc, name: string): boolean =>
  packageOf(doc, 'network').sections.some(
    (section) =>
      /^route6?$/.test(section.type) &&
      textOf(saidBy(section, 'interface')) === name &&
      !isYes(section, 'disabled') &&
      ANYWHERE.includes(textOf(saidBy(section, 'target'))) &&
      ['', '0.0.0.0'].includes(textOf(saidBy(section, 'netmask'))),
  )

/** A static interface has the default route that it is given, the others get theirs from the network. */
const hasDefaultRoute = (doc: UciDoc, section: UciSection): boolean =>
  routesOver(doc, section.name ?? '') ||
  (!isNo(section, 'defaultroute') &&
    (textOf(saidBy(section, 'proto')) !== 'static' ||
      ['gateway', 'ip6gw'].some((option) => textOf(saidBy(section, option)) !== '')))

/**
 * Whether a change touches the interface over which the device reaches the platform, or what lets it out there. A
 * device that does not report it may use any that is called like an uplink.
 */
export function changesUplink(before: UciDoc, after: UciDoc, reported: string | null = null): boolean {
  const isKnown = interfaces(before).some(({ name }) => name === reported)
  const names = new Set(isKnown ? [reported] : [before, after].flatMap((doc) => uplinkNames(doc, null)))
  const ofUplinks = (doc: UciDoc) =>
    JSON.stringify([
      interfaces(doc).filter(({ name }) => names.has(name ?? '')),
      ...['firewall', 'wireless'].map((of) =>
        packageOf(doc, of).sections.filter(
          (one) => one.type === 'defaults' || listOf(one, 'network').some((name) => names.has(name)),
        ),
      ),
    ])
  return ofUplinks(before) !== ofUplinks(after)
}

/** The network of an interface with a static address, such as `192.168.8.1/24`; '' for any other. */
const staticNetwork = (doc: UciDoc, name: string): string => {
  const where = { package: 'network', type: 'interface', name } as const
  return textOf(saidBy(sectionOf(doc, where), 'proto')) === 'static' ? networkOf(doc, where) : ''
}

/** Which uplinks share addresses with the LAN. `leased`: networks that the wired one has from outside now. */
function overlapping(doc: UciDoc, leased: readonly string[], reported: string | null): string[] {
  const lan = staticNetwork(doc, 'lan')
  const own = uplinkNames(doc, reported).filter((name) => overlap(lan, staticNetwork(doc, name)))
  return [...own, ...leased.filter((network) => overlap(lan, network))]
}

/** Of a device's last report on its wired uplinks; what a changed interface will get is not known. */
export function leasedNetworks(before: UciDoc, after: UciDoc, reported: unknown): string[] {
  const wan = (doc: UciDoc) => interfaces(doc).find(({ name }) => name === 'wan')
  const isLeased = ['dhcp', 'pppoe'].includes(textOf(saidBy(wan(before), 'proto')))
  if (!isLeased || JSON.stringify(wan(before)) !== JSON.stringify(wan(after)) || !Array.isArray(reported))
    return []
  return reported.flatMap(({ up, ip, netmask }: { up?: unknown; ip?: unknown; netmask?: unknown }) => {
    const prefix = prefixOfNetmask(String(netmask))
    return up === true && isIpv4(String(ip)) && prefix !== null ? [`${ip}/${prefix}`] : []
  })
}

export type Lint = { readonly text: Key; readonly params: Readonly<Record<string, string>> }

/** `wan`: that section of the facts; `uplink`: of its hello, see there. */
export type ReportedUplinks = { readonly wan?: unknown; readonly uplink?: string | null | undefined }

/** The uplink in use may be switched off while another one is left, but not stay without its default route. */
function withoutRoute(doc: UciDoc, reported: string | null): string[] {
  const all = uplinks(doc, reported)
  const routed = all.filter((one) => hasDefaultRoute(doc, one))
  if (all.length > 0 && routed.length === 0) return ['wan']
  return all.flatMap((one) => (one.name === reported && !routed.includes(one) ? [one.name ?? ''] : []))
}

/** Uplinks with the metric of one before them: only one of them would have the default route. */
function sameMetric(doc: UciDoc, reported: string | null): string[] {
  const routed = uplinks(doc, reported).filter(routesIpv4)
  return routed
    .filter((one, i) => routed.slice(0, i).some((before) => metricOf(before) === metricOf(one)))
    .map(({ name }) => name ?? '')
}

/** Only what the change itself breaks: a device that works in an unusual way must not be locked out of all changes. */
export function lintConfig(
  before: UciDoc,
  after: UciDoc,
  { wan, uplink: reported = null }: ReportedUplinks = {},
): readonly Lint[] {
  const leased = leasedNetworks(before, after, wan)
  // What is broken, by name.
  const rules: readonly (readonly [Key, (doc: UciDoc) => readonly string[]])[] = [
    ['config:lint.noUplink', (doc) => (uplinks(doc, reported).length === 0 ? ['wan'] : [])],
    ['config:lint.noDefaultRoute', (doc) => withoutRoute(doc, reported)],
    ['config:lint.outputBlocked', (doc) => blockedUplinks(doc, reported)],
    ['config:lint.noZone', (doc) => uplinksWithoutZone(doc, reported)],
    ['config:lint.sameMetric', (doc) => sameMetric(doc, reported)],
    ['config:lint.overlap', (doc) => overlapping(doc, leased, reported)],
  ]
  return rules.flatMap(([text, brokenIn]) => {
    const known = brokenIn(before)
    const [name] = brokenIn(after).filter((one) => !known.includes(one))
    return name === undefined ? [] : [{ text, params: { name } }]
  })
}
