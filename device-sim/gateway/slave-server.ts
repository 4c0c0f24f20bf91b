/**
 * Slaves behind one TCP port: in Modbus TCP, or in serial frames, as a converter passes them on. Any Modbus master may
 * read them.
 */
import { createServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { rtuFrame, takeRtuFrame } from '#schema/monitor/modbus/frame-rtu'
import { takeTcpFrames, tcpFrame } from '#schema/monitor/modbus/frame-tcp'
import { requestLength } from '#schema/monitor/modbus/pdu-length'
import { answerOf, type Slave } from './slave.ts'

export type SlaveServer = {
  readonly port: number
  /** @throws if there is none with this number */
  slave(unit: number): Slave
  /** Breaks all connections, as when a converter is restarted. */
  disconnect(): void
  close(): Promise<void>
}

type Options = { framing: 'tcp' | 'rtu'; slaves: readonly Slave[]; port?: number; host?: string }

/** A broadcast to all slaves of a serial line; none responds. */
const BROADCAST = 0

/** Port 0, the default: any free one. @throws if the port is taken */
export async function startSlaves({
  framing,
  slaves,
  port = 0,
  host = '127.0.0.1',
}: Options): Promise<SlaveServer> {
  const byUnit = new Map(slaves.map((slave) => [slave.unit, slave]))
  const sockets = new Set<Socket>()
  const serve = framing === 'tcp' ? serveTcp : serveRtu
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, byUnit)
  })
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, done)
  })
  const address = server.address()
  const disconnect = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: typeof address === 'object' && address ? address.port : port,
    slave: (unit) => {
      const found = byUnit.get(unit)
      if (!found) throw new Error(`there is no slave ${unit} behind this port`)
      return found
    },
    disconnect,
    close: async () => {
      disconnect()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

/** Calls `send` with the answer when it is time for it; never for a silent slave. */
function answer(slave: Slave, pdu: Uint8Array, send: (pdu: Uint8Array) => void): void {
  const { faults } = slave
  if (faults.silent) return
  const said = answerOf(slave, pdu)
  const isLate = faults.late.answers > 0
  if (isLate) faults.late.answers -= 1
  const ms = isLate ? faults.late.ms : faults.slowMs
  if (ms > 0) setTimeout(() => send(said), ms).unref()
  else send(said)
}

/** One connection of Modbus TCP, over whatever carries its bytes. */
export function serveTcp(socket: Duplex, byUnit: ReadonlyMap<number, Slave>): void {
  let rest: Uint8Array = new Uint8Array()
  socket.on('data', (chunk: Buffer) => {
    const taken = takeTcpFrames(Buffer.concat([rest, chunk]))
    rest = taken.rest
    for (const { id, unit, pdu } of taken.frames) {
      const slave = byUnit.get(unit)
      if (slave) answer(slave, pdu, (said) => void write(socket, tcpFrame({ id, unit, pdu: said })))
    }
    if (taken.broken) socket.destroy()
  })
}

function serveRtu(socket: Socket, byUnit: ReadonlyMap<number, Slave>): void {
  let rest: Uint8Array = new Uint8Array()
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length > 0) {
      const taken = takeRtuFrame(rest, requestLength)
      if (taken.state === 'partial') return
      // A damaged frame: everything up to the next silence is of no use.
      rest = taken.state === 'crc' ? new Uint8Array() : taken.rest
      if (taken.state === 'crc') return
      const { unit, pdu } = taken.frame
      if (unit === BROADCAST) {
        for (const slave of byUnit.values()) if (!slave.faults.silent) answerOf(slave, pdu)
        continue
      }
      const slave = byUnit.get(unit)
      if (slave)
        answer(slave, pdu, (said) => void write(socket, damagedBy(slave, rtuFrame({ unit, pdu: said }))))
    }
  })
}

function damagedBy({ faults }: Slave, frame: Uint8Array): Uint8Array {
  if (faults.damaged === 0) return frame
  faults.damaged -= 1
  return frame.map((byte, i) => (i === frame.length - 1 ? byte ^ 0x55 : byte))
}

const write = (socket: Duplex, frame: Uint8Array) => socket.destroyed || socket.write(frame)
