/** Commands: for a known id the stored reply is repeated, an unknown one is stored on disk before it is run. */
import type { z } from 'zod'
import { type command, reply } from '#schema/command/command'
import { fault } from './base.ts'
import { Ended } from './command.ts'
import type { CommandRow } from './store.ts'
import type { Part } from './world.ts'

type Order = z.output<typeof command.payload>

/** Time limit for sending `accepted` before the device goes down. */
const LAST_WORD_MS = 5_000

export class Orders {
  readonly #part: Part

  constructor(part: Part) {
    this.#part = part
  }

  /** Resolves when the command is stored; it is run after that. */
  async commanded(order: Order): Promise<void> {
    const { sn, world, events } = this.#part
    const known = world.store.command(sn, order.id)
    if (known) return this.#answer(known)
    const row: CommandRow = {
      sn,
      id: order.id,
      name: order.name,
      state: 'accepted',
      answer: null,
      at: Date.now(),
    }
    const why = this.#refusal(order)
    if (why !== null) return this.#end({ ...row, state: 'failed', answer: JSON.stringify(why) })
    await world.store.saveCommand(row)
    events.emit('command', { id: order.id, name: order.name })
    this.#obey(row, order.args).catch(fault(this.#part))
  }

  inquired(id: string): void {
    const known = this.#part.world.store.command(this.#part.sn, id)
    if (known) this.#answer(known)
    else this.#part.report(reply, { id, at: this.#part.now(), state: 'unknown' })
  }

  /** Commands that were accepted before the power went: a boot completes some and interrupts the others. */
  async booted(): Promise<void> {
    const { world, sn } = this.#part
    for (const row of world.store.acceptedCommands(sn)) {
      const result = this.#part.trial.endOf(row.id)
      if (result) {
        const failed = this.#fail(row, new Ended(`${result.outcome}: ${result.detail}`, result))
        await Promise.all([failed, this.#part.trial.answered(row.id)])
        continue
      }
      const returns = world.orders.get(row.name)?.command.verify === 'return'
      await this.#end(
        returns
          ? { ...row, state: 'done', answer: '{}' }
          : { ...row, state: 'failed', answer: JSON.stringify('interrupted by a restart') },
      )
    }
  }

  #refusal(order: Order): string | null {
    const ordered = this.#part.world.orders.get(order.name)
    if (!ordered) return `this device does not know ${order.name}`
    if (order.deadlineAt < this.#part.now()) return 'came after its deadline'
    const args = ordered.command.args.safeParse(order.args)
    if (!args.success) return `bad arguments: ${args.error.issues[0]?.message}`
    return ordered.refuses?.(this.#part) ?? null
  }

  async #obey(row: CommandRow, given: unknown): Promise<void> {
    const { world, power } = this.#part
    const ordered = world.orders.get(row.name)
    if (!ordered) return
    const args = ordered.command.args.parse(given) as never
    const accepted = async () => {
      await Promise.race([this.#report(row), world.wheel.sleep(LAST_WORD_MS, power)])
    }
    const asked = { id: row.id, accepted }
    const returns = ordered.command.verify === 'return'
    try {
      if (returns) await asked.accepted()
      const result = await ordered.run(this.#part, args, asked)
      // Completed by `booted` after the restart.
      if (!returns) await this.#end({ ...row, state: 'done', answer: JSON.stringify(result) })
    } catch (error) {
      if (!power.aborted) await this.#fail(row, error as Error)
    }
  }

  #fail(row: CommandRow, error: Error): Promise<void> {
    const answer = error instanceof Ended ? { error: error.message, result: error.result } : error.message
    return this.#end({ ...row, state: 'failed', answer: JSON.stringify(answer) })
  }

  async #end(row: CommandRow): Promise<void> {
    await this.#part.world.store.saveCommand(row)
    this.#answer(row)
  }

  #answer(row: CommandRow): void {
    this.#report(row).catch(fault(this.#part))
  }

  #report({ id, state, answer }: CommandRow): Promise<void> {
    const said = answer === null ? undefined : JSON.parse(answer)
    return this.#part.report(reply, {
      id,
      at: this.#part.now(),
      state,
      ...(state === 'done' && { result: said }),
      ...(state === 'failed' && {
        error: String(said?.error ?? said).slice(0, 500),
        ...(said?.result && { result: said.result }),
      }),
    })
  }
}
