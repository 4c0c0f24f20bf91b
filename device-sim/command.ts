/** The maker of command handlers; each module of commands/ exports them. */
import type { z } from 'zod'
import type { Command } from '#schema/kit/command'
import { ofKind } from '#schema/kit/kind'
import type { Asked, Ordered, Part } from './world.ts'

/** Declares how a simulated device carries out `command`. `refuses`: why it does not start now; null: it does. */
export function obeys<A extends z.ZodType, R extends z.ZodType>(
  command: Command<A, R>,
  run: (part: Part, args: z.output<A>, asked: Asked) => Promise<z.input<R> & Record<string, unknown>>,
  refuses?: (part: Part) => string | null,
): Ordered {
  return { kind: 'ordered', command, run, refuses }
}

export const isOrdered = ofKind<Ordered>('ordered')

/** Thrown by a command that failed, with a result that describes the failure. */
export class Ended extends Error {
  readonly result: Record<string, unknown>
  constructor(why: string, result: Record<string, unknown>) {
    super(why)
    this.result = result
  }
}
