/**
 * What meters and inverters measure of one line: the values belong together. A phase has a voltage, a current and a power factor, its
 * powers follow from them, the totals are sums over the phases, and the energy is what the power has added up to.
 */
import { type Lively, meanOf, risenBy, valueAt } from './live-value.ts'

/** Of a total, of a phase, or between two phases. */
const NAME =
  /^(voltage|current|power|acPower|apparentPower|reactivePower|powerFactor|imported|exported|total|yield|reactiveImported|reactiveExported|reactiveTotal|dcPower|dcCurrent)(?:L([123])([123])?)?$/
const SCALE: Readonly<Record<string, number>> = { k: 1e3, M: 1e6 }
const scaleOf = (unit: string) => (unit.length > 1 ? (SCALE[unit[0] ?? ''] ?? 1) : 1)

/** An inverter turns less into alternating current than it gets. */
const EFFICIENCY = 0.97
/** What was on the counter before, so that it does not begin at nothing. */
const BEFORE_KWH = 500
const EXPORTED_KWH = 12

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)

type Phase = { volts: number; amperes: number; factor: number }
const phaseOf = (suffix: string, of: (part: Lively) => number): Phase => ({
  volts: of({ name: `voltage${suffix}`, unit: 'V', kind: 'gauge' }),
  amperes: of({ name: `current${suffix}`, unit: 'A', kind: 'gauge' }),
  factor: Math.min(1, of({ name: `powerFactor${suffix}`, unit: '-', kind: 'gauge' })),
})
const apparent = ({ volts, amperes }: Phase) => volts * amperes
const active = (phase: Phase) => apparent(phase) * phase.factor
const reactive = (phase: Phase) => Math.sqrt(apparent(phase) ** 2 - active(phase) ** 2)

/**
 * @param names of everything that the equipment measures
 * @returns the value in its unit at a moment [ms]; undefined: it is no part of the line, and lives by itself
 */
export function lineOf(names: readonly string[], seed: string) {
  const short = (name: string) => name.replace(/^grid([VC])/, (_, first: string) => first.toLowerCase())
  const suffixes = names.some((name) => /L1$/.test(name)) ? ['L1', 'L2', 'L3'] : ['']
  // A piece of equipment is read at one moment after the other: each phase once for each.
  let moment = Number.NaN
  const phases = new Map<string, Phase>()
  const phaseAt = (suffix: string, now: number) => {
    if (now !== moment) phases.clear()
    moment = now
    const known = phases.get(suffix) ?? phaseOf(suffix, (part) => valueAt(part, seed, now))
    phases.set(suffix, known)
    return known
  }
  const means = new Map(
    ['', 'L1', 'L2', 'L3'].map((suffix) => [suffix, phaseOf(suffix, (part) => meanOf(part, seed))]),
  )
  /** Energy [kWh, kvarh] of a phase: voltage and power factor hardly move, so the mean ones, and the charge that has flown. */
  const energy = (suffix: string, now: number, share: (phase: Phase) => number) => {
    const mean = means.get(suffix)
    if (!mean) return 0
    const ampereSeconds = risenBy({ name: `current${suffix}`, unit: 'A', kind: 'gauge' }, seed, now)
    return BEFORE_KWH + (share(mean) / mean.amperes) * (ampereSeconds / 3.6e6)
  }
  return ({ name, unit }: Lively, now: number): number | undefined => {
    const [, quantity, one, other] = NAME.exec(short(name)) ?? []
    if (quantity === undefined) return undefined
    const own = one === undefined ? suffixes : [`L${one}`]
    const asked = (other === undefined ? own : [`L${one}`, `L${other}`]).map((suffix) => phaseAt(suffix, now))
    const added = (share: (phase: Phase) => number) => sum(own.map((suffix) => energy(suffix, now, share)))
    const mean = (part: (phase: Phase) => number) => sum(asked.map(part)) / asked.length
    const exported = EXPORTED_KWH * own.length
    const values: Readonly<Record<string, () => number>> = {
      voltage: () => mean(({ volts }) => volts) * (other === undefined ? 1 : Math.sqrt(3)),
      current: () => sum(asked.map(({ amperes }) => amperes)),
      powerFactor: () => sum(asked.map(active)) / sum(asked.map(apparent)),
      power: () => sum(asked.map(active)),
      acPower: () => sum(asked.map(active)),
      dcPower: () => sum(asked.map(active)) / EFFICIENCY,
      dcCurrent: () =>
        sum(asked.map(active)) /
        EFFICIENCY /
        valueAt({ name: 'dcVoltage', unit: 'V', kind: 'gauge' }, seed, now),
      apparentPower: () => sum(asked.map(apparent)),
      reactivePower: () => sum(asked.map(reactive)),
      imported: () => 1e3 * added(active),
      yield: () => 1e3 * added(active),
      exported: () => 1e3 * exported,
      total: () => 1e3 * (added(active) + exported),
      reactiveImported: () => 1e3 * added(reactive),
      reactiveExported: () => 1e3 * exported,
      reactiveTotal: () => 1e3 * (added(reactive) + exported),
    }
    const value = values[quantity]?.()
    return value === undefined ? undefined : value / scaleOf(unit)
  }
}
