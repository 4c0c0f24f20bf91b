/** Which fields the operation log strikes out, as the declarations say (schema/kit/secret.ts). */
import type { Call } from '#schema/kit/call'
import type { Command } from '#schema/kit/command'
import { namedFields } from '#schema/kit/secret'

export type Secrets = {
  /** A field of this name is struck out. */
  has(name: string): boolean
  /** The call's body declares a field of this name. */
  knows(name: string): boolean
}

/**
 * By name, because a refused body may have any form and the arguments of commands pass through calls that do not know
 * them: a name that any declaration marks is struck out of every call that does not say that its own field is no secret.
 */
export function secretNames(calls: readonly Call[], commands: readonly Command[]): (call: Call) => Secrets {
  const schemas = [
    ...calls.flatMap(({ body, reply }) => [body, reply]),
    ...commands.flatMap(({ args, reply }) => [args, reply]),
  ]
  const marked = new Set(
    schemas.flatMap(namedFields).flatMap(({ name, secret }) => (secret ? [name.toLowerCase()] : [])),
  )
  return ({ body }) => {
    const fields = namedFields(body)
    const known = new Set(fields.map(({ name }) => name))
    const open = new Set(fields.flatMap(({ name, secret }) => (secret === false ? [name.toLowerCase()] : [])))
    return {
      has: (name) => marked.has(name.toLowerCase()) && !open.has(name.toLowerCase()),
      knows: (name) => known.has(name),
    }
  }
}
