import { type SQL, sql } from 'drizzle-orm'
import { seal } from '#infra/secrets'
import type { Command } from '#schema/kit/command'
import { namedFields } from '#schema/kit/secret'

/**
 * The arguments as they are stored: if one of them is a secret, all are encrypted until they are sent
 * (workers/command/command-args.ts), and only the other arguments are shown in the list of commands.
 */
export function sealedArgs(
  { args: declared }: Command,
  args: Readonly<Record<string, unknown>>,
  key: string,
): Record<string, unknown> {
  const secrets = new Set(namedFields(declared).flatMap(({ name, secret }) => (secret ? [name] : [])))
  if (secrets.size === 0) return { ...args }
  const open = Object.entries(args).filter(([name]) => !secrets.has(name))
  return { ...Object.fromEntries(open), sealed: seal(JSON.stringify(args), key) }
}

/** Arguments that are stored encrypted: secrets of a command, and the change of a configuration for many devices. */
const ENCRYPTED = ['sealed', 'change']
export const withoutEncrypted = (args: SQL) => sql`${args} - ${`{${ENCRYPTED.join(',')}}`}::text[]`
export const openArgs = (args: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !ENCRYPTED.includes(name)))
