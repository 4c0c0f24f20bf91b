/** A request to one device: button, form, route, queue, timeout, audit row, docs and simulator check derive from it. */
import type { z } from 'zod'
import type { Condition } from './condition.ts'
import { ofKind } from './kind.ts'
import type { Permission } from './permission.ts'

/** The pace of a command that goes to many devices at once: no rush on the platform, no site dark as a whole. */
export type Bulk = {
  /** So many devices of one batch are away at the same time. */
  readonly atOnce: number
  readonly perSecond: number
  /** The part of a group's devices in the batch that may be away at the same time, 0–1; one always may. */
  readonly shareOfGroup: number
}

/**
 * What it does to the device: nothing that lasts, a change of its state, an interruption (it leaves and comes back), or
 * the loss of settings that nobody can bring back. What the simulator does must agree (device-sim/effects.test.ts).
 */
export const effects = ['harmless', 'changes', 'interrupts', 'destroys'] as const
export type Effect = (typeof effects)[number]

/** Not at all, with a plain question, or by typing the serial number. */
export const confirmations = ['none', 'ask', 'typed'] as const
export type Confirmation = (typeof confirmations)[number]

/** The least that a person must be asked before an effect. */
const leastAsked: Readonly<Record<Effect, Confirmation>> = {
  harmless: 'none',
  changes: 'none',
  interrupts: 'ask',
  destroys: 'typed',
}

/**
 * Where the device page draws its button: beside the title, in the menu beside it, or as a card of a tab. `part`: a part of
 * the console sends it in its own way (a row of a table, a pane).
 */
export const places = ['header', 'menu', 'network', 'configuration', 'services', 'part'] as const
export type Place = (typeof places)[number]

export type Command<A extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> = {
  readonly kind: 'command'
  readonly name: string
  /** What the actor's role must hold. */
  readonly permission: Permission
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
  readonly effect: Effect
  /** How the console asks before sending; never less than the effect demands. */
  readonly confirm: Confirmation
  /** Nobody is asked when the arguments are these: to start a service interrupts nothing. */
  readonly unasked?: Condition | undefined
  /** Absent for what the platform alone sends. */
  readonly place?: Place | undefined
  /** Of its button: the name of a Tabler icon, e.g. `power`. */
  readonly icon?: string | undefined
  /** Its course is shown in the banner of the device page; false where the part that sends it shows the result itself. */
  readonly banner: boolean
  /** The argument whose values have names of their own: `command:named.<command>.<value>`. */
  readonly namedBy?: string | undefined
  /** The argument that says after how many seconds it begins: the deadline counts from then on. */
  readonly delayedBy?: string | undefined
  /**
   * The platform alone sends it, as a part of something larger (a backup needs a row first); `sendCommand` refuses
   * it. Its arguments may be completed when it is sent: workers/command/command-args.ts.
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

/** The platform sends it by itself, or a person sends it from somewhere. */
type Sent =
  | { readonly platformOnly: true; readonly place?: never }
  | { readonly platformOnly?: false; readonly place: Place }

type Declared<A extends z.ZodType, R extends z.ZodType> = Omit<
  Command<A, R>,
  'kind' | 'platformOnly' | 'confirm' | 'bulk' | 'place' | 'banner' | 'namedBy' | 'delayedBy'
> & {
  readonly banner?: boolean
  readonly namedBy?: keyof z.output<A> & string
  readonly delayedBy?: keyof z.output<A> & string
} & Confirmed &
  Sent

/**
 * Declares one device command. `platformOnly` defaults to false, `banner` to true for what is drawn as a button.
 * @throws when fewer people would be asked than its effect demands: no process starts with such a declaration
 */
export function command<A extends z.ZodType, R extends z.ZodType>(d: Declared<A, R>): Command<A, R> {
  const { platformOnly = false, place, name, effect, confirm } = d
  const least = leastAsked[effect]
  if (!platformOnly && confirmations.indexOf(confirm) < confirmations.indexOf(least))
    throw new Error(`the command ${name} ${effect}: its confirm must be at least '${least}'`)
  return { kind: 'command', platformOnly, banner: place !== undefined && place !== 'part', ...d }
}

export const isCommand = ofKind<Command>('command')
