/** Applies a change on trial, and restores what was before unless the platform confirms it [docs/protocol.md: Configuration]. */
import type { z } from 'zod'
import { configHash } from '#infra/config-hash'
import type { applyConfig } from '#schema/config/commands/config'
import { type Base, fault } from '../base.ts'
import type { FileRow } from '../store.ts'
import type { Timer } from '../wheel.ts'
import { type ConfigFault, isFault, pagesOf, refusedByPages, stage } from './check.ts'
import { packagePath } from './document.ts'
import type { Journal } from './journal.ts'
import type { LocalEdits } from './local.ts'

type Change = z.output<typeof applyConfig.args>
export type Result = z.input<typeof applyConfig.reply>
/** The command that a trial answers: `accepted` resolves when the platform has it, or the time for that is over. */
export type Asked = { readonly id: string; accepted(): Promise<void> }

/** Seconds that the services take to follow, at speed 1. */
const TAKES_S = [1, 4] as const

type Running = { revision: number; confirmS: number; endsAt: number; guard: Timer; end(result: Result): void }
type Owner = Base & { readonly local: LocalEdits }

export class Trial {
  readonly #part: Owner
  #running: Running | null = null

  constructor(part: Owner) {
    this.#part = part
  }

  get #journal(): Journal | null {
    return this.#part.settings.get('journal')
  }

  /** For hello: seconds of the device. */
  get pending(): { revision: number; remainingS: number } | undefined {
    if (!this.#running) return undefined
    const { revision, endsAt, confirmS } = this.#running
    const leftS = ((endsAt - performance.now()) / 1000) * this.#part.world.speed
    return { revision, remainingS: Math.min(confirmS, Math.max(0, Math.ceil(leftS))) }
  }

  /** Why no other change or permanent restart is allowed now; null: nothing is on trial. */
  get busy(): string | null {
    return this.#journal ? 'busy: a change of the configuration is on trial' : null
  }

  /** Runs first at each boot: a power cycle probably means that a user was cut off. */
  async booted(): Promise<void> {
    this.#running = null
    const journal = this.#journal
    if (!journal || journal.reverted !== undefined) return
    const detail = await this.#restore(journal, 'restarted before it was confirmed')
    await this.#part.settings.put('journal', { ...journal, reverted: detail })
  }

  /** The result of a command that a boot has ended; undefined: it was no trial. */
  endOf(commandId: string): Result | undefined {
    const journal = this.#journal
    return journal?.commandId === commandId && journal.reverted !== undefined
      ? this.#reverted(journal.reverted)
      : undefined
  }

  /** The result is stored with its command, in the same turn. */
  async answered(commandId: string): Promise<void> {
    if (this.#journal?.commandId === commandId) await this.#part.settings.put('journal', null)
  }

  /** Resolves when the change is confirmed, reverted or refused. */
  async apply(change: Change, asked: Asked): Promise<Result> {
    const { config, settings, world, dice, power } = this.#part
    const refused = this.#refusal(change)
    if (refused) return refused
    const rows: FileRow[] = [
      ...change.packages.map(({ name, text }) => ({ path: packagePath(name), text })),
      ...change.files,
    ]
    const before = [
      ...change.packages.map(({ name }) => ({
        path: packagePath(name),
        text: config.textAt(packagePath(name)),
      })),
      ...change.files.map(({ path }) => ({ path, text: config.textAt(path) })),
    ]
    const applied = Object.fromEntries(change.packages.map(({ name, hash }) => [name, hash]))
    await settings.put('journal', { commandId: asked.id, revision: change.revision, before, applied })
    await asked.accepted()
    await world.wheel.sleep((dice.between(...TAKES_S) * 1000) / world.speed, power)
    await config.write(rows)
    power.throwIfAborted()
    this.#part.note('notice', 'config', `revision ${change.revision}: ${Object.keys(applied).join(', ')}`)
    if (change.confirmS > 0) return this.#wait(change)
    this.#closeJournal()
    this.#part.reconfigured(Object.keys(applied))
    return { outcome: 'confirmed', configHash: config.hash }
  }

  #wait({ revision, confirmS }: Change): Promise<Result> {
    const { world, power } = this.#part
    const ms = Math.max(world.trialAtLeastMs, (confirmS * 1000) / world.speed)
    return new Promise<Result>((done, fail) => {
      const stop = () => {
        guard.cancel()
        fail(power.reason)
      }
      const guard = world.wheel.after(ms, () => {
        this.#revert(`not confirmed within ${confirmS} s`).catch(fault(this.#part))
      })
      power.addEventListener('abort', stop, { once: true })
      this.#running = {
        revision,
        confirmS,
        guard,
        endsAt: performance.now() + ms,
        end: (result) => {
          power.removeEventListener('abort', stop)
          done(result)
        },
      }
      // Only a connection over the new configuration proves that the device can still be reached.
      this.#part.reconfigured(null)
    })
  }

  /** Ignored for another revision, or without a trial. */
  confirm(revision: number): void {
    const running = this.#running
    if (running?.revision !== revision) return
    this.#close()
    this.#closeJournal()
    running.end({ outcome: 'confirmed', configHash: this.#part.config.hash })
  }

  async revertNow(revision: number): Promise<void> {
    if (this.#running?.revision === revision) await this.#revert('the platform took it back')
  }

  /**
   * Not awaited: the reply, which is stored in the same turn, is in the same commit. A power cut between two would leave
   * a change in force that is reported as failed, or a trial that never ends.
   */
  #closeJournal(): void {
    this.#part.settings.put('journal', null).catch(fault(this.#part))
  }

  #close(): void {
    this.#running?.guard.cancel()
    this.#running = null
  }

  async #revert(why: string): Promise<void> {
    const running = this.#running
    const journal = this.#journal
    if (!running || !journal) return
    this.#close()
    const detail = await this.#restore(journal, why)
    this.#closeJournal()
    this.#part.reconfigured(null)
    running.end(this.#reverted(detail))
  }

  /** Files go back directly, not through the code that applies. Returns what to report. */
  async #restore({ before, applied, revision }: Journal, why: string): Promise<string> {
    const { config } = this.#part
    const changed = Object.entries(applied)
      .filter(([name, hash]) => config.hashOf(name) !== hash)
      .map(([name]) => name)
    // The power failed before it was applied: the files are unchanged.
    const own = before.filter(({ path }) => !changed.some((name) => path === packagePath(name)))
    await config.write(own)
    const left = changed.filter(
      (name) =>
        config.text(name) !== (before.find(({ path }) => path === packagePath(name))?.text ?? undefined),
    )
    this.#part.note('warning', 'config', `revision ${revision} reverted: ${why}`)
    return left.length > 0
      ? `${why}; changed meanwhile and left as it is: ${left.join(', ')}`.slice(0, 300)
      : why
  }

  #reverted(detail: string): Result {
    return { outcome: 'reverted', configHash: this.#part.config.hash, detail }
  }

  /** In the order of the protocol: conflict, busy, rejected. */
  #refusal(change: Change): Result | null {
    const { config, identity, local, settings } = this.#part
    const end = (
      outcome: Result['outcome'],
      more: { detail?: string; fault?: ConfigFault } = {},
    ): Result => ({
      outcome,
      configHash: config.hash,
      ...more,
    })
    const names = change.packages.map(({ name }) => name)
    const other = Object.entries(change.base).find(([name, hash]) => config.hashOf(name) !== hash)
    if (other) return end('conflict', { detail: `${other[0]} is not what the change is based on` })
    const restored = settings.get('trial') ? 'busy: a restored configuration is on trial' : null
    const busy = this.busy ?? restored ?? local.busyWith(names)
    if (busy !== null) return end('busy', { detail: busy })
    const known = new Set([...config.names, ...pagesOf(identity).flatMap(({ packages }) => packages)])
    const strange = names.find((name) => !known.has(name))
    if (strange !== undefined)
      return end('rejected', {
        fault: { package: strange, reason: 'there is no such package on this device' },
      })
    const before = config.doc
    const staged = stage(before, change.packages)
    const wrong = isFault(staged) ? staged : refusedByPages(identity, before, staged)
    if (wrong) return end('rejected', { fault: wrong })
    const hashes = { ...config.hashes }
    for (const { name, hash } of change.packages)
      if (hash === null) delete hashes[name]
      else hashes[name] = hash
    return configHash(hashes) === change.configHash
      ? null
      : end('conflict', { detail: 'another package is not what the platform knows' })
  }
}
