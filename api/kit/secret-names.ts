/** Which fields the operation log redacts, from the declarations (schema/kit/secret.ts). */
import type { Call } from '#schema/kit/call'
import type { Command } from '#schema/kit/command'
import { namedFields } from '#schema/kit/secret'

export type Secrets = {
  /** Whether a field of this name is redacted. */
  has(name: string): boolean
  /** Whether the call's body declares a field of this name. */
  knows(name: string): boolean
}

/**
 * Redaction is by name, because a refused body may have any form, and command arguments pass through calls that do not
 * declare them. A name that any declaration marks as secret is redacted in every call that does not declare its own
 * field of that name as not secret.
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
