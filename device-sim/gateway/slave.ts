/** A Modbus slave: its responses to requests, and the faults that it can simulate. */
import { answerBytes } from '#schema/monitor/modbus/answer'
import { bytesOfWords } from '#schema/monitor/modbus/pack'
import { exceptions, type ModbusAnswer, type ModbusRequest } from '#schema/monitor/modbus/pdu'
import { parseRequest } from '#schema/monitor/modbus/request'
import type { Registers } from './registers.ts'

export type SlaveFaults = {
  /** It is unplugged. */
  silent: boolean
  /** Every answer takes this long [ms]. */
  slowMs: number
  /** This number of responses is delayed by this time [ms]; later ones are immediate. */
  late: { answers: number; ms: number }
  /** This number of responses is damaged in transit (serial frames only). */
  damaged: number
  /** It answers everything with this exception. */
  exception: number | null
}

export type Slave = {
  readonly unit: number
  /** What device identification answers: vendor, product, version. */
  readonly identity: readonly [string, string, string]
  readonly registers: Registers
  /** Function codes that it does not know. */
  readonly unknown: ReadonlySet<number>
  readonly faults: SlaveFaults
  /** Requests that it has received. */
  asked: number
  /** Write requests that it has received. */
  written: number
}

export const slave = (
  unit: number,
  registers: Registers,
  identity: Slave['identity'] = ['Simulated', 'slave', '1.0'],
  unknown: Iterable<number> = [],
): Slave => ({
  unit,
  identity,
  registers,
  unknown: new Set(unknown),
  faults: { silent: false, slowMs: 0, late: { answers: 0, ms: 0 }, damaged: 0, exception: null },
  asked: 0,
  written: 0,
})

const tables = { 1: 'coil', 2: 'discrete', 3: 'holding', 4: 'input' } as const
const word = (on: boolean) => (on ? 1 : 0)

/** null: exception 2. */
function carryOut({ registers, identity }: Slave, request: ModbusRequest): ModbusAnswer | null {
  switch (request.fn) {
    case 1:
    case 2: {
      const bits = registers.read(tables[request.fn], request.address, request.count)
      return bits && { fn: request.fn, bits: bits.map((bit) => bit !== 0) }
    }
    case 3:
    case 4: {
      const words = registers.read(tables[request.fn], request.address, request.count)
      return words && { fn: request.fn, data: Uint8Array.from(bytesOfWords(words)) }
    }
    case 5:
      return registers.write('coil', request.address, [word(request.on)]) ? request : null
    case 6:
      return registers.write('holding', request.address, [request.word]) ? request : null
    case 15: {
      const { fn, address, bits } = request
      return registers.write('coil', address, bits.map(word)) ? { fn, address, count: bits.length } : null
    }
    case 16: {
      const { fn, address, words } = request
      return registers.write('holding', address, words) ? { fn, address, count: words.length } : null
    }
    case 22: {
      const now = registers.read('holding', request.address, 1)?.[0]
      if (now === undefined) return null
      const next = (now & request.and) | (request.or & ~request.and & 0xffff)
      return registers.write('holding', request.address, [next]) ? request : null
    }
    case 23: {
      if (!registers.write('holding', request.writeAddress, request.words)) return null
      const words = registers.read('holding', request.address, request.count)
      return words && { fn: 23, data: Uint8Array.from(bytesOfWords(words)) }
    }
    case 43: {
      const all = identity.map((text, id) => ({ id, bytes: new TextEncoder().encode(text) }))
      const objects = request.level === 4 ? all.filter(({ id }) => id === request.object) : all
      return { fn: 43, level: request.level, conformity: 0x81, more: false, next: 0, objects }
    }
  }
}

/** The PDU that it answers with. */
export function answerOf(slave: Slave, pdu: Uint8Array): Uint8Array {
  slave.asked += 1
  const request = parseRequest(pdu)
  if ('exception' in request) return answerBytes(request)
  const { fn } = request
  if (slave.faults.exception !== null) return answerBytes({ fn, exception: slave.faults.exception })
  if (slave.unknown.has(fn)) return answerBytes({ fn, exception: exceptions.illegalFunction })
  const answer = carryOut(slave, request)
  if (answer && fn > 4 && fn !== 43) slave.written += 1
  return answerBytes(answer ?? { fn, exception: exceptions.illegalAddress })
}
