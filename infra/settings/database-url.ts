/**
 * How DATABASE_URL asks for a secured connection, with the meaning that libpq, and with it `psql` and `pg_dump`, gives it: each
 * of our two drivers differs from it, and from the other.
 */
import type { ConnectionOptions } from 'node:tls'
import { parse } from 'pg-connection-string'

const PARAMETERS = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey']
/** Others of libpq, in the URLs of some providers: postgres.js would send them to the server, which knows none of them. */
const OF_LIBPQ = ['channel_binding', 'gssencmode', 'sslnegotiation', 'sslsni', 'sslcompression']
const MODES = ['disable', 'require', 'verify-ca', 'verify-full']

/** null: not secured. `require` accepts every certificate, `verify-ca` one that `sslrootcert` has signed, for any name. */
export type DatabaseTls = ConnectionOptions | null

/**
 * What our statements rely on, whatever a server, a database or its user is set to: an installation of PostgreSQL takes its
 * time zone from its machine, and days of tables, reports and partitions are those of UTC.
 */
export const SESSION: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  // Compiling a statement takes longer than any of ours saves by it.
  jit: 'off',
  // A search of two characters has no index: all processors scan the devices, although all are in memory.
  parallel_setup_cost: '100',
}

const asks = (url: string) => /[?&]ssl/.test(url)

/**
 * @returns the URL without what asks for TLS, and what that means. @throws Error if a certificate or key cannot be read, or
 * verify-ca names none.
 */
export function splitTls(url: string): { plain: string; tls: DatabaseTls } {
  if (!asks(url)) return { plain: url, tls: null }
  const { ssl } = parse(url, { useLibpqCompat: true })
  const plain = new URL(url)
  for (const name of [...PARAMETERS, ...OF_LIBPQ]) plain.searchParams.delete(name)
  const tls =
    ssl === true || ssl === 'true' ? {} : typeof ssl === 'object' ? (ssl as ConnectionOptions) : null
  return { plain: plain.href, tls }
}

/** For the driver pg. @throws as `splitTls` */
export function poolTarget(url: string) {
  const { plain, tls } = splitTls(url)
  const options = Object.entries(SESSION).map(([name, value]) => `-c ${name}=${value}`)
  return { connectionString: plain, ssl: tls ?? false, options: options.join(' ') }
}

/** What is wrong with the parameters for TLS; null: nothing. */
export function tlsFault(url: string): string | null {
  if (!asks(url)) return null
  try {
    const mode = new URL(url).searchParams.get('sslmode')
    if (mode !== null && !MODES.includes(mode)) return `sslmode must be one of ${MODES.join(', ')}`
    splitTls(url)
    return null
  } catch (error) {
    const { code, path, message } = error as NodeJS.ErrnoException
    return code ? `cannot read ${path} (${code})` : message
  }
}
