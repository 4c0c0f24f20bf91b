/** Zones of the package `firewall`, and which of them an interface or a tunnel device is in. */
import { packageOf, saidBy, textOf, withOption, withSections } from './bind.ts'
import type { UciDoc, UciSection } from './uci.ts'

export const wordsOf = (section: UciSection, option: string): string[] => {
  const value = saidBy(section, option)
  return value === undefined
    ? []
    : typeof value === 'string'
      ? value.split(/\s+/).filter(Boolean)
      : [...value]
}

const isZone = ({ type }: UciSection) => type === 'zone'
const nameOf = (section: UciSection) => textOf(saidBy(section, 'name'))

export const zonesOf = (doc: UciDoc): string[] =>
  packageOf(doc, 'firewall').sections.filter(isZone).map(nameOf)

/** Zones name interfaces of `network`, and devices that have none there. */
type Member = 'network' | 'device'

/** '': it is in none. */
export const zoneOf = (doc: UciDoc, member: Member, name: string): string => {
  const zone = packageOf(doc, 'firewall').sections.find(
    (section) => isZone(section) && wordsOf(section, member).includes(name),
  )
  return zone ? nameOf(zone) : ''
}

/** The document with this interface or device in this zone and in no other. '' : in none. */
export function inZone(doc: UciDoc, member: Member, name: string, zone: string): UciDoc {
  if (zoneOf(doc, member, name) === zone) return doc
  const sections = packageOf(doc, 'firewall').sections.map((section) => {
    if (!isZone(section)) return section
    const words = wordsOf(section, member)
    const without = words.filter((word) => word !== name)
    const after = nameOf(section) === zone ? [...without, name] : without
    return after.join() === words.join()
      ? section
      : withOption(section, member, after.length > 0 ? after : null)
  })
  return withSections(doc, 'firewall', sections)
}
