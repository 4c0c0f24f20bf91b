/** What the lines of simulated gateways are connected to. */
import type { Lines } from './buses.ts'

const HERE: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '::1'])

type Options = {
  /** The port on this machine to which every serial port of every gateway is connected. */
  serialPort?: number | undefined
  /** Further hosts that may be connected to; `*`: any. Users who may edit terminals decide where a gateway connects. */
  hosts?: readonly string[] | undefined
}

export function linesTo({ serialPort, hosts = [] }: Options): Lines {
  return {
    serial: () => (serialPort === undefined ? null : { host: '127.0.0.1', port: serialPort }),
    allows: (host) => HERE.has(host) || hosts.includes(host) || hosts.includes('*'),
  }
}
