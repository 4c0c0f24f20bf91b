/** The wired uplink: address, name servers, priority. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { isHostAddress, prefixOfNetmask } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import { choice, flag, list, number, text, wordsIn } from '../bind.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { lineOrNone, macOrNone, plainName, ruled, ruledOrNone, secretText } from '../page-fields.ts'
import { addressOf, deviceSection, keepNetmask, maskOf } from '../parts/interface.ts'
import type { UciDoc } from '../uci.ts'

const modes = ['dhcp', 'static', 'pppoe', 'none'] as const
/** Of PPPoE: `auto` makes an interface of its own for IPv6. */
const ipv6Modes = ['auto', '1', '0'] as const
const at = { package: 'network', type: 'interface', name: 'wan' } as const

/** Sent as option 61, as it is: the first byte is the type. */
const clientIdText = z
  .string()
  .trim()
  .max(128)
  .regex(shaped(/^([0-9A-Fa-f]{2}(:?[0-9A-Fa-f]{2})*)?$/, 'hexBytes'))
  .default('')

/** Failures, and the seconds between two requests, as netifd's ppp.sh takes them: after a blank or a comma; 5 without them. */
const keepaliveText = z
  .string()
  .trim()
  .max(11)
  .regex(shaped(/^(\d{1,5}([ ,]\d{1,5})?)?$/, 'keepalive'))
  .default('')

const body = z.object({
  mode: z.enum(modes),
  address: field(ruledOrNone('hostAddress', 15), { when: { mode: ['static'] }, needed: true }),
  netmask: field(ruledOrNone('netmask', 15), { when: { mode: ['static'] }, needed: true }),
  gateway: field(ruledOrNone('hostAddress', 15), { when: { mode: ['static'] } }),
  hostname: field(ruledOrNone('host', 253), { when: { mode: ['dhcp'] } }),
  clientId: field(clientIdText, { when: { mode: ['dhcp'] } }),
  vendorClass: field(lineOrNone(255), { when: { mode: ['dhcp'] } }),
  requestOptions: field(z.array(plainName(32)).max(32).default([]), { when: { mode: ['dhcp'] } }),
  username: field(lineOrNone(128), { when: { mode: ['pppoe'] }, needed: true }),
  password: field(secretText(lineOrNone(128)), { when: { mode: ['pppoe'] }, needed: true }),
  service: field(lineOrNone(128), { when: { mode: ['pppoe'] } }),
  concentrator: field(lineOrNone(128), { when: { mode: ['pppoe'] } }),
  keepalive: field(keepaliveText, { when: { mode: ['pppoe'] } }),
  ipv6: field(z.enum(ipv6Modes).default('auto'), { when: { mode: ['pppoe'] } }),
  peerDns: field(z.boolean().default(true), { when: { mode: ['dhcp', 'pppoe'] } }),
  dns: field(z.array(ruled('ipAddress', 45)).max(4).default([]), {
    when: { mode: ['static', 'dhcp', 'pppoe'] },
  }),
  defaultRoute: field(z.boolean().default(true), { when: { mode: ['static', 'dhcp', 'pppoe'] } }),
  metric: z.int().min(0).max(9999).default(0),
  mtu: field(z.int().min(576).max(9200).nullable().default(null), { unit: 'bytes' }),
  mac: macOrNone,
})

/** A gateway outside of its own network is never reached, and neither is one that no host there can be. */
function faultsOf({ mode, address, netmask, gateway }: z.output<typeof body>): PageFault[] {
  const prefix = prefixOfNetmask(netmask)
  if (mode !== 'static' || !prefix) return []
  if (!isHostAddress(address, prefix)) return [{ path: 'address', text: 'wan:fault.noHostAddress' }]
  if (gateway === '') return []
  if (gateway === address) return [{ path: 'gateway', text: 'wan:fault.gatewayOwn' }]
  if (maskOf(address, netmask) !== maskOf(gateway, netmask))
    return [{ path: 'gateway', text: 'wan:fault.gatewayOutside' }]
  return isHostAddress(gateway, prefix) ? [] : [{ path: 'gateway', text: 'wan:fault.noHostAddress' }]
}

const bounds = (doc: UciDoc) => ({
  mode: choice(at, 'proto', modes, 'none'),
  ...addressOf(doc, at),
  gateway: text(at, 'gateway'),
  hostname: text(at, 'hostname'),
  clientId: text(at, 'clientid'),
  vendorClass: text(at, 'vendorid'),
  requestOptions: wordsIn(at, 'reqopts'),
  username: text(at, 'username'),
  password: text(at, 'password'),
  service: text(at, 'service'),
  concentrator: text(at, 'ac'),
  keepalive: text(at, 'keepalive'),
  ipv6: choice(at, 'ipv6', ipv6Modes, 'auto'),
  peerDns: flag(at, 'peerdns', true),
  dns: list(at, 'dns'),
  defaultRoute: flag(at, 'defaultroute', true),
  metric: number(at, 'metric', 0),
  mtu: number(deviceSection(doc, at), 'mtu'),
  mac: text(deviceSection(doc, at), 'macaddr'),
})

export const wan = configPage({
  name: 'wan',
  group: 'network',
  place: 10,
  icon: 'world',
  packages: ['network'],
  carriedBy: 'stock',
  needs: [],
  trial: 'wired',
  body,
  bounds,
  finish: (after, { netmask }, _, before) => keepNetmask(after, at, netmask, before),
  check: faultsOf,
})
