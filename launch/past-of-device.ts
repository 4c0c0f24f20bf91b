/** Thirty days of history of one simulated device, by the rules of the simulator: its samples and its connections. */
import type { Identity } from '#device-sim/fleet'
import { Life } from '#device-sim/life'
import { Dice } from '#device-sim/random'
import { usualSituation } from '#device-sim/status/situation'
import type { OfflineReason } from '#schema/device/presence'

export const PAST_DAYS = 30
const SAMPLE_MS = 600_000
const HOUR_MS = 3_600_000

/** Network outages as in the simulator, and power cuts, which are more frequent at some sites. */
const losses = {
  network: { everyH: 30, fromMs: 20_000, toMs: 150_000, reason: 'socketClosed' },
  power: { everyH: 240, fromMs: 900_000, toMs: 5 * HOUR_MS, reason: 'keepalive' },
} as const
const BAD_PLACE = { share: 0.15, times: 5 } as const

export type PastSample = ReturnType<Life['sample']>
export type PastConnection = { onlineAt: number; offlineAt: number; reason: OfflineReason }
/** An upgrade: when it was offered, when the device restarted for it, and when it was back. */
export type PastInstall = { offeredAt: number; restartAt: number; backAt: number }
export type Past = { samples: PastSample[]; connections: PastConnection[]; installs: PastInstall[] }

/** How long a device downloads, and how long it is away to install. Together less than the time between two samples. */
const FETCH_MS = [90_000, 300_000] as const
const FLASH_MS = [45_000, 120_000] as const

/**
 * @param to ms; the last connection ends there, when the real broker takes over
 * @param upgrades ms, ascending: from when on each upgrade is offered; a device that is away takes it when it is back
 */
export function pastOf(identity: Identity, seed: number, to: number, upgrades: readonly number[] = []): Past {
  const from = to - PAST_DAYS * 24 * HOUR_MS + HOUR_MS
  const dice = new Dice(seed, identity.sn, 'past')
  const life = new Life(identity, seed, from)
  const situation = usualSituation(identity, seed)
  const oftener = dice.roll() < BAD_PLACE.share ? BAD_PLACE.times : 1
  const past: Past = { samples: [], connections: [], installs: [] }
  let onlineAt = from
  for (let at = from + dice.between(0, SAMPLE_MS); at < to; at += SAMPLE_MS) {
    const moment = Math.round(at)
    if (moment < onlineAt) continue
    past.samples.push(life.sample(moment, situation(moment)))
    if (moment >= (upgrades[past.installs.length] ?? to)) {
      const restartAt = moment + Math.round(dice.between(...FETCH_MS))
      past.connections.push({ onlineAt, offlineAt: restartAt, reason: 'disconnected' })
      onlineAt = restartAt + Math.round(dice.between(...FLASH_MS))
      past.installs.push({ offeredAt: moment, restartAt, backAt: onlineAt })
      life.boot(onlineAt)
      continue
    }
    const power = dice.roll() < (SAMPLE_MS / HOUR_MS / losses.power.everyH) * oftener
    if (!power && dice.roll() >= SAMPLE_MS / HOUR_MS / losses.network.everyH) continue
    const { fromMs, toMs, reason } = power ? losses.power : losses.network
    const offlineAt = Math.min(to, moment + Math.round(dice.between(1000, SAMPLE_MS - 1000)))
    past.connections.push({ onlineAt, offlineAt, reason })
    onlineAt = offlineAt + Math.round(dice.between(fromMs, toMs))
    if (power) life.boot(onlineAt)
  }
  // It did not go offline: the platform was not running.
  if (onlineAt < to) past.connections.push({ onlineAt, offlineAt: to, reason: 'brokerStopped' })
  return past
}
