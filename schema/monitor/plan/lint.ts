/** Warnings about a plan that a gateway can run, but perhaps not in time. */
import {
  type BusLoad,
  type BusPace,
  bitsPerCharacter,
  busLoad,
  LATENCY_MS,
  TCP_LATENCY_MS,
} from '../modbus/bus-time.ts'
import type { PlanBus } from '../wire.ts'
import type { TemplateReads } from './reads.ts'
import type { TerminalRow } from './rows.ts'

export type PlanLint =
  /** `bus` is its index in the plan. overloaded: cycles will be skipped; it is refused before saving. */
  | ({ kind: 'busTight' | 'busOverloaded'; bus: number; place: string } & Pick<
      BusLoad,
      'share' | 'shortestS' | 'easyS'
    >)
  /** Terminals whose serial settings differ from those of the first one. */
  | { kind: 'serialDiffers'; bus: number; place: string; terminals: number[] }
  | { kind: 'unitReserved'; terminal: number; unit: number }
  | { kind: 'powerTooFar'; terminal: number; slots: number[] }
  /** They use inputs or outputs of a gateway that does not serve any. */
  | { kind: 'noInterfaces'; terminals: number[] }
  | { kind: 'tooMany'; terminals: number[] }

const DEFAULT_LINE = { baudRate: 9_600, parity: 'none', dataBits: 8, stopBits: 1 } as const

export const placeOf = ({ kind, serial, serialPort, host, port }: PlanBus): string =>
  kind === 'rtu' ? [serial, serialPort].filter((part) => part !== undefined).join(' ') : `${host}:${port}`

/** The serial settings behind a TCP converter are unknown unless its terminals contain them. */
export function paceOf(bus: PlanBus): BusPace {
  const { kind, baud = DEFAULT_LINE.baudRate, parity = 'none', dataBits = 8, stopBits = 1, pauseMs } = bus
  const serial = kind === 'rtu' || (kind === 'rtuTcp' && bus.baud !== undefined)
  return {
    line: serial ? { baud, bitsPerCharacter: bitsPerCharacter({ parity, dataBits, stopBits }) } : null,
    latencyMs: (kind === 'tcp' ? 0 : LATENCY_MS) + (kind === 'rtu' ? 0 : TCP_LATENCY_MS),
    pauseMs,
  }
}

/** 0 is a broadcast on a serial line, to which no slave responds; 248 and above are reserved [MODBUS over serial line, 2.2]. */
const isReserved = (kind: PlanBus['kind'], unit: number) => kind !== 'tcp' && (unit === 0 || unit > 247)

const lineOf = ({ baudRate, parity, dataBits, stopBits }: TerminalRow) => [
  baudRate,
  parity,
  dataBits,
  stopBits,
]
/** Settings that one terminal leaves empty may come from another. */
const agree = (one: TerminalRow, other: TerminalRow) => {
  const theirs = lineOf(other)
  return lineOf(one).every((said, i) => said === null || theirs[i] === null || said === theirs[i])
}

export function lintBus(
  bus: PlanBus,
  index: number,
  slaves: readonly { row: TerminalRow; reads: TemplateReads }[],
): PlanLint[] {
  if (bus.kind === 'own') return []
  const place = placeOf(bus)
  const { share, verdict, shortestS, easyS } = busLoad(
    slaves.flatMap(({ reads: { reads, own } }) => reads.filter((_, i) => !own.has(i))),
    paceOf(bus),
  )
  const [first] = slaves
  const others = first ? slaves.filter(({ row }) => !agree(first.row, row)).map(({ row }) => row.id) : []
  const load = { bus: index, place, share, shortestS, easyS }
  return [
    ...(verdict === 'overloaded' ? [{ kind: 'busOverloaded' as const, ...load }] : []),
    ...(verdict === 'tight' ? [{ kind: 'busTight' as const, ...load }] : []),
    ...(others.length > 0 ? [{ kind: 'serialDiffers' as const, bus: index, place, terminals: others }] : []),
    ...slaves.flatMap(({ row, reads }): PlanLint[] => [
      ...(row.slaveId !== null && isReserved(bus.kind, row.slaveId)
        ? [{ kind: 'unitReserved' as const, terminal: row.id, unit: row.slaveId }]
        : []),
      ...(reads.tooFar.length > 0
        ? [{ kind: 'powerTooFar' as const, terminal: row.id, slots: reads.tooFar }]
        : []),
    ]),
  ]
}
