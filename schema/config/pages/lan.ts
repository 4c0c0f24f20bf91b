/** The local network: address of the router, DHCP server, reserved addresses. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { ipv4Number, isHostName, isNetmask, prefixOfNetmask } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import {
  type Bound,
  choice,
  flag,
  indexOf,
  inverted,
  number,
  packageOf,
  saidBy,
  sectionOf,
  text,
  type Where,
} from '../bind.ts'
import { inRow, type Rows, rowWhere } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { plainName, rowKey, ruled, ruledOrNone } from '../page-fields.ts'
import { addressOf, furtherNetworksOf, keepNetmask, networkOf, overlap } from '../parts/interface.ts'
import type { UciDoc } from '../uci.ts'

const at = { package: 'network', type: 'interface', name: 'lan' } as const
const modes = ['static', 'dhcp', 'none'] as const
const fixed = { when: { mode: ['static'] }, needed: true } as const
const served = { when: { dhcp: [true] } }

/** A device with two network cards has two, separated by a blank; `*` matches any octet. */
const MACS =
  /^(?:[0-9A-Fa-f]{2}(?::(?:[0-9A-Fa-f]{2}|\*)){5})(?: [0-9A-Fa-f]{2}(?::(?:[0-9A-Fa-f]{2}|\*)){5})*$/

const reservation = z.object({
  ...rowKey,
  mac: z.string().trim().max(160).regex(shaped(MACS, 'macAddress')),
  ip: ruledOrNone('ipv4', 15),
  name: ruledOrNone('host', 63),
  leaseTime: ruledOrNone('leaseTime', 16),
  tag: plainName(32).default(''),
})

const body = z.object({
  mode: z.enum(modes),
  address: field(ruledOrNone('hostAddress', 15), fixed),
  netmask: field(ruledOrNone('netmask', 15), fixed),
  dhcp: z.boolean().default(false),
  start: field(z.int().min(1).max(65_534).default(100), served),
  limit: field(z.int().min(1).max(65_534).default(150), served),
  leaseTime: field(ruled('leaseTime', 16).default('12h'), served),
  dynamic: field(z.boolean().default(true), served),
  clientDns: field(z.array(ruled('ipv4', 15)).max(4).default([]), served),
  reservations: field(z.array(reservation).max(256).default([]), served),
})
type Values = z.output<typeof body>

/** The pool of this network; sections are found by their interface, since older ones have no name. */
function poolAt(doc: UciDoc): Where {
  const where = { package: 'dhcp', type: 'dhcp', match: { interface: 'lan' } }
  return indexOf(doc, where) >= 0 ? where : { ...where, name: 'lan' }
}

const DNS = /^(?:6|option:dns-server),/

/** Name servers are DHCP option 6, one item among other options, which stay. */
function clientDns(doc: UciDoc, where: Where): Bound {
  const said = saidBy(sectionOf(doc, where), 'dhcp_option') ?? []
  const items = typeof said === 'string' ? said.split(/\s+/).filter(Boolean) : said
  return {
    where,
    option: 'dhcp_option',
    get: () =>
      items
        .find((item) => DNS.test(item))
        ?.split(',')
        .slice(1) ?? [],
    put: (value) => {
      const own = (value as string[]).length > 0 ? [`6,${(value as string[]).join()}`] : []
      const place = items.findIndex((item) => DNS.test(item))
      const others = items.filter((item) => !DNS.test(item))
      const after = others.toSpliced(place < 0 ? others.length : place, 0, ...own)
      return after.length > 0 ? after : null
    },
  }
}

/** Hosts without a hardware address are names; `ignore` keeps a client out. Neither is a reservation. */
const reservations: Rows = {
  package: 'dhcp',
  type: 'host',
  only: (section) => saidBy(section, 'mac') !== undefined && saidBy(section, 'ip') !== 'ignore',
  fields: {
    mac: inRow(text(rowWhere, 'mac')),
    ip: inRow(text(rowWhere, 'ip')),
    name: inRow(text(rowWhere, 'name')),
    leaseTime: inRow(text(rowWhere, 'leasetime')),
    tag: inRow(text(rowWhere, 'tag')),
  },
}

