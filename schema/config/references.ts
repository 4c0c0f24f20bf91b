/**
 * Names by which fields refer to objects that are defined elsewhere in the same document, often on another page. A
 * field declares what it refers to (`refersTo`) or what it names (`names`); the choices of the form, and what server
 * and device refuse or warn about, follow from that and from this table [decisions/149].
 */
import { holds } from '../kit/condition.ts'
import type { FormField, Named, Reference } from '../kit/field.ts'
import { packageOf, saidBy, textOf } from './bind.ts'
import type { UciDoc, UciSection } from './uci.ts'
import { wordsOf, zonesOf } from './zone.ts'

type Kind = {
  readonly of: Named
  /** Besides the names: `*` for any. */
  readonly also?: readonly string[]
  /**
   * How an undefined name is handled. refused: the device would skip the row that refers to it. warned: a warning,
   * because it may be defined later. open: accepted, because the configuration does not contain all of them.
   */
  readonly missing: 'refused' | 'warned' | 'open'
}

export const references: Readonly<Record<Reference, Kind>> = {
  zone: { of: 'zone', missing: 'refused' },
  anyZone: { of: 'zone', also: ['*'], missing: 'refused' },
  interface: { of: 'interface', missing: 'refused' },
  laterInterface: { of: 'interface', missing: 'warned' },
  radio: { of: 'radio', missing: 'refused' },
  // Those of modems and tunnels exist once they are connected.
  device: { of: 'device', missing: 'open' },
  uplink: { of: 'uplink', missing: 'refused' },
  uplinkMember: { of: 'uplinkMember', missing: 'refused' },
  uplinkPolicy: { of: 'uplinkPolicy', also: ['default', 'unreachable', 'blackhole'], missing: 'refused' },
}

/** null: the package that has them is not known. */
export type Names = Readonly<Record<Named, string[] | null>>

type Source = {
  readonly package: string
  readonly find: (doc: UciDoc) => readonly string[]
  /** As stock OpenWrt and the pages themselves call them: offered where no device is at hand. */
  readonly usual: string[]
}

const ofType = (doc: UciDoc, name: string, type: string): readonly UciSection[] =>
  packageOf(doc, name).sections.filter((section) => section.type === type)
const sectionNames = (doc: UciDoc, name: string, type: string) =>
  ofType(doc, name, type).flatMap((section) => (section.name === null ? [] : [section.name]))

/** Modems are files, `@` names another interface. */
const isDevice = (name: string) => /^[^/@]/.test(name)

/** Until 21.02 an interface that was a bridge named its ports (`ifname`), and its own device was not written anywhere. */
const devicesOf = (doc: UciDoc): readonly string[] => [
  ...ofType(doc, 'network', 'interface').flatMap((section) => [
    ...(textOf(saidBy(section, 'type')) === 'bridge' && section.name ? [`br-${section.name}`] : []),
    ...wordsOf(section, 'device'),
    ...wordsOf(section, 'ifname'),
  ]),
  ...ofType(doc, 'network', 'device').map((section) => textOf(saidBy(section, 'name'))),
  ...ofType(doc, 'network', 'bridge-vlan').map(
    (section) => `${textOf(saidBy(section, 'device'))}.${textOf(saidBy(section, 'vlan'))}`,
  ),
]

const sources: Readonly<Record<Named, Source>> = {
  zone: { package: 'firewall', find: zonesOf, usual: ['lan', 'wan', 'guest'] },
  interface: {
    package: 'network',
    find: (doc) => sectionNames(doc, 'network', 'interface'),
    usual: ['lan', 'wan', 'wan6', 'wan1', 'wan2', 'guest'],
  },
  radio: {
    package: 'wireless',
    find: (doc) => sectionNames(doc, 'wireless', 'wifi-device'),
    usual: ['radio0', 'radio1'],
  },
  device: {
    package: 'network',
    find: (doc) => devicesOf(doc).filter(isDevice),
    usual: ['br-lan', 'eth0', 'eth1', 'wwan0'],
  },
  uplink: {
    package: 'mwan3',
    find: (doc) => sectionNames(doc, 'mwan3', 'interface'),
    usual: ['wan', 'wan1', 'wan2'],
  },
  uplinkMember: { package: 'mwan3', find: (doc) => sectionNames(doc, 'mwan3', 'member'), usual: [] },
  uplinkPolicy: { package: 'mwan3', find: (doc) => sectionNames(doc, 'mwan3', 'policy'), usual: [] },
}

