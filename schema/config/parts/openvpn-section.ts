/**
 * Where OpenVPN keeps its client and its server: in sections of the package `openvpn` or, as an interface, of `network`
 * [openwrt.md §3 OpenVPN]. The differences are described here.
 */
import {
  type Bound,
  flag,
  inverted,
  packageOf,
  saidBy,
  sectionOf,
  type Text,
  textOf,
  type Where,
  withMissing,
  withOption,
  withSection,
} from '../bind.ts'
import type { DeviceTraits } from '../config-page.ts'
import type { UciDoc, UciSection } from '../uci.ts'

export type VpnRole = 'client' | 'server'
export const isInterface = ({ abilities }: DeviceTraits) => abilities.has('openvpnNetifd')

/** The package comes with samples, which are switched off and full of invented values. */
const isSample = ({ name }: UciSection) => name === null || name.startsWith('sample_')

const hasRole = (section: UciSection, role: VpnRole) =>
  role === 'client'
    ? ['1', 'on', 'true', 'yes'].includes(textOf(saidBy(section, 'client')))
    : saidBy(section, 'server') !== undefined

/** The first section of this role, or where a new one goes. */
export function vpnAt(doc: UciDoc, role: VpnRole, traits: DeviceTraits): Where {
  const [name, type] = isInterface(traits)
    ? (['network', 'interface'] as const)
    : (['openvpn', 'openvpn'] as const)
  const found = packageOf(doc, name).sections.find(
    (section) =>
      section.type === type &&
      !isSample(section) &&
      (type === 'openvpn' || textOf(saidBy(section, 'proto')) === 'openvpn') &&
      hasRole(section, role),
  )
  return { package: name, type, name: found?.name ?? `vpn_${role}` }
}

export const enabledBound = (doc: UciDoc, where: Where, traits: DeviceTraits): Bound =>
  isInterface(traits)
    ? inverted(where, 'disabled', sectionOf(doc, where) !== undefined)
    : flag(where, 'enabled')

export const transports = ['udp', 'tcp'] as const

/** `udp4`, `tcp-client` and the like stay while the choice does not change. */
export const transportBound = (where: Where, traits: DeviceTraits): Bound => ({
  where,
  option: isInterface(traits) ? 'ovpnproto' : 'proto',
  get: (found) => (textOf(found).startsWith('tcp') ? 'tcp' : 'udp'),
  put: String,
})

export const tlsModes = ['none', 'auth', 'crypt'] as const
export type TlsMode = (typeof tlsModes)[number]
export const tlsOption = (mode: TlsMode) => (mode === 'auth' ? 'tls_auth' : 'tls_crypt')

export const tlsModeOf = (section: UciSection | undefined): TlsMode =>
  saidBy(section, 'tls_crypt') !== undefined
    ? 'crypt'
    : saidBy(section, 'tls_auth') !== undefined
      ? 'auth'
      : 'none'

/**
 * `AES-256-GCM:AES-128-GCM` or a list. Written as a list of one item: the init script joins the items, but the handler
 * of interfaces makes a line of each, of which OpenVPN takes the last.
 */
export const ciphersBound = (where: Where): Bound => ({
  where,
  option: 'data_ciphers',
  get: (found: Text | undefined) =>
    textOf(found)
      .split(/[\s:]+/)
      .filter(Boolean),
  put: (value) => ((value as string[]).length > 0 ? [(value as string[]).join(':')] : null),
})

/** A list whose items contain blanks: `remote 'host port'`. */
export const itemsBound = (where: Where, option: string): Bound => ({
  where,
  option,
  get: (found) => (found === undefined ? [] : [found].flat()),
  put: (value) => ((value as string[]).length > 0 ? (value as string[]) : null),
})

const wasSaid = (section: UciSection, option: string) => saidBy(section, option) !== undefined

/**
 * What a tunnel that is switched on cannot do without: OpenVPN has no device, no role and no keepalive of its own.
 * Only what is missing is added.
 */
export function withRole(doc: UciDoc, where: Where, role: VpnRole, traits: DeviceTraits): UciDoc {
  const needed: Readonly<Record<string, string>> = {
    ...(isInterface(traits) ? { proto: 'openvpn' } : {}),
    dev: role === 'client' ? 'tun0' : 'tun1',
    [isInterface(traits) ? 'ovpnproto' : 'proto']: 'udp',
    ...(role === 'client'
      ? { client: '1', nobind: '1' }
      : { topology: 'subnet', keepalive: '10 120', dh: 'none' }),
    persist_key: '1',
    persist_tun: '1',
  }
  return withSection(doc, where, (section) => withMissing(section, needed))
}

/** The other mode's option goes; a key of the server and of its clients has opposite directions. */
export function withTlsMode(doc: UciDoc, where: Where, role: VpnRole, mode: TlsMode): UciDoc {
  const section = sectionOf(doc, where)
  if (!section) return doc
  return withSection(doc, where, (before) => {
    const unwanted = tlsModes.filter((one) => one !== 'none' && one !== mode).map(tlsOption)
    const cleared = unwanted.reduce((made, option) => withOption(made, option, null), before)
    const directed = mode === 'auth' && !/\s[01]$/.test(textOf(saidBy(cleared, 'tls_auth')))
    if (directed && !wasSaid(cleared, 'key_direction'))
      return withOption(cleared, 'key_direction', role === 'client' ? '1' : '0')
    return mode === 'auth' ? cleared : withOption(cleared, 'key_direction', null)
  })
}
