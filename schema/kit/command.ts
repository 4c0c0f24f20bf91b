/** A request to one device: button, form, route, queue, timeout, audit row, docs and simulator check derive from it. */
import type { z } from 'zod'

export type Command<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  readonly kind: 'command'
  readonly name: string
  /** Function id that the actor must hold. */
  readonly functionId: number
  readonly summary: string
  readonly args: A
  readonly reply: R
  /** Seconds from sending until silence becomes `timedOut`. 1–3600. */
  readonly deadlineS: number
  /**
   * True: after a crash in the sending window it is simply sent again (the device answers a known id from
   * memory). False: the device is first asked what it knows about the id.
   */
  readonly repeatSafe: boolean
  /** `reply`: a `done` reply ends it. `return`: it ends when the device is back with another boot id. */
  readonly verify: 'reply' | 'return'
  /** The console asks before sending: not at all, with a plain question, or by typing the serial number. */
  readonly confirm: 'none' | 'ask' | 'typed'
  /**
   * The platform alone sends it, as a part of something larger (a backup needs a row first); `sendCommand` refuses
   * it. Its arguments may be completed when it is sent: workers/command-args.ts.
   */
  readonly platformOnly: boolean
  readonly exampleArgs: z.input<A>
  readonly exampleReply: z.input<R>
}

/** Declares one device command. `platformOnly` defaults to false. */
export function command<A extends z.ZodType, R extends z.ZodType>(
  d: Omit<Command<A, R>, 'kind' | 'platformOnly'> & { platformOnly?: boolean },
): Command<A, R> {
  return { kind: 'command', platformOnly: false, ...d }
}

export const isCommand = (value: unknown): value is Command =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'command'
