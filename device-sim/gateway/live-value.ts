/**
 * How simulated values change: levels drift around a typical value of their unit, meters only grow, states change
 * occasionally.
 */
import type { FunctionType } from '#schema/monitor/fields'
import { share } from '../random.ts'

/** By unit: the typical value, and the range of its drift. */
const usual: Readonly<Record<string, readonly [middle: number, drift: number]>> = {
  V: [230, 3],
  A: [6, 2],
  mA: [12, 3],
  W: [1_400, 300],
  kW: [14, 3],
  VA: [1_500, 300],
  kVA: [15, 3],
  var: [220, 60],
  kvar: [2.2, 0.6],
  Hz: [50, 0.04],
  '°C': [24, 3],
  '%RH': [52, 6],
  '%': [40, 10],
  '°': [15, 2],
  bar: [4, 0.3],
  kPa: [101, 2],
  Pa: [101_300, 300],
  'm³/h': [12, 2],
  ppm: [620, 90],
  lx: [420, 80],
  rpm: [1_450, 20],
}
/** What the unit does not tell; the phase is no part of the name. */
const usualOf: Readonly<Record<string, readonly [middle: number, drift: number]>> = {
  distortion: [3, 1],
  powerFactorPercent: [95, 3],
}
/** A share of one, such as a power factor; most values without a unit. */
const PLAIN: readonly [number, number] = [0.95, 0.03]
/** Growth per second by unit; others grow slowly. */
const growth: Readonly<Record<string, number>> = {
  kWh: 0.004,
  Wh: 4,
  kvarh: 0.0006,
  MWh: 0.000_004,
  'm³': 0.003,
  L: 0.8,
}

/** A day has its course, with slower and quicker changes upon it: so a chart of a day shows one, and one of an hour too. */
const COURSES = [
  { periodS: 86_400, share: 0.55, apart: 0.06 },
  { periodS: 9_000, share: 0.2, apart: 1 },
  { periodS: 420, share: 0.1, apart: 1 },
] as const
const STATE_S = 45
const YEAR_S = 31_536_000

export type Lively = { readonly name: string; readonly unit: string; readonly kind: FunctionType }

/** The value at a moment [ms], in its unit: the same for the same parts. */
export function valueAt({ name, unit, kind }: Lively, seed: string, now: number): number {
  const own = share(seed, name)
  const seconds = now / 1000
  if (kind === 'counter') {
    const perS = (growth[unit] ?? 0.01) * (0.5 + own)
    // Since the start of the year in which it was built in, so that it is neither tiny nor huge.
    return perS * (seconds % YEAR_S)
  }
  if (kind === 'state' || kind === 'control')
    return share(seed, name, Math.floor(seconds / STATE_S + own)) > 0.6 ? 1 : 0
  const [, drift] = levelOf({ name, unit })
  const waves = COURSES.map(
    ({ periodS, share: part, apart }) => part * Math.sin(2 * Math.PI * (seconds / periodS + own * apart)),
  )
  const noise = share(seed, name, Math.floor(seconds)) - 0.5
  return (
    meanOf({ name, unit, kind }, seed) + (waves.reduce((sum, wave) => sum + wave, 0) + noise * 0.2) * drift
  )
}

const levelOf = ({ name, unit }: Pick<Lively, 'name' | 'unit'>) =>
  usualOf[name.replace(/L[123]$/, '')] ?? usual[unit] ?? PLAIN

/** The value around which a level moves. */
export function meanOf(level: Lively, seed: string): number {
  const [middle, drift] = levelOf(level)
  return middle + (share(seed, level.name) - 0.5) * 0.6 * drift
}

/** What a level has added up to [unit · s] since the start of the year. */
export function risenBy(level: Lively, seed: string, now: number): number {
  const own = share(seed, level.name)
  const seconds = now / 1000
  const waves = COURSES.map(
    ({ periodS, share: part, apart }) =>
      -part * (periodS / (2 * Math.PI)) * Math.cos(2 * Math.PI * (seconds / periodS + own * apart)),
  )
  const [, drift] = levelOf(level)
  return meanOf(level, seed) * (seconds % YEAR_S) + waves.reduce((sum, wave) => sum + wave, 0) * drift
}
