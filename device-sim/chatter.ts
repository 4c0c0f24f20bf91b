/** Log lines that a device writes by itself. */
import type { logPriorities } from '#schema/device/log'
import type { Dice } from './random.ts'

type Line = { priority: (typeof logPriorities)[number]; tag: string; text: string }

/** One line in this many status messages. */
const RARITY = 25

const lines: readonly (readonly [Line['priority'], string, (dice: Dice) => string])[] = [
  ['info', 'dnsmasq', (dice) => `DHCPACK(br-lan) 192.168.1.${Math.floor(dice.between(100, 250))}`],
  ['info', 'ntpd', (dice) => `adjusted the clock by ${Math.round(dice.between(-80, 80))} ms`],
  ['notice', 'netifd', () => 'wan: lease renewed'],
  ['warning', 'modem', (dice) => `handover to cell ${Math.floor(dice.between(0x1000, 0xffff)).toString(16)}`],
  ['warning', 'watchdog', (dice) => `ping took ${Math.round(dice.between(300, 1800))} ms`],
  ['error', 'serial', () => 'ttyS1: framing error'],
]

/** Usually null: a line in one of `rarity` cases. */
export function chatter(dice: Dice, rarity = RARITY): Line | null {
  if (dice.roll() * rarity >= 1) return null
  const [priority, tag, text] = lines[Math.floor(dice.roll() * lines.length)] ?? lines[0] ?? []
  return priority && tag && text ? { priority, tag, text: text(dice) } : null
}
