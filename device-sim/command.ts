/** The maker of command handlers; each module of commands/ exports them. */
import type { z } from 'zod'
import type { Command } from '#schema/kit/command'
import { ofKind } from '#schema/kit/kind'
import type { Ordered, Part } from './world.ts'

/** Declares how a simulated device carries out `command`. */
export function obeys<A extends z.ZodType, R extends z.ZodType>(
  command: Command<A, R>,
  run: (part: Part, args: z.output<A>) => Promise<z.input<R> & Record<string, unknown>>,
): Ordered {
  return { kind: 'ordered', command, run }
}

export const isOrdered = ofKind<Ordered>('ordered')
