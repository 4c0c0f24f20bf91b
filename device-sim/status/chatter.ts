/** Log lines that a device writes by itself. */
import type { logPriorities } from '#schema/device/log'
import type { Base } from '../base.ts'
import { lanOf, ntpServer } from '../config/lan.ts'

type Writer = Pick<Base, 'dice' | 'config' | 'uplink'>
type Line = { priority: (typeof logPriorities)[number]; tag: string; text: string }

/** One line in this many status messages. */
const RARITY = 25

const lines: readonly (readonly [Line['priority'], string, (part: Writer) => string])[] = [
  [
    'info',
    'dnsmasq',
    ({ dice, config }) => `DHCPACK(br-lan) ${lanOf(config.doc).nth(Math.floor(dice.between(0, 8))) ?? ''}`,
  ],
  [
    'info',
    'ntpd',
    ({ dice, config }) =>
      `${ntpServer(config.doc)}: adjusted the clock by ${Math.round(dice.between(-80, 80))} ms`,
  ],
  ['notice', 'netifd', ({ uplink }) => `${uplink.interface}: lease renewed`],
  [
    'warning',
    'modem',
    ({ dice }) => `handover to cell ${Math.floor(dice.between(0x1000, 0xffff)).toString(16)}`,
  ],
  ['warning', 'watchdog', ({ dice }) => `ping took ${Math.round(dice.between(300, 1800))} ms`],
  ['error', 'serial', () => 'ttyS1: framing error'],
]

/** Usually null: a line in one of `rarity` cases. */
export function chatter(part: Writer, rarity = RARITY): Line | null {
  const { dice } = part
  if (dice.roll() * rarity >= 1) return null
  const [priority, tag, text] = lines[Math.floor(dice.roll() * lines.length)] ?? lines[0] ?? []
  return priority && tag && text ? { priority, tag, text: text(part) } : null
}
