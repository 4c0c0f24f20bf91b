/** Hosts on the LAN of a device: some always, others by the time of day. */
import type { z } from 'zod'
import type { hostSection } from '#schema/device/section'
import type { Base } from './base.ts'
import { pick, share } from './random.ts'

type Host = z.input<typeof hostSection>

const HOUR_MS = 3_600_000
/** Out of this many, the first is always there. */
const STEADY = 3
const HOSTS_MAX = 24

const kinds = ['pos', 'camera', 'kiosk', 'nas', 'phone', 'laptop', 'plc', 'tablet'] as const
const hex = (value: number) =>
  Math.floor(value * 256)
    .toString(16)
    .padStart(2, '0')
    .toUpperCase()

/** Everything is computed from the serial number and the clock, so a restart changes nothing. */
export function hostsOf({ identity, world, settings }: Base, now: number): Host[] {
  const { model, sn } = identity
  const octet = settings.get('config') > 0 ? 10 + Math.floor(share(world.seed, sn, 'lan') * 200) : 1
  const hour = Math.floor(now / HOUR_MS)
  const there = (i: number, at: number) => i % STEADY === 0 || share(world.seed, sn, 'host', i, at) > 0.45
  return Array.from({ length: Math.min(HOSTS_MAX, model.clients + 1) }, (_, i) => i)
    .filter((i) => there(i, hour))
    .map((i) => {
      let since = hour
      while (since > hour - 240 && there(i, since - 1)) since--
      const wifi = model.hardwareType === 'router' && share(world.seed, sn, 'via', i) > 0.4
      return {
        mac: ['02', '00', ...[0, 1, 2, 3].map((at) => hex(share(world.seed, sn, 'hostMac', i, at)))].join(
          ':',
        ),
        ip: `192.168.${octet}.${20 + i}`,
        name: `${pick(kinds, world.seed, sn, 'kind', i)}-${i + 1}`,
        via: wifi ? ('wifi' as const) : ('lan' as const),
        since: since * HOUR_MS,
        ...(wifi && { signalDbm: -40 - Math.floor(share(world.seed, sn, 'wifi', i, hour) * 45) }),
      }
    })
}
