/** What one piece of equipment measures belongs together: read through the registers, as a gateway reads it. */
import { describe, expect, it } from 'vitest'
import { simulatedEquipment } from '#schema/monitor/simulated'
import { readerOf, slaveOf } from './simulated-slaves.ts'

const START = Date.UTC(2026, 10, 20)
const HOUR_MS = 3_600_000
const metering = simulatedEquipment.filter(({ template }) =>
  template.variables.some(({ key }) => /power$/i.test(key)),
)

describe.each(metering)('$template.key', ({ unit, template }) => {
  let now = START
  const read = readerOf(
    slaveOf(template, unit, () => now),
    template,
  )
  const slots = template.variables.map((_, slot) => slot)
  const at = (time: number) => {
    now = time
    const values = read(slots)
    return (key: string) => {
      const slot = template.variables.findIndex((one) => one.key === key)
      return slot === -1 ? undefined : Number(values[slot]?.value)
    }
  }
  const hours = Array.from({ length: 24 }, (_, n) => at(START + n * HOUR_MS))
  const phased = (key: string) =>
    hours.flatMap((of) => {
      const parts = ['L1', 'L2', 'L3'].map((phase) => of(key + phase))
      const total = of(key)
      return total === undefined || parts.some((part) => part === undefined)
        ? []
        : [{ total, parts: parts.map(Number) }]
    })

  it.each(['power', 'apparentPower', 'reactivePower', 'imported', 'exported'])(
    '%s is that of its phases together',
    (key) => {
      for (const { total, parts } of phased(key)) {
        const sum = parts.reduce((all, one) => all + one, 0)
        expect(Math.abs(total - sum)).toBeLessThan(Math.max(4, total / 500))
      }
    },
  )

  it('the powers follow from voltage, current and power factor', () => {
    for (const of of hours)
      for (const phase of ['L1', 'L2', 'L3', '']) {
        const [volts, amperes, watts, factor] = ['voltage', 'current', 'power', 'powerFactor'].map((key) =>
          of(key + phase),
        )
        // The total of three phases has no voltage of its own.
        if (
          [volts, amperes, watts, factor].includes(undefined) ||
          (phase === '' && of('voltageL1') !== undefined)
        )
          continue
        expect(Number(factor)).toBeLessThanOrEqual(1)
        const expected = Number(volts) * Number(amperes) * Number(factor)
        expect(Math.abs(Number(watts) - expected)).toBeLessThan(expected / 50)
      }
  })

  it('the energy of a day is what the power adds up to', () => {
    const [first, last] = [at(START), at(START + 24 * HOUR_MS)]
    const [from, to] = [first('imported') ?? first('yield'), last('imported') ?? last('yield')]
    const mean = hours.reduce((all, of) => all + Number(of('power') ?? of('acPower')), 0) / hours.length
    expect(Math.abs(Number(to) - Number(from) - (mean / 1000) * 24)).toBeLessThan((mean / 1000) * 2)
  })
})
