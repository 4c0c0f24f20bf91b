/** The payload of Sparkplug B, as far as it holds values: metrics with their types, aliases and qualities. */
import type { Quality } from '../fields.ts'
import { asDouble, asFloat, asText, type Field, readFields } from './protobuf.ts'

export type Metric = {
  name: string | null
  alias: bigint | null
  /** ms since 1970. */
  at: number | null
  /** 0: not given, as in data messages. */
  type: number
  isHistorical: boolean
  isNull: boolean
  quality: Quality | null
  /** The field with the value: its number says how it is encoded. */
  value: Field | null
}
export type SparkplugPayload = { at: number | null; metrics: Metric[]; seq: number | null }

/** [Sparkplug 3.0, 6.4.16] */
const types = {
  int8: 1,
  int16: 2,
  int32: 3,
  int64: 4,
  uint64: 8,
  float: 9,
  boolean: 11,
  string: 12,
  text: 14,
  uuid: 15,
}
const bits = new Map([
  [1, 8],
  [2, 16],
  [3, 32],
  [4, 64],
])
const fieldOf = { int: 10, long: 11, float: 12, double: 13, boolean: 14, string: 15 }
/** Beyond the year 33658 it is no time. */
const TIME_MAX = 1_000_000_000_000_000n
const timeOf = (field: Field | undefined) => (field && field.value <= TIME_MAX ? Number(field.value) : null)

const last = (fields: readonly Field[], number: number) => fields.findLast((field) => field.number === number)
const flag = (fields: readonly Field[], number: number) => (last(fields, number)?.value ?? 0n) !== 0n

/** The property `Quality`: 192 good, 0 bad, 500 stale. Property sets inside of it are not read. */
function qualityOf(set: Field | undefined): Quality | null {
  const fields = set ? readFields(set.bytes) : null
  if (!fields) return null
  const keys = fields.filter(({ number }) => number === 1).map(asText)
  const values = fields.filter(({ number }) => number === 2)
  const own = values[keys.indexOf('Quality')]
  const inner = own ? readFields(own.bytes) : null
  const said = inner?.find(({ number }) => number === 3 || number === 4)?.value
  return said === 0n ? 'badData' : said === 500n ? 'slaveOffline' : null
}

function metricOf({ bytes }: Field): Metric | null {
  const fields = readFields(bytes)
  if (!fields) return null
  const name = last(fields, 1)
  const alias = last(fields, 2)
  return {
    name: name ? asText(name) : null,
    alias: alias ? alias.value : null,
    at: timeOf(last(fields, 3)),
    type: Number(last(fields, 4)?.value ?? 0n),
    isHistorical: flag(fields, 5),
    isNull: flag(fields, 7),
    quality: qualityOf(last(fields, 9)),
    value: fields.findLast(({ number }) => number >= fieldOf.int && number <= fieldOf.string) ?? null,
  }
}

/** null: not a payload. A metric that cannot be read makes the whole message unreadable: aliases would shift. */
export function readSparkplug(bytes: Uint8Array): SparkplugPayload | null {
  const fields = readFields(bytes)
  if (!fields) return null
  const metrics: Metric[] = []
  for (const field of fields) {
    if (field.number !== 2) continue
    const metric = metricOf(field)
    if (!metric) return null
    metrics.push(metric)
  }
  const seq = last(fields, 3)
  return { at: timeOf(last(fields, 1)), metrics, seq: seq ? Number(seq.value & 0xffn) : null }
}

/**
 * The value by the type that the birth declared. Small signed numbers come sign-extended or cut, by library: only their
 * own bits count. undefined: a type that is no value here (data sets, templates, bytes).
 */
export function metricValue(field: Field, type: number): number | string | boolean | undefined {
  switch (field.number) {
    case fieldOf.int:
    case fieldOf.long: {
      const width = bits.get(type)
      if (type === types.boolean) return field.value !== 0n
      const value = width === undefined ? field.value : BigInt.asIntN(width, field.value)
      return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n
        ? Number(value)
        : String(value)
    }
    case fieldOf.float:
      // The shortest decimal that is this float, as for registers.
      return shortest(asFloat(field))
    case fieldOf.double:
      return asDouble(field)
    case fieldOf.boolean:
      return field.value !== 0n
    case fieldOf.string:
      return asText(field)
    default:
      return undefined
  }
}

/** Without its type the upper half of a width may be negative numbers, of which none is known: 251 is -5 as an Int8. */
export const isAmbiguous = ({ number, value }: Field, type: number): boolean =>
  type === 0 && (number === fieldOf.int || number === fieldOf.long) && value > 0x7fn

const shortest = (value: number): number => {
  for (let digits = 6; digits < 10; digits++) {
    const text = Number(value.toPrecision(digits))
    if (Math.fround(text) === value) return text
  }
  return value
}

/** `Node Control/Rebirth` = true, at this time. */
export function rebirthRequest(now: number): Uint8Array {
  const varint = (value: bigint): number[] => {
    const out: number[] = []
    for (let rest = value; ; rest >>= 7n) {
      if (rest < 0x80n) return [...out, Number(rest)]
      out.push(Number(rest & 0x7fn) | 0x80)
    }
  }
  const time = varint(BigInt(now))
  const name = [...new TextEncoder().encode('Node Control/Rebirth')]
  const metric = [0x0a, name.length, ...name, 0x18, ...time, 0x20, types.boolean, 0x70, 1]
  return Uint8Array.from([0x08, ...time, 0x12, metric.length, ...metric])
}
