/** The state of a device from one minute to the next: drifting signal, counters with a daily rhythm, temperature. */
import type { z } from 'zod'
import { gather, mismatch } from '#infra/gather'
import { saidFigures } from '#schema/device/figure'
import type { status } from '#schema/device/status'
import { drift, isShown, type Moment, type Shown } from './figure.ts'
import { type Identity, placeIn } from './fleet.ts'
import { Dice } from './random.ts'
import { dailyRhythm } from './rhythm.ts'
import type { Situation } from './status/situation.ts'

type StatusPayload = z.input<typeof status.payload>

/** @throws if a reported figure does not have exactly one module in figures/, naming it. */
export function checkFigures(shown: readonly Shown[], declared = Object.keys(saidFigures)): readonly Shown[] {
  const wrong = mismatch(
    declared,
    shown.map(({ figure }) => figure.name),
  )
  if (wrong.length > 0)
    throw new Error(`the simulator does not match the declared figures: ${wrong.join('; ')}`)
  return shown
}
const shown = checkFigures(await gather(new URL('./figures/', import.meta.url), isShown))

export class Life {
  readonly #identity: Identity
  readonly #dice: Dice
  readonly #home: { longitude: number; latitude: number }
  readonly #goodSignal: number
  readonly #figures = new Map<string, number>()
  #load = 0.2
  #memoryShare = 0.42
  #rxBytes = 0
  #txBytes = 0
  #sampledAt: number
  #bootedAt: number

  constructor(identity: Identity, seed: number, now: number) {
    this.#identity = identity
    this.#dice = new Dice(seed, identity.sn, 'life')
    this.#home = placeIn(identity.city, identity.sn, seed)
    this.#goodSignal = this.#dice.between(-95, -58)
    this.#bootedAt = now
    this.#sampledAt = now
  }

  get position() {
    return this.#home
  }

  /** Counters and uptime restart from zero, as they do in RAM. */
  boot(now: number): void {
    this.#bootedAt = now
    this.#sampledAt = now
    this.#rxBytes = 0
    this.#txBytes = 0
    this.#load = 1.4
    this.#memoryShare = 0.36
  }

  /** Returns a status payload for `now`; advances all values by the time since the last one. */
  sample(now: number, { ip, lanIp, clients }: Situation): StatusPayload {
    const { model } = this.#identity
    const dice = this.#dice
    const busy = dailyRhythm(now, this.#home.longitude)
    const seconds = Math.max(0, now - this.#sampledAt) / 1000
    this.#sampledAt = now
    const received = Math.round(model.busyBytesPerS * busy * dice.between(0.3, 1.7) * seconds)
    this.#rxBytes += received
    this.#txBytes += Math.round(received * dice.between(0.05, 0.25))
    this.#load = Math.max(0.01, drift(this.#load, 0.1 + busy * 0.6, 0.3, dice.between(-0.12, 0.12)))
    this.#memoryShare = Math.min(0.95, drift(this.#memoryShare, 0.45, 0.02, dice.between(-0.01, 0.012)))
    const counters = { rxBytes: this.#rxBytes, txBytes: this.#txBytes }
    return {
      at: now,
      uptimeS: Math.max(0, Math.floor((now - this.#bootedAt) / 1000)),
      ...counters,
      networkMode: model.radio ?? 'WIRED',
      ...this.#show({
        model,
        busy,
        dice,
        load: this.#load,
        memoryShare: this.#memoryShare,
        goodSignal: this.#goodSignal,
      }),
      memoryTotalBytes: model.memoryBytes,
      memoryUsedBytes: Math.round(model.memoryBytes * this.#memoryShare),
      clients,
      ...(ip && { ip }),
      interfaces: [
        { name: model.radio ? 'wwan0' : 'eth0', up: ip !== undefined, ...(ip && { ip }), ...counters },
        { name: 'br-lan', up: true, ip: lanIp, mac: this.#identity.mac },
      ],
      ...(model.radio && {
        gps: {
          longitude: round(this.#home.longitude + dice.between(-4e-5, 4e-5), 6),
          latitude: round(this.#home.latitude + dice.between(-4e-5, 4e-5), 6),
        },
      }),
    }
  }

  #show(moment: Moment): Readonly<Record<string, number>> {
    const said: Record<string, number> = {}
    for (const { figure, next } of shown) {
      const value = next(moment, this.#figures.get(figure.name))
      if (value === null) continue
      this.#figures.set(figure.name, value)
      said[figure.name] = round(value, figure.digits)
    }
    return said
  }
}

const round = (value: number, places: number) => Math.round(value * 10 ** places) / 10 ** places
