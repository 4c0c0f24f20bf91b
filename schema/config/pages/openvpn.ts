/** An OpenVPN client and an OpenVPN server, with their certificates and keys. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { ipv4Number } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import {
  type Bound,
  finished,
  flag,
  number,
  readBound,
  saidBy,
  sectionOf,
  text,
  textOf,
  type Where,
} from '../bind.ts'
import { configPage, type DeviceTraits, type PageFault } from '../config-page.ts'
import { numberPair, pem, plainName, port, ruled, ruledOrNone, secretText, word } from '../page-fields.ts'
import { pemFile } from '../page-file.ts'
import { networkOf, overlap } from '../parts/interface.ts'
import { asNetmask, asNetwork, isRoute, linesBound, pushLine, routesBound } from '../parts/openvpn-push.ts'
import {
  ciphersBound,
  enabledBound,
  isInterface,
  itemsBound,
  type TlsMode,
  tlsModeOf,
  tlsModes,
  tlsOption,
  transportBound,
  transports,
  type VpnRole,
  vpnAt,
  withRole,
  withTlsMode,
} from '../parts/openvpn-section.ts'
import { hasPassphrase, isWholePem, keyFits } from '../parts/pem.ts'
import type { UciDoc } from '../uci.ts'
import { inZone, zoneOf } from '../zone.ts'

const used = { when: { enabled: [true] } }
const tls = (mode: TlsMode) => ({ when: { enabled: [true], tlsMode: [mode] }, input: 'area' }) as const

const shared = {
  transport: field(z.enum(transports).default('udp'), used),
  ca: field(pem('certificate'), used),
  certificate: field(pem('certificate'), used),
  key: field(secretText(pem('privateKey')), { ...used, input: 'area' }),
  tlsMode: field(z.enum(tlsModes).default('none'), used),
  tlsAuth: field(secretText(pem('staticKey')), tls('auth')),
  tlsCrypt: field(secretText(pem('staticKey')), tls('crypt')),
  ciphers: field(
    z
      .array(
        z
          .string()
          .trim()
          .max(32)
          .regex(shaped(/^[A-Za-z0-9-]+$/, 'cipher')),
      )
      .max(8)
      .default([]),
    used,
  ),
  keepalive: field(numberPair, used),
  zone: field(plainName(32).default(''), { ...used, refersTo: 'zone' }),
}

const client = z.object({
  enabled: z.boolean().default(false),
  remotes: field(z.array(ruled('hostAndPort', 270)).max(8).default([]), { ...used, needed: true }),
  username: field(word(64).default(''), used),
  password: field(secretText(word(64).default('')), used),
  checkServer: field(z.boolean().default(false), used),
  ...shared,
})

const server = z.object({
  enabled: z.boolean().default(false),
  port: field(port.default(1194), used),
  subnet: field(ruledOrNone('ipv4Network', 18), { ...used, needed: true }),
  routes: field(z.array(ruled('ipv4Network', 18)).max(16).default([]), used),
  push: field(z.array(pushLine).max(16).default([]), used),
  maxClients: field(z.int().min(1).max(1000).nullable().default(null), used),
  clientToClient: field(z.boolean().default(false), used),
  dh: field(pem('dhParameters'), used),
  ...shared,
})

const body = z.object({ client, server })
type Values = z.output<typeof body>
const roles: readonly VpnRole[] = ['client', 'server']

const subnetBound = (where: Where): Bound => ({
  where,
  option: 'server',
  get: (found) => asNetwork(textOf(found)),
  put: (value) => (value === '' ? null : asNetmask(String(value))),
})

const member = (traits: DeviceTraits) => (isInterface(traits) ? 'network' : 'device')

/** What a zone of the firewall calls the tunnel. */
const nameIn = (doc: UciDoc, at: Where, role: VpnRole, traits: DeviceTraits): string =>
  isInterface(traits)
    ? (at.name ?? '')
    : textOf(saidBy(sectionOf(doc, at), 'dev')) || (role === 'client' ? 'tun0' : 'tun1')

