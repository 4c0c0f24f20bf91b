import {
  type Asked,
  PROBE_MAX,
  probeRegisters,
  readRegisters,
  SCAN_MAX,
  scanSlaves,
} from '#schema/monitor/commands/commissioning'
import type { RegisterType } from '#schema/monitor/fields'
import { hexOf } from '#schema/monitor/modbus/hex'
import { bytesOfBits } from '#schema/monitor/modbus/pack'
import { exceptions, requestFault } from '#schema/monitor/modbus/pdu'
import { obeys } from '../command.ts'
import { readFunctions } from '../gateway/reading.ts'
import type { Reply } from '../gateway/wire.ts'

/** Registers asked for at once; halved where one of them does not exist. */
const BLOCK = 10

const reading = (table: RegisterType, address: number, count: number) => {
  const request = { fn: readFunctions[table], address, count }
  const fault = requestFault(request)
  if (fault) throw new Error(`no slave may be asked that: wrong ${fault}`)
  return request
}

function outcomeOf({ answer, problem }: Reply): { outcome: Asked; exception?: number } {
  if (answer && 'exception' in answer) return { outcome: 'exception', exception: answer.exception }
  return { outcome: problem ?? 'answered' }
}

function dataOf({ answer }: Reply): string | undefined {
  if (!answer || 'exception' in answer) return undefined
  if ('data' in answer) return hexOf(answer.data)
  return 'bits' in answer ? hexOf(Uint8Array.from(bytesOfBits(answer.bits))) : undefined
}

export const obeyReadRegisters = obeys(
  readRegisters,
  async (part, { unit, table, address, count, timeoutMs, ...line }) => {
    const request = reading(table, address, count)
    const reply = await part.collector.buses.take(line, 'command', (ask) => ask(unit, request, timeoutMs))
    const data = dataOf(reply)
    return {
      ...outcomeOf(reply),
      sent: hexOf(reply.sent),
      received: hexOf(reply.received.slice(0, 256)),
      ...(data !== undefined && { data }),
      tookMs: reply.tookMs,
    }
  },
)

export const obeyScanSlaves = obeys(
  scanSlaves,
  async (part, { from, to, table, address, timeoutMs, ...line }) => {
    if (to < from || to - from >= SCAN_MAX) throw new Error(`scans 1 to ${SCAN_MAX} slaves at a time`)
    const request = reading(table, address, 1)
    const found = []
    for (let unit = from; unit <= to; unit++) {
      const reply = await part.collector.buses.take(line, 'scan', (ask) => ask(unit, request, timeoutMs))
      if (reply.problem === 'noPath') return { path: false, found }
      const { outcome, exception } = outcomeOf(reply)
      const { tookMs } = reply
      // A converter reports itself that no slave behind it responds.
      const isConverter = exception === exceptions.noPath || exception === exceptions.targetSilent
      if (outcome === 'exception' && !isConverter) found.push({ unit, exception, tookMs })
      if (outcome === 'answered') found.push({ unit, data: dataOf(reply) ?? '', tookMs })
    }
    return { path: true, found }
  },
)

export const obeyProbeRegisters = obeys(
  probeRegisters,
  async (part, { unit, table, from, to, timeoutMs, ...line }) => {
    if (to < from || to - from >= PROBE_MAX) throw new Error(`looks at 1 to ${PROBE_MAX} registers at a time`)
    const found: { address: number; data: string; count?: number }[] = []
    const blocks: [address: number, count: number][] = []
    for (let at = from; at <= to; at += BLOCK) blocks.push([at, Math.min(BLOCK, to - at + 1)])
    let until: number | undefined
    for (let block = blocks.shift(); block; block = blocks.shift()) {
      const [address, count] = block
      const request = reading(table, address, count)
      const reply = await part.collector.buses.take(line, 'scan', (ask) => ask(unit, request, timeoutMs))
      const said = outcomeOf(reply)
      const isHole =
        said.exception === exceptions.illegalAddress || said.exception === exceptions.illegalValue
      if (said.outcome !== 'answered' && !isHole)
        return { ...said, ...(until !== undefined && { until }), found }
      if (isHole && count > 1) {
        const half = count >> 1
        blocks.unshift([address, half], [address + half, count - half])
        continue
      }
      const bits = request.fn <= 2 ? { count } : {}
      if (!isHole) found.push({ address, data: dataOf(reply) ?? '', ...bits })
      until = address + count - 1
    }
    return { outcome: 'answered' as const, ...(until !== undefined && { until }), found }
  },
)
