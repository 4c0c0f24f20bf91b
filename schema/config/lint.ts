/**
 * Conditions that every sent configuration must meet: otherwise the device would be unreachable and could only revert.
 */
import { ipv4Number } from '../kit/network-rules.ts'
import type { Key } from '../kit/words.gen.ts'
import { packageOf, saidBy, sectionOf, textOf } from './bind.ts'
import { addressOf, maskOf } from './parts/interface.ts'
import type { UciDoc, UciSection } from './uci.ts'

/** Interfaces over which a device may reach the platform, by their usual names. */
const UPLINKS = /^(wan\d*|wwan\d*|modem\d*)$/

const interfaces = (doc: UciDoc): readonly UciSection[] =>
  packageOf(doc, 'network').sections.filter(({ type, name }) => type === 'interface' && name !== null)

const isUsed = (section: UciSection) =>
  !['', 'none'].includes(textOf(saidBy(section, 'proto'))) &&
  textOf(saidBy(section, 'disabled')) !== '1' &&
  textOf(saidBy(section, 'auto')) !== '0'

const uplinks = (doc: UciDoc) => interfaces(doc).filter((one) => UPLINKS.test(one.name ?? '') && isUsed(one))

const listOf = (section: UciSection, option: string): readonly string[] => {
  const value = saidBy(section, option)
  return value === undefined ? [] : typeof value === 'string' ? value.split(/\s+/) : value
}

/** fw4 drops what nothing allows; without the package nothing is filtered. */
function blockedOutput(doc: UciDoc): boolean {
  const { sections } = packageOf(doc, 'firewall')
  const defaults = sections.find(({ type }) => type === 'defaults')
  if (!defaults) return false
  const zones = sections.filter(({ type }) => type === 'zone')
  return uplinks(doc).some(({ name }) => {
    const zone = zones.find((one) => listOf(one, 'network').includes(name ?? ''))
    const output = textOf(saidBy(zone ?? defaults, 'output')) || textOf(saidBy(defaults, 'output'))
    return output.toUpperCase() !== 'ACCEPT'
  })
}

/** Whether a change touches an interface over which the device may reach the platform, or what lets it out there. */
export function changesUplink(before: UciDoc, after: UciDoc): boolean {
  const names = new Set([...uplinks(before), ...uplinks(after)].map(({ name }) => name ?? ''))
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

const networkOf = (doc: UciDoc, name: string): { network: number; bits: number } | null => {
  const where = { package: 'network', type: 'interface', name } as const
  const section = sectionOf(doc, where)
  if (!section || textOf(saidBy(section, 'proto')) !== 'static') return null
  const bounds = addressOf(doc, where)
  const address = String(bounds.address.get(saidBy(section, 'ipaddr')))
  const netmask = String(bounds.netmask.get(saidBy(section, 'netmask')))
  const network = maskOf(address, netmask)
  const mask = ipv4Number(netmask)
  if (network === null || mask === null) return null
  return { network, bits: mask.toString(2).replaceAll('0', '').length }
}

function overlap(doc: UciDoc): boolean {
  const lan = networkOf(doc, 'lan')
  return (
    lan !== null &&
    uplinks(doc).some(({ name }) => {
      const other = networkOf(doc, name ?? '')
      if (!other) return false
      const bits = Math.min(lan.bits, other.bits)
      return (
        Math.floor(lan.network / 2 ** (lan.bits - bits)) ===
        Math.floor(other.network / 2 ** (other.bits - bits))
      )
    })
  )
}

/** Only faults caused by the change itself: a device with an unusual but working configuration must stay changeable. */
export function lintConfig(before: UciDoc, after: UciDoc): readonly Key[] {
  const rules: readonly (readonly [Key, (doc: UciDoc) => boolean])[] = [
    ['config:lint.noUplink', (doc) => uplinks(doc).length === 0],
    ['config:lint.outputBlocked', blockedOutput],
    ['config:lint.overlap', overlap],
  ]
  return rules.flatMap(([text, isBroken]) => (isBroken(after) && !isBroken(before) ? [text] : []))
}
