/**
 * The samples of a time span as a few numbers. A rollup depends only on its own samples: the value at its beginning,
 * and the steps of a meter across its edges, are added when neighbours are merged (merge-rollups.ts). So a late sample
 * changes only its own span [decisions/118]. Pure; times in ms since 1970.
 */

import type { DataType, FunctionType, IoController, ReportType } from './fields.ts'
import { rawBounds } from './modbus/shape.ts'
import { HEARTBEAT_S } from './notice/condition-fit.ts'

/** null: of bad quality. In the order of time. */
export type Sample = readonly [atMs: number, value: number | null]

/**
 * What a meter did inside a span, but for its first and last good value: whether these are glitches shows in the
 * neighbours.
 */
export type MeterSteps = {
  second: number
  beforeLast: number
  /** First and last value between them that is no glitch; null: there is none. */
  from: number | null
  to: number | null
  /** What it grew by from one to the other. */
  grown: number
}

export type Rollup = {
  startMs: number
  endMs: number
  good: number
  bad: number
  /** Of any quality. */
  firstMs: number
  lastMs: number
  /** The last sample is good: its value is valid beyond the end. */
  stands: boolean
  /** Of good samples; null: there are none. */
  min: number | null
  max: number | null
  first: number | null
  last: number | null
  /** Value times seconds, and seconds with a known value, each value until the next sample, `holdMs` or the end. */
  integral: number
  knownS: number
  /** Of meters with two good values or more. */
  steps: MeterSteps | null
}

/** Longest time that a value is valid without another one; a value on change is repeated by the heartbeat. */
export const holdMsOf = ({ cycleS, reportType }: { cycleS: number; reportType: ReportType }): number =>
  Math.min(86_400, 2.5 * (reportType === 'change' ? Math.max(HEARTBEAT_S, cycleS) : cycleS)) * 1000

export const QUARTER_MS = 900_000
export const HOUR_MS = 3_600_000
/** An hour is summed this long after its end: reports of its last seconds are on their way. */
export const ROLLUP_GRACE_MS = 60_000

/**
 * A value that fell and is back with the next sample is a glitch; one that stays down, or has no successor yet, is a reset.
 */
export const isGlitch = (before: number | null, value: number, after: number | null): boolean =>
  before !== null && value < before && after !== null && after >= before

/** Of a full scale: an overflow goes from behind its last quarter to before its first one. */
const NEAR = 0.25

type Registers = {
  ioController: IoController
  functionType: FunctionType
  dataType: DataType
  length: number | null
  powerAddress: number | null
  factor: number
  addend: number
}
/**
 * The value at which a meter begins again at 0, because its registers hold no more; null: it is no meter, or that is not
 * known, or so far away that a drop is a reset.
 */
export function wrapOf({
  ioController,
  functionType,
  powerAddress,
  factor,
  addend,
  ...type
}: Registers): number | null {
  if (functionType !== 'counter' || ioController === 'formula' || ioController === 'source') return null
  const bounds = rawBounds({ type: type.dataType, length: type.length ?? undefined })
  if (bounds?.[0] !== 0n || powerAddress !== null || addend !== 0 || factor <= 0) return null
  return bounds[1] < 2n ** 32n ? Number(bounds[1] + 1n) * factor : null
}

/** A meter that was reset begins at 0. @param wrapAt see `wrapOf` */
export function grownBy(before: number, value: number, wrapAt: number | null = null): number {
  if (value >= before) return value - before
  const isOver = wrapAt !== null && before < wrapAt && before >= (1 - NEAR) * wrapAt && value <= NEAR * wrapAt
  return isOver ? wrapAt - before + value : value
}

function stepsOf(values: readonly number[], wrapAt: number | null): MeterSteps | null {
  const { length } = values
  if (length < 2) return null
  let [from, to, grown]: [number | null, number | null, number] = [null, null, 0]
  for (let i = 1; i < length - 1; i++) {
    const value = values[i] as number
    if (isGlitch(values[i - 1] as number, value, values[i + 1] as number)) continue
    if (to === null) from = value
    else grown += grownBy(to, value, wrapAt)
    to = value
  }
  return { second: values[1] as number, beforeLast: values[length - 2] as number, from, to, grown }
}

/** What of a variable decides about its sums. */
export type Of = { holdMs: number; meter: boolean; wrapAt?: number | null }

/**
 * @param samples of the span from `startMs` to `endMs`, ascending, from index `at` up to but without `to`
 * @returns null without samples
 */
export function rollUp(
  samples: readonly Sample[],
  { startMs, endMs, holdMs, meter, wrapAt = null }: Of & { startMs: number; endMs: number },
  at = 0,
  to = samples.length,
): Rollup | null {
  const first = samples[at]
  const last = samples[to - 1]
  if (!first || !last || at >= to) return null
  const values: number[] = []
  let [min, max, integral, knownMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0]
  let [firstGood, lastGood]: (number | null)[] = [null, null]
  let good = 0
  for (let i = at; i < to; i++) {
    const [ms, value] = samples[i] as Sample
    if (value === null) continue
    good++
    if (meter) values.push(value)
    firstGood ??= value
    lastGood = value
    if (value < min) min = value
    if (value > max) max = value
    const next = i + 1 < to ? (samples[i + 1] as Sample)[0] : endMs
    const stood = Math.min(next, ms + holdMs, endMs) - ms
    integral += value * (stood / 1000)
    knownMs += stood
  }
  // Bytes in the wrong order make numbers whose sum is none: then the mean is not known, and the rest is.
  if (!Number.isFinite(integral)) [integral, knownMs] = [0, 0]
  return {
    startMs,
    endMs,
    good,
    bad: to - at - good,
    firstMs: first[0],
    lastMs: last[0],
    stands: last[1] !== null,
    min: good ? min : null,
    max: good ? max : null,
    first: firstGood ?? null,
    last: lastGood ?? null,
    integral,
    knownS: knownMs / 1000,
    steps: stepsOf(values, wrapAt),
  }
}

/** Rollups of equal spans that begin at `originMs`; spans without samples are missing. `endMs`: the last may be cut off. */
export function rollUpAll(
  samples: readonly Sample[],
  widthMs: number,
  of: Of & { originMs: number; endMs: number },
): Rollup[] {
  const all: Rollup[] = []
  for (let at = 0; at < samples.length; ) {
    const [ms] = samples[at] as Sample
    const startMs = of.originMs + Math.floor((ms - of.originMs) / widthMs) * widthMs
    const endMs = Math.min(startMs + widthMs, of.endMs)
    let to = at + 1
    while (to < samples.length && (samples[to] as Sample)[0] < startMs + widthMs) to++
    const made = rollUp(samples, { ...of, startMs, endMs }, at, to)
    if (made) all.push(made)
    at = to
  }
  return all
}
