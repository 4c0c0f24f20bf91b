/** A request to one device: button, form, route, queue, timeout, audit row, docs and simulator check derive from it. */
import type { z } from 'zod'
import { ofKind } from './kind.ts'

/** The pace of a command that goes to many devices at once: no rush on the platform, no site dark as a whole. */
export type Bulk = {
  /** So many devices of one batch are away at the same time. */
  readonly atOnce: number
  readonly perSecond: number
  /** The part of a group's devices in the batch that may be away at the same time, 0–1; one always may. */
  readonly shareOfGroup: number
}

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
  /** Absent: it goes to one device at a time, named by a person. */
  readonly bulk?: Bulk | undefined
  readonly exampleArgs: z.input<A>
  readonly exampleReply: z.input<R>
}

/** What must be typed before it is done to one device is never done to many. */
type Confirmed =
  | { readonly confirm: 'typed'; readonly bulk?: never }
  | { readonly confirm: 'none' | 'ask'; readonly bulk?: Bulk }

/** Declares one device command. `platformOnly` defaults to false. */
export function command<A extends z.ZodType, R extends z.ZodType>(
  d: Omit<Command<A, R>, 'kind' | 'platformOnly' | 'confirm' | 'bulk'> & {
    platformOnly?: boolean
  } & Confirmed,
): Command<A, R> {
  return { kind: 'command', platformOnly: false, ...d }
}

export const isCommand = ofKind<Command>('command')