function bounds(doc: UciDoc) {
  const pool = poolAt(doc)
  return {
    mode: choice(at, 'proto', modes, 'none'),
    ...addressOf(doc, at),
    // Without a section nothing is served.
    dhcp: inverted(pool, 'ignore', indexOf(doc, pool) >= 0),
    start: number(pool, 'start', 100),
    limit: number(pool, 'limit', 150),
    leaseTime: text(pool, 'leasetime', '12h'),
    dynamic: flag(pool, 'dynamicdhcp', true),
    clientDns: clientDns(doc, pool),
    reservations,
  }
}

/** Addresses for hosts: without those of the network and of the broadcast. */
const hostsOf = (netmask: string) => 2 ** (32 - (prefixOfNetmask(netmask) ?? 32)) - 2

function faultsOfPool({ netmask, start, limit }: Values): PageFault[] {
  const hosts = hostsOf(netmask)
  if (start > hosts) return [{ path: 'start', text: 'lan:fault.startOutside', params: { hosts } }]
  return start + limit - 1 > hosts
    ? [{ path: 'limit', text: 'lan:fault.poolTooLarge', params: { max: hosts - start + 1 } }]
    : []
}

/** Other networks of the router, and further addresses of this one, have reservations in the same list. */
const otherNetworksOf = (doc: UciDoc): string[] =>
  packageOf(doc, 'network')
    .sections.flatMap(({ type, name }) => {
      if (type !== 'interface' || name === null) return []
      const where = { ...at, name }
      return [...(name === at.name ? [] : [networkOf(doc, where)]), ...furtherNetworksOf(doc, where)]
    })
    .filter((network) => network !== '')

/**
 * dnsmasq does not start, and no client gets an address, if a name begins otherwise; an address, a time or `ignore` it
 * takes for what it is.
 */
const isName = (text: string) =>
  /^[A-Za-z0-9]/.test(text) && isHostName(text) && !/^(\d+[smhdw]?|infinite|ignore)$/i.test(text)

function faultsOfReservations(values: Values, doc: UciDoc): PageFault[] {
  const { address, netmask, reservations: rows } = values
  const networks = [`${address}/${prefixOfNetmask(netmask)}`, ...otherNetworksOf(doc)]
  const seen = new Set<string>()
  const twice = (key: string) => seen.size === seen.add(key).size
  return rows.flatMap(({ mac, ip, name }, i): PageFault[] => {
    const macs = mac.toLowerCase().split(' ')
    const doubled = macs.filter((one) => twice(one)).length > 0
    const faults: PageFault[] = doubled ? [{ path: `reservations.${i}.mac`, text: 'lan:fault.macTwice' }] : []
    if (name !== '' && !isName(name)) faults.push({ path: `reservations.${i}.name`, text: 'lan:fault.name' })
    const path = `reservations.${i}.ip`
    if (ip === '') return faults
    if (ip === address) return [...faults, { path, text: 'lan:fault.ipOwn' }]
    if (!networks.some((network) => overlap(`${ip}/32`, network)))
      return [...faults, { path, text: 'lan:fault.ipOutside' }]
    return twice(ip) ? [...faults, { path, text: 'lan:fault.ipTwice' }] : faults
  })
}

function faultsOf(values: Values, doc: UciDoc): PageFault[] {
  const { mode, address, netmask, dhcp } = values
  const own = ipv4Number(address)
  if (mode !== 'static' || own === null || !isNetmask(netmask)) return []
  const hosts = hostsOf(netmask)
  if (hosts < 2) return [{ path: 'netmask', text: 'lan:fault.noHosts' }]
  const place = own % (hosts + 2)
  if (place === 0 || place === hosts + 1) return [{ path: 'address', text: 'lan:fault.noHostAddress' }]
  return dhcp ? [...faultsOfPool(values), ...faultsOfReservations(values, doc)] : []
}

export const lan = configPage({
  name: 'lan',
  group: 'network',
  place: 20,
  icon: 'network',
  packages: ['network', 'dhcp'],
  carriedBy: 'stock',
  needs: [],
  trial: 'wired',
  body,
  bounds,
  finish: (after, { netmask }, _, before) => keepNetmask(after, at, netmask, before),
  check: faultsOf,
})
