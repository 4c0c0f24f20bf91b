/** What listens where, as the device sees it: itself and the machines in its LAN. Nothing leads to the real host. */
import type { Duplex } from 'node:stream'
import { lanOf } from '../config/lan.ts'
import { hostsOf } from '../hosts.ts'
import type { Part } from '../world.ts'
import { serveMachine } from './lan-page.ts'
import { servePage } from './page.ts'
import { serveShell } from './shell.ts'

type Serve = (stream: Duplex) => void

const runs = (part: Part, service: string) =>
  part.services.list().some(({ name, state }) => name === service && state === 'running')

/** null: nothing listens there. */
export function serverAt(part: Part, host: string, port: number): Serve | null {
  if (host === '127.0.0.1' || host === lanOf(part.config.doc).ip) {
    if (port === 22 && runs(part, 'dropbear')) return (stream) => serveShell(part, stream)
    if (port === 80 && runs(part, 'uhttpd')) return (stream) => servePage(part, stream)
    return null
  }
  const machine = hostsOf(part, part.now()).find(({ ip }) => ip === host)
  return machine && port === 80 ? (stream) => serveMachine(machine.name ?? host, stream) : null
}
