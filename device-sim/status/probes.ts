/** Network monitoring of a simulated device: two targets, measured with every second status message. */
import type { z } from 'zod'
import type { probe } from '#schema/device/probe'
import type { Part } from '../world.ts'

const targets = ['223.5.5.5', 'iot.example.com'] as const
const SENT = 5
/** One measurement in this many loses packets; one in ten of those loses all. */
const LOSSY = 40

const round = (value: number) => Math.round(value * 10) / 10

export function measure(
  { dice, identity }: Pick<Part, 'dice' | 'identity'>,
  atMs: number,
): z.input<typeof probe.payload>[] {
  return targets.map((target, i) => {
    const lossy = dice.roll() * LOSSY < 1
    const received = lossy ? (dice.roll() < 0.1 ? 0 : SENT - 1 - Math.floor(dice.roll() * 3)) : SENT
    const base = (identity.model.radio ? 34 : 9) + i * 12
    const low = base * dice.between(0.85, 1.1)
    const high = low * dice.between(1.1, lossy ? 6 : 1.8)
    return {
      at: atMs,
      target,
      link: identity.model.radio ? 'wwan0' : 'eth0',
      sent: SENT,
      received,
      ...(received > 0 && { minMs: round(low), avgMs: round((low * 2 + high) / 3), maxMs: round(high) }),
    }
  })
}
