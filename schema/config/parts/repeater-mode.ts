/**
 * How a repeater passes on its clients: routed behind an address of its own, relayed (relayd, IPv4 only), or as a
 * part of the other network (WDS, which both ends must speak).
 */
import {
  packageOf,
  saidBy,
  textOf,
  withMissing,
  withOption,
  withoutSection,
  withSection,
  withSections,
} from '../bind.ts'
import type { UciDoc, UciSection } from '../uci.ts'
import { inZone, wordsOf } from '../zone.ts'
import { freeMetric } from './uplink-metric.ts'

export const repeaterModes = ['routed', 'relay', 'wds'] as const
export type RepeaterMode = (typeof repeaterModes)[number]

/** The interface of the uplink, as OpenWrt's own pages name it. */
const UPLINK = 'wwan'
const RELAY = 'repeater'

const said = (section: UciSection, option: string) => textOf(saidBy(section, option))
export const isStation = (section: UciSection) =>
  section.type === 'wifi-iface' && said(section, 'mode') === 'sta'
const stationsOf = (doc: UciDoc) => packageOf(doc, 'wireless').sections.filter(isStation)
const relayOf = (doc: UciDoc) =>
  packageOf(doc, 'network').sections.find((section) => said(section, 'proto') === 'relay')

export function repeaterMode(doc: UciDoc): RepeaterMode {
  if (stationsOf(doc).some((section) => said(section, 'wds') === '1')) return 'wds'
  return relayOf(doc) ? 'relay' : 'routed'
}

/** A station without a network is new; the others change only with the mode. */
const asMode = (section: UciSection, mode: RepeaterMode, changed: boolean): UciSection => {
  if (!isStation(section) || (!changed && said(section, 'network') !== '')) return section
  const placed = withOption(section, 'network', mode === 'wds' ? 'lan' : UPLINK)
  return withOption(placed, 'wds', mode === 'wds' ? '1' : null)
}

const named = (of: string, type: string, name: string) => ({ package: of, type, name }) as const

function withUplink(doc: UciDoc, mode: RepeaterMode): UciDoc {
  const uplink = named('network', 'interface', UPLINK)
  const there = packageOf(doc, 'network').sections.some(({ name }) => name === UPLINK)
  const made = { proto: 'dhcp', metric: String(freeMetric(doc)) }
  const added = there ? doc : withSection(doc, uplink, (section) => withMissing(section, made))
  // relayd copies between two interfaces of the same zone [openwrt.md §3 Repeater].
  return added['firewall'] ? inZone(added, 'network', UPLINK, mode === 'relay' ? 'lan' : 'wan') : added
}

function withRelay(doc: UciDoc): UciDoc {
  const added = withSection(doc, named('network', 'interface', RELAY), (section) =>
    withOption(withOption(section, 'proto', 'relay'), 'network', ['lan', UPLINK]),
  )
  const zoned = added['firewall'] ? inZone(added, 'network', RELAY, 'lan') : added
  // Clients get their addresses from the other network.
  return withSection(zoned, named('dhcp', 'dhcp', 'lan'), (section) => withOption(section, 'ignore', '1'))
}

function withoutRelay(doc: UciDoc): UciDoc {
  const relay = relayOf(doc)
  if (!relay || !wordsOf(relay, 'network').includes(UPLINK)) return doc
  const name = relay.name ?? ''
  const zoned = doc['firewall'] && name !== '' ? inZone(doc, 'network', name, '') : doc
  const left = withoutSection(zoned, {
    package: 'network',
    type: 'interface',
    ...(name === '' ? { match: { proto: 'relay' } } : { name }),
  })
  return withSection(left, named('dhcp', 'dhcp', 'lan'), (section) => withOption(section, 'ignore', null))
}

/** The document with its stations, interfaces, zones and DHCP server as this mode needs them. */
export function withRepeaterMode(doc: UciDoc, mode: RepeaterMode, before: UciDoc): UciDoc {
  const was = repeaterMode(before)
  const changed = mode !== was
  const stations = stationsOf(doc)
  const isNew = stations.some((section) => said(section, 'network') === '')
  if (!changed && !isNew) return doc
  const { sections } = packageOf(doc, 'wireless')
  const placed =
    stations.length === 0
      ? doc
      : withSections(
          doc,
          'wireless',
          sections.map((section) => asMode(section, mode, changed)),
        )
  const left = was === 'relay' && changed ? withoutRelay(placed) : placed
  if (stations.length === 0 || mode === 'wds') return left
  const linked = withUplink(left, mode)
  return mode === 'relay' && relayOf(linked) === undefined ? withRelay(linked) : linked
}
