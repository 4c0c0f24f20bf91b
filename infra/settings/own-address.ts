/** Where a server of this machine is, for other processes of the same machine. */
import { isIPv6 } from 'node:net'

const EVERYWHERE: ReadonlySet<string> = new Set(['', '0.0.0.0', '::'])

/** @param host what the server listens on. @returns a host for a URL: loopback, unless it listens on one address only. */
export function ownAddress(host: string): string {
  if (EVERYWHERE.has(host)) return '127.0.0.1'
  return isIPv6(host) ? `[${host}]` : host
}