function sharedBounds(doc: UciDoc, role: VpnRole, at: Where, traits: DeviceTraits) {
  const tlsMode = tlsModeOf(sectionOf(doc, at))
  return {
    enabled: enabledBound(doc, at, traits),
    transport: transportBound(at, traits),
    ca: pemFile(at, 'ca', `${role}-ca`),
    certificate: pemFile(at, 'cert', `${role}-cert`),
    key: pemFile(at, 'key', `${role}-key`),
    tlsMode: finished(at, tlsOption(tlsMode), tlsMode),
    tlsAuth: pemFile(at, 'tls_auth', `${role}-tls-auth`),
    tlsCrypt: pemFile(at, 'tls_crypt', `${role}-tls-crypt`),
    ciphers: ciphersBound(at),
    keepalive: text(at, 'keepalive'),
    zone: finished(
      { package: 'firewall', type: 'zone' },
      member(traits),
      zoneOf(doc, member(traits), nameIn(doc, at, role, traits)),
    ),
  }
}

function bounds(doc: UciDoc, traits: DeviceTraits) {
  const [clientAt, serverAt] = [vpnAt(doc, 'client', traits), vpnAt(doc, 'server', traits)]
  return {
    client: {
      ...sharedBounds(doc, 'client', clientAt, traits),
      remotes: itemsBound(clientAt, 'remote'),
      username: text(clientAt, 'username'),
      password: text(clientAt, 'password'),
      checkServer: {
        where: clientAt,
        option: 'remote_cert_tls',
        get: (found) => textOf(found) === 'server',
        put: (value) => (value ? 'server' : null),
      } satisfies Bound,
    },
    server: {
      ...sharedBounds(doc, 'server', serverAt, traits),
      port: number(serverAt, 'port', 1194),
      subnet: subnetBound(serverAt),
      routes: routesBound(serverAt),
      push: linesBound(serverAt),
      maxClients: number(serverAt, 'max_clients'),
      clientToClient: flag(serverAt, 'client_to_client'),
      dh: pemFile(serverAt, 'dh', 'server-dh'),
    },
  }
}

/** The sections as `before` finds them: writing may have made the first of a role. */
const finish = (after: UciDoc, values: Values, traits: DeviceTraits, before: UciDoc): UciDoc =>
  roles.reduce((doc, role) => {
    const { enabled, tlsMode, tlsAuth, zone } = values[role]
    if (!enabled) return doc
    const at = vpnAt(before, role, traits)
    const wasOn = readBound(before, enabledBound(before, at, traits)) === true
    const whole = wasOn ? doc : withRole(doc, at, role, traits)
    const isNew = tlsMode !== tlsModeOf(sectionOf(before, at)) || (tlsMode === 'auth' && tlsAuth !== '')
    const keyed = isNew ? withTlsMode(whole, at, role, tlsMode) : whole
    return inZone(keyed, member(traits), nameIn(keyed, at, role, traits), zone)
  }, after)

function faultsOfKeys(values: Values, role: VpnRole, at: Where, doc: UciDoc): PageFault[] {
  const { ca, certificate, key, tlsMode, tlsAuth, tlsCrypt } = values[role]
  const section = sectionOf(doc, at)
  const lacks = (option: string, given: string) => given === '' && saidBy(section, option) === undefined
  const fault = (name: string, said: 'missing' | 'damaged' | 'passphrase' | 'keyFits'): PageFault => ({
    path: `${role}.${name}`,
    text: `openvpn:fault.${said}`,
  })
  // A client may prove who it is by name and password alone.
  const named = role === 'client' && values.client.username !== ''
  const damaged = (given: string) => given !== '' && !hasPassphrase(given) && !isWholePem(given)
  return [
    ...(lacks('ca', ca) ? [fault('ca', 'missing')] : []),
    ...(lacks('cert', certificate) && !named ? [fault('certificate', 'missing')] : []),
    ...(lacks('key', key) && !(named && lacks('cert', certificate)) ? [fault('key', 'missing')] : []),
    ...(tlsMode === 'auth' && lacks('tls_auth', tlsAuth) ? [fault('tlsAuth', 'missing')] : []),
    ...(tlsMode === 'crypt' && lacks('tls_crypt', tlsCrypt) ? [fault('tlsCrypt', 'missing')] : []),
    ...(damaged(ca) ? [fault('ca', 'damaged')] : []),
    ...(damaged(certificate) ? [fault('certificate', 'damaged')] : []),
    ...(damaged(key) ? [fault('key', 'damaged')] : []),
    ...(hasPassphrase(key) ? [fault('key', 'passphrase')] : []),
    ...(certificate !== '' && key !== '' && !hasPassphrase(key) && !keyFits(certificate, key)
      ? [fault('key', 'keyFits')]
      : []),
  ]
}

