/** Host name, time zone and time servers. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { type Bound, flag, list, saidBy, sectionOf, text, textOf, withOption, withSection } from '../bind.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { ruled } from '../page-fields.ts'
import { posixOf, timeZones, zoneOfPosix } from '../parts/time-zones.ts'
import type { UciDoc } from '../uci.ts'

const system = { package: 'system', type: 'system' } as const
/** Its init script reads the section of this name and no other. */
const ntpd = { package: 'system', type: 'timeserver', name: 'ntp' } as const
const SERVES = { enabled: [true] }

const body = z.object({
  // [RFC 1123 §2.1] One label; OpenWrt passes it to DHCP and to the log.
  hostname: z
    .string()
    .trim()
    .min(1)
    .max(63)
    .regex(shaped(/^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/, 'host'))
    .default('OpenWrt'),
  zone: z.enum(timeZones as readonly [string, ...string[]]).default('UTC'),
  enabled: z.boolean().default(true),
  fromDhcp: field(z.boolean().default(true), { when: SERVES }),
  servers: field(z.array(ruled('host', 253)).max(8).default([]), { when: SERVES }),
  serve: field(z.boolean().default(false), { when: SERVES }),
})

/** Some pages of routers write the name with blanks. Without a name, a zone that has the same rules. */
function zoneOf(doc: UciDoc): string {
  const section = sectionOf(doc, system)
  const name = textOf(saidBy(section, 'zonename')).replaceAll(' ', '_')
  if (posixOf(name) !== undefined) return name
  return zoneOfPosix(textOf(saidBy(section, 'timezone'))) ?? 'UTC'
}

/** The name alone works only on devices with zoneinfo files: the rules go with it. */
function withRules(after: UciDoc, zone: string | undefined, before: UciDoc): UciDoc {
  const posix = zone === undefined ? undefined : posixOf(zone)
  return posix === undefined || zone === zoneOf(before)
    ? after
    : withSection(after, system, (section) => withOption(section, 'timezone', posix))
}

const bounds = (doc: UciDoc) => ({
  hostname: text(system, 'hostname', 'OpenWrt'),
  zone: { ...text(system, 'zonename'), get: () => zoneOf(doc) } satisfies Bound,
  enabled: flag(ntpd, 'enabled', true),
  fromDhcp: flag(ntpd, 'use_dhcp', true),
  servers: list(ntpd, 'server'),
  serve: flag(ntpd, 'enable_server'),
})

/** A clock that nothing sets makes certificates and logs wrong. */
const faultsOf = ({ enabled, servers, fromDhcp }: z.output<typeof body>): PageFault[] =>
  enabled && servers.length === 0 && !fromDhcp ? [{ path: 'servers', text: 'ntp:fault.noServers' }] : []

export const ntp = configPage({
  name: 'ntp',
  group: 'system',
  place: 510,
  icon: 'clock',
  packages: ['system'],
  carriedBy: 'stock',
  needs: [],
  trial: 'none',
  body,
  bounds,
  finish: (after, { zone }, _, before) => withRules(after, zone, before),
  check: faultsOf,
})
