/**
 * A request to one device: button, form, route, queue, timeout, log entry, docs and simulator check are derived from
 * it.
 */
import type { z } from 'zod'
import type { Condition } from './condition.ts'
import { ofKind } from './kind.ts'
import type { Permission } from './permission.ts'

/**
 * The rate of a command to many devices, so that the platform is not overloaded and no site goes offline as a whole.
 */
export type Bulk = {
  /** Maximum devices of one batch that are offline at the same time. */
  readonly atOnce: number
  readonly perSecond: number
  /** The share of a group's devices in the batch that may be offline at the same time, 0–1; at least one. */
  readonly shareOfGroup: number
}

/**
 * The effect on the device: nothing permanent, a change of its state, an interruption (it disconnects and returns),
 * or the loss of settings that cannot be restored. The simulator must have the same effect
 * (device-sim/effects.test.ts).
 */
export const effects = ['harmless', 'changes', 'interrupts', 'destroys'] as const
export type Effect = (typeof effects)[number]

/** No confirmation, a plain question, or typing the serial number. */
export const confirmations = ['none', 'ask', 'typed'] as const
export type Confirmation = (typeof confirmations)[number]

/** The minimum confirmation for each effect. */
const leastAsked: Readonly<Record<Effect, Confirmation>> = {
  harmless: 'none',
  changes: 'none',
  interrupts: 'ask',
  destroys: 'typed',
}

/**
 * Where the device page renders its button: beside the title, in the menu beside it, or as a card of a tab. `part`: a
 * part of the console sends it in its own way (a table row, a pane).
 */
export const places = ['header', 'menu', 'network', 'configuration', 'services', 'part'] as const
export type Place = (typeof places)[number]

export type Command<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  readonly kind: 'command'
  readonly name: string
  /** The required permission. */
  readonly permission: Permission
  readonly summary: string
  readonly args: A
  readonly reply: R
  /** Seconds from sending until a missing response becomes `timedOut`. 1–3600. */
  readonly deadlineS: number
  /**
   * True: after a crash while sending, it is simply sent again (the device replies to a known id from memory). False:
   * the device is first asked what it knows about the id.
   */
  readonly repeatSafe: boolean
  /** `reply`: ends with a `done` reply. `return`: ends when the device is back with another boot id. */
  readonly verify: 'reply' | 'return'
  readonly effect: Effect
  /** How the console asks for confirmation; at least what the effect requires. */
  readonly confirm: Confirmation
  /** No confirmation for these arguments: starting a service interrupts nothing. */
  readonly unasked?: Condition | undefined
  /** Absent for commands that only the platform sends. */
  readonly place?: Place | undefined
  /** The button's Tabler icon, e.g. `power`. */
  readonly icon?: string | undefined
  /** Its progress is shown in the banner of the device page; false if the sending part shows the result itself. */
  readonly banner: boolean
  /** The argument whose values have their own names: `command:named.<command>.<value>`. */
  readonly namedBy?: string | undefined
  /** The argument with the delay in seconds before it starts: the deadline counts from then on. */
  readonly delayedBy?: string | undefined
  /**
   * Only the platform sends it, as a step of something larger (a backup needs a row first); `sendCommand` refuses it.
   * Its arguments may be completed when it is sent: workers/command/command-args.ts.
   */
  readonly platformOnly: boolean
  /** Its arguments and its result are read only by users with its permission: they are not about the device. */
  readonly personal?: true
  /**
   * Absent: it is sent to one device at a time. A command that must be typed goes to many only by a task kind of its
   * own that requires a second person (infra/task-kinds.ts).
   */
  readonly bulk?: Bulk | undefined
  readonly exampleArgs: z.input<A>
  readonly exampleReply: z.input<R>
}

/** Sent by the platform itself, or by a user from a declared place. */
type Sent =
  | { readonly platformOnly: true; readonly place?: never }
  | { readonly platformOnly?: false; readonly place: Place }

type Declared<A extends z.ZodType, R extends z.ZodType> = Omit<
  Command<A, R>,
  'kind' | 'platformOnly' | 'place' | 'banner' | 'namedBy' | 'delayedBy'
> & {
  readonly banner?: boolean
  readonly namedBy?: keyof z.output<A> & string
  readonly delayedBy?: keyof z.output<A> & string
} & Sent

/**
 * Declares one device command. `platformOnly` defaults to false, `banner` to true for commands with a button. @throws
 * if the confirmation is weaker than the effect requires: no process starts with such a declaration
 */
export function command<A extends z.ZodType, R extends z.ZodType>(d: Declared<A, R>): Command<A, R> {
  const { platformOnly = false, place, name, effect, confirm } = d
  const least = leastAsked[effect]
  if (!platformOnly && confirmations.indexOf(confirm) < confirmations.indexOf(least))
    throw new Error(`the command ${name} ${effect}: its confirm must be at least '${least}'`)
  return { kind: 'command', platformOnly, banner: place !== undefined && place !== 'part', ...d }
}

export const isCommand = ofKind<Command>('command')
