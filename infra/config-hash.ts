/** The hashes by which a device and the platform compare their configurations. */
import { createHash } from 'node:crypto'

/**
 * @param text the package's canonical form (`exportUci`, the bytes of `uci export`); '' for a package that libuci
 * rejects.
 */
export const packageHash = (text: string | Uint8Array): string =>
  createHash('sha256').update(text).digest('hex')

/** @param packages hash of each managed package that exists, by its name. */
export function configHash(packages: Readonly<Record<string, string>>): string {
  // By bytes, as `LC_ALL=C sort` does; a package's name is ASCII.
  const lines = Object.entries(packages)
    .map(([name, hash]) => `${name} ${hash}\n`)
    .toSorted((a, b) => (a < b ? -1 : 1))
  return createHash('sha256').update(lines.join('')).digest('hex')
}
