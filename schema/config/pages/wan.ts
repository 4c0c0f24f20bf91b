/** The wired uplink: address, name servers, priority. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { isHostAddress, prefixOfNetmask, utf8Bytes } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import {
  choice,
  flag,
  indexOf,
  list,
  number,
  saidBy,
  sectionOf,
  text,
  textOf,
  type Where,
  withOption,
  withSection,
  wordsIn,
} from '../bind.ts'
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

type Values = z.output<typeof body>

/** Names of options that BusyBox's DHCP client knows. */
const DHCP_OPTIONS = new Set(
  `subnet timezone router dns lprsrv hostname bootsize domain swapsrv rootpath ipttl mtu broadcast routes nisdomain nissrv
  ntpsrv wins lease serverid message vendor tftp bootfile tzstr tzdbstr search sipsrv staticroutes pxeconffile pxepathprefix
  reboottime ip6rd msstaticroutes wpad`.split(/\s+/),
)
const isDhcpOption = (text: string) =>
  DHCP_OPTIONS.has(text) ||
  (/^(\d{1,3}|0x[0-9A-Fa-f]{1,2})$/.test(text) && Number(text) >= 1 && Number(text) <= 254)

const VENDOR_MAX_BYTES = 255

/** The client gives up at an option that it does not know, and at one that is too long: the uplink never gets an address. */
function faultsOfDhcp({ mode, requestOptions, vendorClass }: Values): PageFault[] {
  if (mode !== 'dhcp') return []
  const unknown = requestOptions.find((one) => !isDhcpOption(one))
  return [
    ...(unknown === undefined
      ? []
      : [{ path: 'requestOptions', text: 'wan:fault.requestOption', params: { value: unknown } } as const]),
    ...(utf8Bytes(vendorClass) > VENDOR_MAX_BYTES
      ? [{ path: 'vendorClass', text: 'wan:fault.vendorClass', params: { max: VENDOR_MAX_BYTES } } as const]
      : []),
  ]
}

/** Groups of receivers, and no address at all: the kernel refuses both, and the port keeps its own without a word. */
const faultsOfMac = ({ mac }: Values): PageFault[] =>
  mac !== '' && (/^00(:00){5}$/.test(mac) || Number.parseInt(mac.slice(0, 2), 16) % 2 === 1)
    ? [{ path: 'mac', text: 'wan:fault.mac' }]
    : []

/** A gateway outside of its own network is never reached, and neither is one that no host there can be. */
function faultsOfAddress({ mode, address, netmask, gateway }: Values): PageFault[] {
  const prefix = prefixOfNetmask(netmask)
  if (mode !== 'static' || !prefix) return []
  if (!isHostAddress(address, prefix)) return [{ path: 'address', text: 'wan:fault.noHostAddress' }]
  if (gateway === '') return []
  if (gateway === address) return [{ path: 'gateway', text: 'wan:fault.gatewayOwn' }]
  if (maskOf(address, netmask) !== maskOf(gateway, netmask))
    return [{ path: 'gateway', text: 'wan:fault.gatewayOutside' }]
  return isHostAddress(gateway, prefix) ? [] : [{ path: 'gateway', text: 'wan:fault.noHostAddress' }]
}

/** That of a PPPoE line is the interface's; that of the port below it would have to be 8 bytes larger. */
const mtuIn = (doc: UciDoc, mode: string): Where => (mode === 'pppoe' ? at : deviceSection(doc, at))
const modeOf = (doc: UciDoc) => textOf(saidBy(sectionOf(doc, at), 'proto'))

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
  mtu: number(mtuIn(doc, modeOf(doc)), 'mtu'),
  mac: text(deviceSection(doc, at), 'macaddr'),
})

/** The MTU moves when PPPoE begins or ends. */
function withMtu(after: UciDoc, { mtu }: Values, before: UciDoc): UciDoc {
  const [from, to] = [mtuIn(before, modeOf(before)), mtuIn(after, modeOf(after))]
  if (JSON.stringify(from) === JSON.stringify(to)) return after
  const left =
    indexOf(after, from) < 0 ? after : withSection(after, from, (one) => withOption(one, 'mtu', null))
  return mtu === null ? left : withSection(left, to, (one) => withOption(one, 'mtu', String(mtu)))
}

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
  finish: (after, values, _, before) =>
    withMtu(keepNetmask(after, at, values.netmask, before), values, before),
  check: (values) => [...faultsOfAddress(values), ...faultsOfDhcp(values), ...faultsOfMac(values)],
})
