/**
 * One TCP connection to slaves, in Modbus TCP or in the frames of a serial line; one request at a time. A late response
 * must never be taken for the response to the next request.
 */
import { connect, type Socket } from 'node:net'
import { parseAnswer } from '#schema/monitor/modbus/answer'
import { rtuFrame, takeRtuFrame } from '#schema/monitor/modbus/frame-rtu'
import { takeTcpFrames, tcpFrame } from '#schema/monitor/modbus/frame-tcp'
import type { ModbusAnswer, ModbusException, ModbusRequest } from '#schema/monitor/modbus/pdu'
import { answerLength } from '#schema/monitor/modbus/pdu-length'
import { requestBytes } from '#schema/monitor/modbus/request'
import type { Wheel } from '../wheel.ts'

export type Problem = 'timeout' | 'crc' | 'noPath'
export type Reply = {
  /** null: see `problem`. */
  readonly answer: ModbusAnswer | ModbusException | null
  readonly problem: Problem | null
  /** The frames as they went over the line. */
  readonly sent: Uint8Array
  readonly received: Uint8Array
  readonly tookMs: number
}
const nothing = new Uint8Array()
export const noPath: Reply = { answer: null, problem: 'noPath', sent: nothing, received: nothing, tookMs: 0 }

const CONNECT_MS = 5_000
/** Some converters keep responding to long outdated requests, one after the other: only a new connection ends that. */
const STRANGE_MAX = 3
/** More than the longest frame: noise. */
const RECEIVED_MAX = 512

type Options = { host: string; port: number; isTcp: boolean; wheel: Wheel }
type Waiting = {
  readonly id: number
  readonly unit: number
  readonly request: ModbusRequest
  readonly end: (answer: Reply['answer'], problem: Problem | null) => void
}

/** What requests go over: a connection, or a way within the gateway. */
export type Line = {
  readonly broken: boolean
  open(): Promise<boolean>
  close(): void
  ask(unit: number, request: ModbusRequest, timeoutMs: number): Promise<Reply>
}

export class Wire implements Line {
  readonly #options: Options
  #socket: Socket | null = null
  #broken = false
  #buffer: Uint8Array = nothing
  #received: Uint8Array = nothing
  #lastId = 0
  #strange = 0
  #waiting: Waiting | null = null
  /** Serial frames carry no number: after a timeout a slave is not asked again until the line was silent. */
  readonly #suspect = new Set<number>()
  #heardAt = 0

  constructor(options: Options) {
    this.#options = options
  }

  get broken(): boolean {
    return this.#broken
  }

  /** False: there is no connection. */
  open(): Promise<boolean> {
    const { host, port, wheel } = this.#options
    const socket = connect({ host, port, noDelay: true })
    this.#socket = socket
    return new Promise<boolean>((done) => {
      const late = wheel.after(CONNECT_MS, () => socket.destroy())
      socket.once('connect', () => {
        late.cancel()
        done(true)
      })
      socket.on('error', () => undefined)
      socket.on('data', (chunk: Buffer) => this.#take(chunk))
      socket.once('close', () => {
        late.cancel()
        this.#broken = true
        this.#waiting?.end(null, 'noPath')
        done(false)
      })
    })
  }

  close(): void {
    this.#broken = true
    this.#socket?.destroy()
  }

  /** @throws RangeError for a request that no slave may be asked */
  async ask(unit: number, request: ModbusRequest, timeoutMs: number): Promise<Reply> {
    const { isTcp, wheel } = this.#options
    this.#lastId = (this.#lastId % 65_535) + 1
    const id = this.#lastId
    const pdu = requestBytes(request)
    const sent = isTcp ? tcpFrame({ id, unit, pdu }) : rtuFrame({ unit, pdu })
    if (this.#suspect.has(unit)) await this.#untilSilent(unit, timeoutMs)
    this.#buffer = nothing
    this.#received = nothing
    if (this.#broken) return noPath
    const began = performance.now()
    return new Promise<Reply>((done) => {
      const late = wheel.after(timeoutMs, () => this.#waiting?.end(null, 'timeout'))
      this.#waiting = {
        id,
        unit,
        request,
        end: (answer, problem) => {
          this.#waiting = null
          late.cancel()
          if (!isTcp && problem !== null) this.#suspect.add(unit)
          const tookMs = Math.round(performance.now() - began)
          done({ answer, problem, sent, received: this.#received, tookMs })
        },
      }
      this.#socket?.write(sent)
    })
  }

  /** Waits until the line was silent for a response timeout; bounded, in case another master uses the line. */
  async #untilSilent(unit: number, timeoutMs: number): Promise<void> {
    const began = performance.now()
    const limit = began + 4 * timeoutMs
    for (let until = began + timeoutMs; performance.now() < until && until < limit; ) {
      await this.#options.wheel.sleep(until - performance.now())
      until = Math.max(until, this.#heardAt + timeoutMs)
    }
    this.#suspect.delete(unit)
  }

  #take(chunk: Uint8Array): void {
    this.#heardAt = performance.now()
    if (!this.#waiting) return
    this.#buffer = joined(this.#buffer, chunk)
    this.#received = joined(this.#received, chunk).slice(0, RECEIVED_MAX)
    if (this.#options.isTcp) this.#takeTcp()
    else this.#takeRtu()
  }

  #takeTcp(): void {
    const { frames, rest, broken } = takeTcpFrames(this.#buffer)
    this.#buffer = rest
    for (const { id, unit, pdu } of frames) {
      const waiting = this.#waiting
      const answer =
        waiting && id === waiting.id && unit === waiting.unit ? parseAnswer(waiting.request, pdu) : null
      if (waiting && answer) {
        this.#strange = 0
        waiting.end(answer, null)
      } else this.#strange += 1
    }
    if (broken || this.#strange >= STRANGE_MAX) this.close()
  }

  #takeRtu(): void {
    while (this.#waiting && this.#buffer.length > 0) {
      const taken = takeRtuFrame(this.#buffer, answerLength)
      if (taken.state === 'partial') return
      if (taken.state === 'crc') {
        this.#waiting.end(null, 'crc')
        return
      }
      this.#buffer = taken.rest
      // Otherwise it is a late response: from another slave, or to another request.
      const { unit, pdu } = taken.frame
      const answer = unit === this.#waiting.unit ? parseAnswer(this.#waiting.request, pdu) : null
      if (answer) this.#waiting.end(answer, null)
    }
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}
