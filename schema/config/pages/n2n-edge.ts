/** The edge of an n2n network: remote access to the device and to the network behind it. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import {
  choice,
  finished,
  flag,
  number,
  readBound,
  saidBy,
  sectionOf,
  text,
  textOf,
  withMissing,
  withSection,
} from '../bind.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { plainName, ruledOrNone, secretText, word } from '../page-fields.ts'
import { networkOf, overlap } from '../parts/interface.ts'
import type { UciDoc } from '../uci.ts'
import { inZone, zoneOf } from '../zone.ts'

const used = { when: { enabled: [true] } }
const fixed = { when: { enabled: [true], mode: ['static'] } }

// [§5 N2n]
const n2nPort = z.int().min(9001).max(50_000)

/** As n2n-keygen prints it: 256 bits. */
const FEDERATION_KEY = /^[0-9A-Za-z+-]{43}$/

const body = z.object({
  enabled: z.boolean().default(false),
  supernode: field(ruledOrNone('host', 253), { ...used, needed: true }),
  port: field(n2nPort.default(9001), used),
  secondSupernode: field(ruledOrNone('host', 253), used),
  secondPort: field(n2nPort.nullable().default(null), used),
  // The protocol has 20 bytes for it, the last of them zero.
  community: field(word(19).default(''), { ...used, needed: true }),
  key: field(secretText(word(64).default('')), used),
  // For supernodes that know users: n2n 3.
  user: field(word(15).default(''), used),
  password: field(secretText(word(64).default('')), used),
  federationKey: field(word(43).default(''), used),
  tunnel: field(plainName(15).default('n2n0'), used),
  mode: field(z.enum(['supernode', 'dhcp', 'static']).default('dhcp'), used),
  address: field(ruledOrNone('hostAddress', 15), { ...fixed, needed: true }),
  prefix: field(z.int().min(1).max(30).default(24), fixed),
  mtu: field(z.int().min(576).max(1500).default(1290), { ...used, unit: 'bytes' }),
  route: field(z.boolean().default(false), used),
  masquerade: field(z.boolean().default(false), used),
  zone: field(plainName(32).default(''), { ...used, refersTo: 'zone' }),
})
type Values = z.output<typeof body>

const at = { package: 'n2n', type: 'edge' } as const
const TUNNEL = 'n2n0'
const tunnelOf = (doc: UciDoc) => textOf(saidBy(sectionOf(doc, at), 'tunname')) || TUNNEL

const bounds = (doc: UciDoc) => ({
  enabled: flag(at, 'enabled'),
  supernode: text(at, 'supernode'),
  port: number(at, 'port', 9001),
  secondSupernode: text(at, 'second_supernode'),
  secondPort: number(at, 'second_port'),
  community: text(at, 'community'),
  key: text(at, 'key'),
  user: text(at, 'user'),
  password: text(at, 'password'),
  federationKey: text(at, 'federation_key'),
  tunnel: text(at, 'tunname', TUNNEL),
  mode: choice(at, 'mode', ['supernode', 'dhcp', 'static'], 'dhcp'),
  address: text(at, 'ipaddr'),
  prefix: number(at, 'prefix', 24),
  mtu: number(at, 'mtu', 1290),
  route: flag(at, 'route'),
  masquerade: flag(at, 'masquerade'),
  zone: finished({ package: 'firewall', type: 'zone' }, 'device', zoneOf(doc, 'device', tunnelOf(doc))),
})

/** The script that starts the program assumes nothing: what it needs is written out. */
function finish(after: UciDoc, values: Values, _: unknown, before: UciDoc): UciDoc {
  if (!values.enabled) return after
  const needed = {
    tunname: values.tunnel,
    mode: values.mode,
    port: String(values.port),
    mtu: String(values.mtu),
  }
  const wasOn = readBound(before, flag(at, 'enabled')) === true
  const whole = wasOn ? after : withSection(after, at, (section) => withMissing(section, needed))
  const former = tunnelOf(before)
  const left = former === values.tunnel ? whole : inZone(whole, 'device', former, '')
  return inZone(left, 'device', values.tunnel, values.zone)
}

function faultsOf(values: Values, doc: UciDoc): PageFault[] {
  if (!values.enabled) return []
  const own = networkOf(doc, { package: 'network', type: 'interface', name: 'lan' })
  const clash = values.mode === 'static' && overlap(`${values.address}/${values.prefix}`, own)
  return [
    ...(clash ? [{ path: 'address', text: 'n2n-edge:fault.overlapsLan' } as const] : []),
    ...(values.secondPort !== null && values.secondSupernode === ''
      ? [{ path: 'secondSupernode', text: 'n2n-edge:fault.noSecond' } as const]
      : []),
    ...(values.user === '' && values.password !== ''
      ? [{ path: 'user', text: 'n2n-edge:fault.noUser' } as const]
      : []),
    ...(values.user !== '' && values.password === ''
      ? [{ path: 'password', text: 'n2n-edge:fault.noPassword' } as const]
      : []),
    ...(values.federationKey === '' || FEDERATION_KEY.test(values.federationKey)
      ? []
      : [{ path: 'federationKey', text: 'n2n-edge:fault.federationKey' } as const]),
  ]
}

export const n2nEdge = configPage({
  name: 'n2n-edge',
  group: 'security',
  place: 80,
  icon: 'topology-star',
  packages: ['n2n', 'firewall'],
  carriedBy: 'agent',
  needs: ['n2n'],
  trial: 'wired',
  filledFrom: 'groupAccount',
  body,
  bounds,
  finish,
  check: faultsOf,
})
