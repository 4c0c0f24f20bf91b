/**
 * The captive portal of a device with Wi-Fi: keeps the advertisements and the hashes of their pictures in flash, shows
 * them by its own clock to users who connect, and counts views.
 */
import type { z } from 'zod'
import { isShownAt, isShownOn, wallOf } from '#schema/portal/portal-schedule'
import { DEVICE_DAYS, portalShown } from '#schema/portal/portal-shown'
import type { setPortal } from '#schema/portal/set-portal'
import { type Base, fault } from './base.ts'
import { download } from './download.ts'
import { hasPortal } from './features.ts'
import type { KeptPortal } from './settings.ts'

type Document = z.output<typeof setPortal.args>

const CONNECT_MS = 15_000
const STALL_MS = 30_000
/** Regardless of the speed: a busy machine must not look like a broken network. */
const AT_LEAST_MS = 2_000
const TELL_EVERY_MS = 300_000
/** Maximum users who connect between two status messages, and the percentage who tap the picture. */
const VISITORS = 3
const TOUCHES_PERCENT = 6

export class Portal {
  readonly #part: Base
  /** The next visitor gets the next one. */
  #turn = 0
  #reportedAt = 0
  #reported = ''

  constructor(part: Base) {
    this.#part = part
  }

  get kept(): KeptPortal {
    return this.#part.settings.get('portal')
  }

  /**
   * Resolves when all pictures are verified and stored. @throws if one does not match its announced hash: the old
   * document stays.
   */
  async set(document: Document): Promise<void> {
    if (!hasPortal(this.#part.identity)) throw new Error('this device has no captive portal')
    const stored = new Set(this.kept.advertisements.map(({ sha256 }) => sha256))
    for (const one of document.advertisements) {
      if (stored.has(one.sha256)) continue
      await this.#fetch(one, document)
      stored.add(one.sha256)
    }
    const advertisements = document.advertisements.map(({ id, sha256, sizeBytes, schedule }) => ({
      id,
      sha256,
      sizeBytes,
      schedule,
    }))
    const { revision } = document
    await this.#part.settings.put('portal', { ...this.kept, revision, advertisements })
    this.#part.note('notice', 'portal', `${advertisements.length} advertisements`)
    this.tell()
  }

  connected(): void {
    if (hasPortal(this.#part.identity)) this.tell()
  }

  /** Simulates the users who have connected between two status messages. */
  sampled(): void {
    if (this.kept.advertisements.length === 0) return
    const { dice, world } = this.#part
    this.visited(Math.floor(dice.between(0, VISITORS + 1))).catch(fault(this.#part))
    const isDue = performance.now() >= this.#reportedAt + TELL_EVERY_MS / world.speed
    const { day, today } = this.#now()
    // The day has changed, or it is time again.
    if (this.#reported !== JSON.stringify([this.kept.revision, day, today]) || isDue) this.tell()
  }

  /** Simulates this number of connecting users; each sees the next advertisement. */
  async visited(people: number): Promise<void> {
    const { dice, settings } = this.#part
    const { day, shown } = this.#now()
    if (shown.length === 0 || people === 0) return
    const counts = new Map(this.kept.counts.map((count) => [`${count.id} ${count.day}`, count]))
    for (let i = 0; i < people; i++) {
      const id = shown[this.#turn++ % shown.length]?.id ?? 0
      const before = counts.get(`${id} ${day}`) ?? { id, day, shown: 0, clicked: 0 }
      const touch = dice.roll() * 100 < TOUCHES_PERCENT ? 1 : 0
      counts.set(`${id} ${day}`, { ...before, shown: before.shown + 1, clicked: before.clicked + touch })
    }
    const days = [...new Set([...counts.values()].map((count) => count.day))].toSorted().slice(-DEVICE_DAYS)
    const kept = [...counts.values()].filter((count) => days.includes(count.day))
    await settings.put('portal', { ...this.kept, counts: kept })
  }

  #now() {
    const wall = wallOf(this.#part.now(), this.#part.identity.city.timeZone)
    const all = this.kept.advertisements
    return {
      day: wall.day,
      today: all.filter(({ schedule }) => isShownOn(schedule, wall.day)).map(({ id }) => id),
      shown: all.filter(({ schedule }) => isShownAt(schedule, wall)),
    }
  }

  /** Reports what it shows, and its counts. */
  tell(): void {
    const { day, today } = this.#now()
    const { revision, counts } = this.kept
    this.#reportedAt = performance.now()
    this.#reported = JSON.stringify([revision, day, today])
    const said = { at: this.#part.now(), revision, today, counts: [...counts] }
    this.#part.report(portalShown, said, portalShown.name).catch(fault(this.#part))
  }

  async #fetch(
    { id, imageUrl, sha256, sizeBytes }: Document['advertisements'][number],
    { username, password, expiresAt }: Document,
  ): Promise<void> {
    const { world, power, dice } = this.#part
    const got = await download({
      url: imageUrl,
      username,
      password,
      sizeBytes,
      wheel: world.wheel,
      signal: power,
      connectMs: Math.max(AT_LEAST_MS, CONNECT_MS / world.speed),
      stallMs: Math.max(AT_LEAST_MS, STALL_MS / world.speed),
      retryPauseMs: world.retryPauseMs,
      until: expiresAt,
      now: () => this.#part.now(),
      chance: () => dice.roll(),
      paceMs: 0,
      keptBytes: 0,
      network: () => this.#part.network(),
      lost: () => this.#part.lost(),
      onConnected: () => undefined,
      onBytes: () => undefined,
      onHeldUp: () => undefined,
    })
    if (got.sha256 !== sha256)
      throw new Error(
        `the picture of advertisement ${id} has SHA-256 ${got.sha256.slice(0, 12)}…, announced ${sha256.slice(0, 12)}…`,
      )
  }
}
