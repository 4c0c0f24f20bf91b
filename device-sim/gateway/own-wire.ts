/**
 * The transport to the gateway's own inputs and outputs: local calls with the same requests and responses as on a wire.
 */
import { parseAnswer } from '#schema/monitor/modbus/answer'
import { tcpFrame } from '#schema/monitor/modbus/frame-tcp'
import type { ModbusRequest } from '#schema/monitor/modbus/pdu'
import { requestBytes } from '#schema/monitor/modbus/request'
import { answerOf, type Slave } from './slave.ts'
import type { Line, Reply } from './wire.ts'

export class OwnWire implements Line {
  readonly broken = false
  readonly #own: Slave

  constructor(own: Slave) {
    this.#own = own
  }

  open(): Promise<boolean> {
    return Promise.resolve(true)
  }

  close(): void {
    // There is nothing to close.
  }

  /** @throws RangeError for a request that no slave may be asked */
  ask(unit: number, request: ModbusRequest): Promise<Reply> {
    const pdu = requestBytes(request)
    const said = answerOf(this.#own, pdu)
    const [sent, received] = [pdu, said].map((bytes) => tcpFrame({ id: 1, unit, pdu: bytes }))
    return Promise.resolve({
      answer: parseAnswer(request, said),
      problem: null,
      sent: sent as Uint8Array,
      received: received as Uint8Array,
      tookMs: 0,
    })
  }
}
