/** Hosts on the LAN of a device: some always, others by the time of day. */
import type { z } from 'zod'
import type { UciDoc } from '#schema/config/uci'
import type { hostSection } from '#schema/device/section'
import type { Base } from './base.ts'
import { accessPoints, lanOf } from './config/lan.ts'
import type { Identity } from './fleet.ts'
import { pick, share } from './random.ts'
import { dailyRhythm } from './rhythm.ts'

type Host = z.input<typeof hostSection>

const HOUR_MS = 3_600_000
/** Out of this many, the first is always there. */
const STEADY = 3
const HOSTS_MAX = 24
/** The host that is a controller; always there. */
const CONTROLLER = 0
/** The share of the others at the busiest hour. */
const BUSIEST = 0.85

const kinds = ['pos', 'camera', 'kiosk', 'nas', 'phone', 'laptop', 'plc', 'tablet'] as const
const hex = (value: number) =>
  Math.floor(value * 256)
    .toString(16)
    .padStart(2, '0')
    .toUpperCase()

const isWireless = ({ model, sn }: Identity, seed: number, i: number) =>
  model.hardwareType === 'router' && share(seed, sn, 'via', i) > 0.4

const isThere = ({ sn, city }: Identity, seed: number, i: number, hour: number) =>
  i % STEADY === 0 || share(seed, sn, 'host', i, hour) < BUSIEST * dailyRhythm(hour * HOUR_MS, city.longitude)

/** The numbers of the hosts that are connected. @param wifi the device offers a radio network */
export function presentAt(identity: Identity, seed: number, atMs: number, wifi: boolean): readonly number[] {
  const hour = Math.floor(atMs / HOUR_MS)
  const count = Math.min(HOSTS_MAX, identity.model.clients + 1)
  return Array.from({ length: count }, (_, i) => i).filter(
    (i) => isThere(identity, seed, i, hour) && (wifi || !isWireless(identity, seed, i)),
  )
}

const macOf = (sn: string, seed: number, i: number) =>
  ['02', '00', ...[0, 1, 2, 3].map((at) => hex(share(seed, sn, 'hostMac', i, at)))].join(':')

/** Whether a host is the Modbus controller: each LAN has one. */
export const isController = (
  { mac }: Host,
  { identity, world: { seed } }: Pick<Base, 'identity' | 'world'>,
) => mac === macOf(identity.sn, seed, CONTROLLER)

type Found = { readonly hour: number; readonly sn: string; readonly hosts: readonly Host[] }
/** By configuration; a device asks several times in a row. */
const latest = new WeakMap<UciDoc, Found>()

/** Everything is computed from the serial number, the clock and the configuration, so a restart changes nothing. */
export function hostsOf(part: Pick<Base, 'identity' | 'world' | 'config'>, now: number): readonly Host[] {
  const { sn } = part.identity
  const { doc } = part.config
  const hour = Math.floor(now / HOUR_MS)
  const known = latest.get(doc)
  if (known?.hour === hour && known.sn === sn) return known.hosts
  const hosts = findHosts(part, doc, hour)
  latest.set(doc, { hour, sn, hosts })
  return hosts
}

function findHosts(
  { identity, world: { seed } }: Pick<Base, 'identity' | 'world'>,
  doc: UciDoc,
  hour: number,
): Host[] {
  const { sn } = identity
  const lan = lanOf(doc)
  const wifi = accessPoints(doc).some(({ on }) => on)
  return presentAt(identity, seed, hour * HOUR_MS, wifi).map((i) => {
    let since = hour
    while (since > hour - 240 && isThere(identity, seed, i, since - 1)) since--
    const wireless = isWireless(identity, seed, i)
    const mac = macOf(sn, seed, i)
    const reserved = lan.reserved.get(mac)
    // Without a DHCP server here it has its address from elsewhere.
    const ip = lan.dhcp ? reserved?.ip || lan.nth(i) : undefined
    return {
      mac,
      ...(ip && { ip }),
      name: reserved?.name || `${i === CONTROLLER ? 'plc' : pick(kinds, seed, sn, 'kind', i)}-${i + 1}`,
      via: wireless ? ('wifi' as const) : ('lan' as const),
      since: since * HOUR_MS,
      ...(wireless && { signalDbm: -40 - Math.floor(share(seed, sn, 'wifi', i, hour) * 45) }),
    }
  })
}
