/** Scheduled reboots on the device: waits for the platform's command while connected, runs them itself otherwise. */
import { scheduleRun } from '#schema/device/schedule'
import { type Base, fault } from './base.ts'
import type { Clock } from './clock.ts'
import { restart } from './restart.ts'
import type { Timer } from './wheel.ts'

/** Regardless of the simulation's speed, because the platform checks every 5 s. */
const WAIT_AT_LEAST_MS = 8_000

type Owner = Base & { readonly clock: Clock }

export class Planned {
  readonly #part: Owner
  #timer: Timer | undefined

  constructor(part: Owner) {
    this.#part = part
  }

  /** Times that passed while it had no power are not made up for. */
  boot(): void {
    this.#arm()
  }

  /** A moment that seemed to have passed may be still to come, or sooner than it seemed. */
  clockSet(): void {
    this.#arm()
  }

  /** Reports what it ran without a command, until that is acknowledged. */
  connected(): void {
    const { settings } = this.#part
    for (const { dueAt, at } of settings.get('schedule').unreported)
      this.#part
        .report(scheduleRun, { dueAt, at, result: 'done' }, `run ${dueAt}`)
        .then(() => {
          const kept = settings.get('schedule')
          return settings.put('schedule', {
            ...kept,
            unreported: kept.unreported.filter((run) => run.dueAt !== dueAt),
          })
        })
        .catch(fault(this.#part))
  }

  async set(schedule: { revision: number; dueAts: number[]; waitS: number }): Promise<void> {
    const { settings } = this.#part
    await settings.put('schedule', { ...settings.get('schedule'), ...schedule })
    this.#arm()
  }

  /** Durably marks the time as run; false if it, or a later one, was run already. */
  async claim(dueAt: number): Promise<boolean> {
    const { settings } = this.#part
    const kept = settings.get('schedule')
    if (dueAt <= kept.lastRunAt) return false
    await settings.put('schedule', { ...kept, lastRunAt: dueAt })
    return true
  }

  #arm(): void {
    this.#timer?.cancel()
    const now = this.#part.now()
    const next = this.#part.settings.get('schedule').dueAts.find((at) => at > now)
    if (next === undefined) return
    this.#timer = this.#part.world.wheel.after(next - now, () => {
      this.#due(next).catch(fault(this.#part))
      this.#arm()
    })
  }

  async #due(dueAt: number): Promise<void> {
    const { settings, world, power, clock } = this.#part
    if (this.#part.online) {
      const waitMs = (settings.get('schedule').waitS * 1000) / world.speed
      await world.wheel.sleep(Math.max(WAIT_AT_LEAST_MS, waitMs), power)
    }
    const kept = settings.get('schedule')
    // Without a clock it does nothing by itself.
    if (power.aborted || !clock.isSet || dueAt <= kept.lastRunAt) return
    await settings.put('schedule', {
      ...kept,
      lastRunAt: dueAt,
      unreported: [...kept.unreported, { dueAt, at: this.#part.now() }].slice(-16),
    })
    await restart(this.#part)
  }
}
