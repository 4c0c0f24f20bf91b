/** Where the lines of simulated gateways lead. */
import type { Lines } from './buses.ts'

const HERE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1'])

type Options = {
  /** The port on this machine that speaks for every serial port of every gateway. */
  serialPort?: number | undefined
  /** Further hosts that may be connected to; `*`: any. Whoever may edit terminals says where a gateway connects. */
  hosts?: readonly string[] | undefined
}

export function linesTo({ serialPort, hosts = [] }: Options): Lines {
  return {
    serial: () => (serialPort === undefined ? null : { host: '127.0.0.1', port: serialPort }),
    allows: (host) => HERE.has(host) || hosts.includes(host) || hosts.includes('*'),
  }
}
