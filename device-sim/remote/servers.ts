/** What listens where, as the device sees it: itself and the machines in its LAN. Nothing leads to the real host. */
import type { Duplex } from 'node:stream'
import { simulatedEquipment } from '#schema/monitor/simulated'
import { lanOf } from '../config/lan.ts'
import { slaveOf } from '../gateway/simulated-slaves.ts'
import type { Slave } from '../gateway/slave.ts'
import { serveTcp } from '../gateway/slave-server.ts'
import { hostsOf, isController } from '../hosts.ts'
import type { Part } from '../world.ts'
import { serveMachine } from './lan-page.ts'
import { servePage } from './page.ts'
import { serveShell } from './shell.ts'

type Serve = (stream: Duplex) => void

const MODBUS_PORT = 502

const runs = (part: Part, service: string) =>
  part.services.list().some(({ name, state }) => name === service && state === 'running')

/** The slaves of the controller in the LAN, until the device is switched off: what is written stays. */
const controllers = new WeakMap<AbortSignal, ReadonlyMap<number, Slave>>()

function serveController(part: Part, stream: Duplex): void {
  const slaves =
    controllers.get(part.power) ??
    new Map(simulatedEquipment.map(({ unit, template }) => [unit, slaveOf(template, unit)]))
  controllers.set(part.power, slaves)
  stream.on('end', () => stream.end())
  serveTcp(stream, slaves)
}

/** null: nothing listens there. */
export function serverAt(part: Part, host: string, port: number): Serve | null {
  if (host === '127.0.0.1' || host === lanOf(part.config.doc).ip) {
    if (port === 22 && runs(part, 'dropbear')) return (stream) => serveShell(part, stream)
    if (port === 80 && runs(part, 'uhttpd')) return (stream) => servePage(part, stream)
    return null
  }
  const machine = hostsOf(part, part.now()).find(({ ip }) => ip === host)
  if (machine && port === MODBUS_PORT && isController(machine, part))
    return (stream) => serveController(part, stream)
  return machine && port === 80 ? (stream) => serveMachine(machine.name ?? host, stream) : null
}
