/** Writes a value to a slave exactly once, and reads it back to find out whether it was accepted. */
import type { WriteOutcome } from '#schema/monitor/commands/write-variable'
import type { RawValue } from '#schema/monitor/modbus/decode'
import { type WriteTarget, withBits, wordOnWire, writeRequest } from '#schema/monitor/modbus/encode'
import { hexOf } from '#schema/monitor/modbus/hex'
import { wordAt } from '#schema/monitor/modbus/pack'
import { exceptions, type ModbusRequest } from '#schema/monitor/modbus/pdu'
import { registersOf } from '#schema/monitor/modbus/shape'
import { valueIn } from '#schema/monitor/plan/value-of'
import type { Ask } from './bus.ts'
import { readFunctions } from './reading.ts'
import type { Reply } from './wire.ts'

export type Target = WriteTarget & {
  readonly unit: number
  readonly timeoutMs: number
  /** Functions 15 and 16 also for one. */
  readonly multiple: boolean
  readonly readable: boolean
}
export type Written = {
  outcome: WriteOutcome
  exception?: number
  before: RawValue | null
  after: RawValue | null
  sent: string
  received: string
}

const READ_BACK_AFTER_MS = 200
const READ_BACKS = 3

const exceptionOf = ({ answer }: Reply): number | null =>
  answer && 'exception' in answer ? answer.exception : null

/**
 * The whole of it is one turn on the bus: nothing comes between reading and writing. @throws if the value does not fit
 * its type
 */
export async function writeOnce(
  ask: Ask,
  target: Target,
  value: RawValue,
  pause: (ms: number) => Promise<void>,
): Promise<Written> {
  const request = writeRequest(target, value, target.multiple)
  if ('fault' in request) throw new Error(`this cannot be written: ${request.fault}`)
  const before = target.readable ? await readBack(ask, target) : null
  const reply = await write(ask, target, request, value)
  const said = { before, after: null, sent: hexOf(reply.sent), received: hexOf(reply.received) }
  const exception = exceptionOf(reply)
  if (exception !== null) return { ...said, outcome: 'exception', exception }
  // Nothing was sent at all.
  if (reply.problem === 'noPath' && reply.sent.length === 0) throw new Error('no connection to the bus')
  const isTaken = reply.problem === null
  if (!target.readable) return { ...said, outcome: isTaken ? 'notReadable' : 'unknown' }
  let after: RawValue | null = null
  for (let i = 0; i < READ_BACKS; i++) {
    await pause(READ_BACK_AFTER_MS)
    after = await readBack(ask, target)
    if (after !== null && isSame(after, value, target)) return { ...said, after, outcome: 'confirmed' }
  }
  if (after !== null) return { ...said, after, outcome: 'mismatch' }
  return { ...said, outcome: isTaken ? 'notReadable' : 'unknown' }
}

async function readBack(
  ask: Ask,
  { unit, timeoutMs, registerType, address, shape }: Target,
): Promise<RawValue | null> {
  const isBits = registerType === 'coil' || registerType === 'discrete'
  const count = isBits ? 1 : registersOf(shape)
  const reply = await ask(unit, { fn: readFunctions[registerType], address, count }, timeoutMs)
  return reply.answer ? valueIn(reply.answer, 0, shape).value : null
}

/** Floats are compared as the type holds them. */
function isSame(after: RawValue, wanted: RawValue, { shape, registerType }: Target): boolean {
  if (registerType === 'coil') return Number(after) === (Number(wanted) ? 1 : 0)
  if (shape.type === 'float32') return Math.fround(Number(after)) === Math.fround(Number(wanted))
  return String(after) === String(wanted)
}

/** Without function 22, which few slaves know, a bit is set by reading and writing its register. */
async function write(ask: Ask, target: Target, request: ModbusRequest, value: RawValue): Promise<Reply> {
  const { unit, timeoutMs, address, shape, multiple } = target
  const reply = await ask(unit, request, timeoutMs)
  if (request.fn !== 22 || exceptionOf(reply) !== exceptions.illegalFunction) return reply
  const read = await ask(unit, { fn: 3, address, count: 1 }, timeoutMs)
  if (!read.answer || !('data' in read.answer)) return read
  const now = wordOnWire(wordAt(read.answer.data, 0), shape)
  const word = wordOnWire(withBits(now, shape, Number(value)), shape)
  return ask(unit, multiple ? { fn: 16, address, words: [word] } : { fn: 6, address, word }, timeoutMs)
}
