/**
 * Several brokers keep equal shares of the fleet: one that has many more devices than the others, because another was
 * restarted or added, disconnects some, and the load balancer sends them to other brokers [decisions/147].
 */
import type { Log } from '#infra/log'
import type { Fleet } from '../fleet.ts'
import type { Line } from './line.ts'

/** How often each broker publishes its number of devices. */
export const LOOK_MS = 2_000
/**
 * Because the timers of two brokers drift, one report may seem to be missing. If more are missing, nothing is decided;
 * then the broker counts as gone or cut off.
 */
const FRESH_MS = 2.25 * LOOK_MS
const SILENT_MS = 3 * LOOK_MS
/**
 * No device is disconnected while many come and go: the total of all brokers must have been stable for this many
 * rounds.
 */
const CALM_LOOKS = 3
const CALM_SHARE = 0.01
/** A surplus up to this is left alone. */
export const TOLERATED = { devices: 8, share: 0.1 }
/** First a few: those that come back here would come back always, for instance where no balancer is. */
const FIRST = { devices: 5, share: 0.05 }
const MOST_PER_LOOK = 200
const STAYED_AWAY = 0.25
/**
 * How long devices have to reconnect before the next attempt; six times as long after each attempt from which they came
 * back here.
 */
const REST_MS = { first: 5_000, factor: 6, longest: 3_600_000 }

/** What this broker knows about the others, and its decisions. Pure: the caller passes the time. */
export class Shares {
  readonly #others = new Map<string, { devices: number; at: number }>()
  #totals: number[] = []
  /** Number of devices still to be disconnected. */
  #owed = 0
  #tried: { from: number; count: number } | null = null
  #theyGoElsewhere = false
  #restUntil = 0
  #restMs = REST_MS.first

  /** null: it is leaving. */
  heard(broker: string, devices: number | null, now: number): void {
    if (!this.#others.has(broker) || devices === null) this.#beginAnew()
    if (devices === null) this.#others.delete(broker)
    else this.#others.set(broker, { devices, at: now })
  }

  /** Called every LOOK_MS: returns how many of our devices to disconnect now. */
  look(own: number, now: number): number {
    for (const [broker, { at }] of this.#others)
      if (now - at > SILENT_MS) {
        this.#others.delete(broker)
        this.#beginAnew()
      }
    if (this.#others.size === 0) return 0
    const total = [...this.#others.values()].reduce((sum, { devices }) => sum + devices, own)
    this.#totals = [...this.#totals.slice(1 - CALM_LOOKS), total]
    if (this.#owed === 0) this.#owed = this.#surplus(own, total, now)
    const count = Math.min(this.#owed, MOST_PER_LOOK)
    this.#owed -= count
    if (count > 0) this.#restUntil = now + this.#restMs
    return count
  }

  #surplus(own: number, total: number, now: number): number {
    if (now < this.#restUntil || !this.#calm(total, now)) return 0
    if (this.#tried && !this.#judge(this.#tried, own, now)) return 0
    const fair = total / (this.#others.size + 1)
    const surplus = Math.floor(own - fair)
    if (surplus <= Math.max(TOLERATED.devices, fair * TOLERATED.share)) return 0
    const few = Math.max(FIRST.devices, Math.ceil(surplus * FIRST.share))
    const count = this.#theyGoElsewhere ? surplus : Math.min(surplus, few, MOST_PER_LOOK)
    this.#tried = { from: own, count }
    return count
  }

  /** Whether enough of the disconnected devices stayed away: with a round-robin load balancer half of them do. */
  #judge({ from, count }: { from: number; count: number }, own: number, now: number): boolean {
    this.#tried = null
    this.#theyGoElsewhere = from - own >= count * STAYED_AWAY
    this.#restMs = this.#theyGoElsewhere
      ? REST_MS.first
      : Math.min(this.#restMs * REST_MS.factor, REST_MS.longest)
    if (!this.#theyGoElsewhere) this.#restUntil = now + this.#restMs
    return this.#theyGoElsewhere
  }

  #calm(total: number, now: number): boolean {
    for (const { at } of this.#others.values()) if (now - at > FRESH_MS) return false
    const range = Math.max(...this.#totals) - Math.min(...this.#totals)
    return this.#totals.length === CALM_LOOKS && range <= Math.max(2, total * CALM_SHARE)
  }

  /** The set of brokers has changed: the load balancer is about to move devices by itself. */
  #beginAnew(): void {
    this.#totals = []
    this.#owed = 0
    this.#tried = null
  }
}

/** How brokers exchange their numbers of devices: a hash on Redis, with a counter that grows while they are alive. */
export type ShareLine = {
  /** Publishes our number; returns what others have published since the last call, null for brokers that have left. */
  exchange(devices: number): Promise<ReadonlyMap<string, number | null>>
  leave(): Promise<unknown>
}

const KEY = 'mqtt:devices'
/** No live broker is silent for this long. */
const FORGET_MS = 60_000

export function openShareLine(id: string, line: Line): ShareLine {
  const heard = new Map<string, { said: string; at: number }>()
  let turn = 0
  return {
    exchange: async (devices) => {
      const news = new Map<string, number | null>()
      if (!line.open) return news
      const [, all] = await Promise.all([line.hset(KEY, id, `${devices} ${++turn}`), line.hgetall(KEY)])
      const now = performance.now()
      for (const [broker, said] of Object.entries(all)) {
        if (broker === id) continue
        const last = heard.get(broker)
        if (last?.said === said) {
          if (now - last.at > FORGET_MS) await line.hdel(KEY, broker)
          continue
        }
        heard.set(broker, { said, at: now })
        // When an entry is seen for the first time, its age is unknown.
        if (last) news.set(broker, Number.parseInt(said, 10))
      }
      for (const broker of heard.keys())
        if (!(broker in all)) {
          heard.delete(broker)
          news.set(broker, null)
        }
      return news
    },
    leave: async () => line.open && line.hdel(KEY, id),
  }
}

/** Balances our share until stopped; then it tells the other brokers that we are leaving. */
export function startBalance(fleet: Fleet, line: ShareLine, log: Log): { stop(): void } {
  const shares = new Shares()
  const failed = (error: unknown) => log.warn({ err: error }, 'shares of brokers')
  let stopped = false
  async function look() {
    const mine = fleet.devices().filter(({ peer }) => peer.main)
    const news = await line.exchange(mine.length)
    if (stopped) return
    for (const [broker, devices] of news) shares.heard(broker, devices, performance.now())
    const count = shares.look(mine.length, performance.now())
    if (count === 0) return
    log.info({ devices: mine.length, count }, 'more devices than other brokers have: letting some go')
    // Its publishes are acknowledged first.
    const idle = mine.filter((guard) => guard.turns.length === 0)
    for (const guard of idle.slice(0, count)) guard.cut('brokerStopped')
  }
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    look()
      .catch(failed)
      .finally(() => {
        busy = false
      })
  }, LOOK_MS)
  return {
    stop: () => {
      if (stopped) return
      stopped = true
      clearInterval(timer)
      line.leave().catch(failed)
    },
  }
}