function faultsOfRole(values: Values, role: VpnRole, doc: UciDoc, traits: DeviceTraits): PageFault[] {
  return values[role].enabled ? faultsOfKeys(values, role, vpnAt(doc, role, traits), doc) : []
}

/** With less than twice the first number as the second one OpenVPN does not start. `0 0` switches it off. */
const faultsOfKeepalive = (values: Values, role: VpnRole): PageFault[] => {
  const { enabled, keepalive } = values[role]
  const [ping = 0, timeout = 0] = keepalive.split(' ').map(Number)
  const fits = timeout >= 2 * ping && ping > 0 === timeout > 0
  return !enabled || fits ? [] : [{ path: `${role}.keepalive`, text: 'openvpn:fault.keepalive' }]
}

/** Of any other size, or as the address of a host, OpenVPN takes no network for its clients. */
const PREFIXES = { least: 16, most: 29 }
function isVpnNetwork(subnet: string): boolean {
  const [address = '', bits] = subnet.split('/')
  const prefix = Number(bits)
  const size = 2 ** (32 - prefix)
  return PREFIXES.least <= prefix && prefix <= PREFIXES.most && (ipv4Number(address) ?? 1) % size === 0
}
const wrongSubnet = ({ server: { enabled, subnet } }: Values): PageFault[] =>
  enabled && subnet !== '' && !isVpnNetwork(subnet)
    ? [{ path: 'server.subnet', text: 'openvpn:fault.subnet', params: PREFIXES }]
    : []

/** A route among the lines would be shown among the routes the next time. */
const routesAmongLines = ({ server: { enabled, push } }: Values): PageFault[] =>
  enabled && push.some(isRoute) ? [{ path: 'server.push', text: 'openvpn:fault.pushedRoute' }] : []

/** The handler of interfaces ends an option at two hyphens: OpenVPN would not start. */
function endedAtHyphens({ client, server }: Values, traits: DeviceTraits): PageFault[] {
  if (!isInterface(traits)) return []
  const isCut = (one: string) => one.includes('--')
  return [
    ...(client.enabled && client.remotes.some(isCut)
      ? [{ path: 'client.remotes', text: 'openvpn:fault.hyphens' } as const]
      : []),
    ...(server.enabled && server.push.some(isCut)
      ? [{ path: 'server.push', text: 'openvpn:fault.hyphens' } as const]
      : []),
  ]
}

/** The router would send answers for its own network into the tunnel. */
const overlapsLan = ({ server: { enabled, subnet } }: Values, doc: UciDoc): boolean =>
  enabled && overlap(subnet, networkOf(doc, { package: 'network', type: 'interface', name: 'lan' }))

export const openvpn = configPage({
  name: 'openvpn',
  group: 'security',
  place: 70,
  icon: 'shield-lock',
  packages: ['openvpn', 'network', 'firewall'],
  carriedBy: { package: 'openvpn-openssl' },
  needs: ['openvpn'],
  trial: 'wired',
  body,
  bounds,
  finish,
  check: (values, doc, traits) => [
    ...roles.flatMap((role) => faultsOfRole(values, role, doc, traits)),
    ...roles.flatMap((role) => faultsOfKeepalive(values, role)),
    ...wrongSubnet(values),
    ...routesAmongLines(values),
    ...endedAtHyphens(values, traits),
    ...(overlapsLan(values, doc)
      ? [{ path: 'server.subnet', text: 'openvpn:fault.overlapsLan' } as const]
      : []),
  ],
})