const each = (names: (one: Named) => string[] | null): Names => ({
  zone: names('zone'),
  interface: names('interface'),
  radio: names('radio'),
  device: names('device'),
  uplink: names('uplink'),
  uplinkMember: names('uplinkMember'),
  uplinkPolicy: names('uplinkPolicy'),
})

export const usualNames: Names = each((one) => sources[one].usual)

/** The names in a document. `whole`: packages of which it has all, also if it has none of their text. */
export const namesIn = (doc: UciDoc, whole: readonly string[] = []): Names =>
  each((one) => {
    const { package: of, find } = sources[one]
    if (doc[of] === undefined && !whole.includes(of)) return null
    return [...new Set(find(doc).filter((name) => name !== ''))]
  })

type Values = Readonly<Record<string, unknown>>
type Found = { readonly path: string; readonly field: FormField; readonly texts: readonly string[] }

/** Every field of this kind, also in sections and rows, that is shown with these values. */
function found(
  fields: readonly FormField[],
  values: Values,
  wanted: (field: FormField) => boolean,
  prefix = '',
): Found[] {
  return fields.flatMap((field): Found[] => {
    if (field.when && !holds(field.when, values)) return []
    const path = `${prefix}${field.name}`
    const value = values[field.name]
    const inside = (one: unknown, at: string) =>
      found(field.fields ?? [], (one ?? {}) as Values, wanted, `${at}.`)
    if (field.input === 'fields') return inside(value, path)
    if (field.input === 'rows' && Array.isArray(value))
      return value.flatMap((row, i) => inside(row, `${path}.${i}`))
    if (!wanted(field)) return []
    return [
      {
        path,
        field,
        texts: [value].flat().filter((one) => typeof one === 'string' && one !== '') as string[],
      },
    ]
  })
}

const namingFields = (fields: readonly FormField[]): Named[] =>
  fields.flatMap(({ names, fields: inner = [] }) => [...(names ? [names] : []), ...namingFields(inner)])

/** Whether any of these fields refers to something of these kinds. */
export const refersTo = (fields: readonly FormField[], kinds: ReadonlySet<Named>): boolean =>
  fields.some(
    ({ refersTo: to, fields: inner = [] }) =>
      (to !== undefined && kinds.has(references[to].of)) || refersTo(inner, kinds),
  )

/** The kinds of which a change takes names away: pages that it does not edit may have called things by them. */
export function lostKinds(before: UciDoc, after: UciDoc): ReadonlySet<Named> {
  const [old, now] = [namesIn(before), namesIn(after)]
  const lost = (one: Named) => old[one]?.some((name) => !now[one]?.includes(name)) ?? false
  return new Set((Object.keys(sources) as Named[]).filter(lost))
}

const namedBy = (fields: readonly FormField[], values: Values, one: Named): readonly string[] =>
  found(fields, values, ({ names }) => names === one).flatMap(({ texts }) => texts)

/** A page that gives things their names knows them all, also while it is edited. */
export function withOwnNames(fields: readonly FormField[], values: Values, known: Names): Names {
  const own = new Set(namingFields(fields))
  return each((one) => (own.has(one) ? [...new Set(namedBy(fields, values, one))] : known[one]))
}

/** Beside the known ones, those that these values give: of a template, which devices have more of. */
export const withMoreNames = (fields: readonly FormField[], values: Values, known: Names): Names =>
  each((one) => [...new Set([...(known[one] ?? []), ...namedBy(fields, values, one)])])

/** The choices of a field that refers to this. */
export const namesFor = (refersTo: Reference, known: Names): readonly string[] => [
  ...(known[references[refersTo].of] ?? []),
  ...(references[refersTo].also ?? []),
]

export const isMissing = (refersTo: Reference, name: string, known: Names): boolean =>
  name !== '' &&
  references[refersTo].missing !== 'open' &&
  known[references[refersTo].of] !== null &&
  !namesFor(refersTo, known).includes(name)

export type MissingName = { readonly path: string; readonly refersTo: Reference; readonly name: string }

/** Undefined names in these values. `known`: without the names that the values themselves define. */
export function missingNames(fields: readonly FormField[], values: Values, known: Names): MissingName[] {
  const all = withOwnNames(fields, values, known)
  return found(fields, values, ({ refersTo }) => refersTo !== undefined).flatMap(
    ({ path, field: { refersTo }, texts }) =>
      texts.flatMap((name) => (refersTo && isMissing(refersTo, name, all) ? [{ path, refersTo, name }] : [])),
  )
}
