import { expect, it } from 'vitest'
import { valueAt } from './live-value.ts'

const at = (seconds: number) => seconds * 1000

it('a level stays near what is usual for its unit, and moves', () => {
  const voltage = { name: 'voltage', unit: 'V', kind: 'gauge' } as const
  const values = Array.from({ length: 200 }, (_, i) => valueAt(voltage, 'meter', at(10 * i)))
  expect(Math.min(...values)).toBeGreaterThan(220)
  expect(Math.max(...values)).toBeLessThan(240)
  expect(new Set(values).size).toBe(200)
})

it('a meter only grows', () => {
  const energy = { name: 'energy', unit: 'kWh', kind: 'counter' } as const
  const values = Array.from({ length: 50 }, (_, i) => valueAt(energy, 'meter', at(60 * i)))
  expect(values).toEqual(values.toSorted((one, other) => one - other))
  expect(values.at(-1)).toBeGreaterThan(values[0] ?? 0)
})

it('a state is on or off', () => {
  const state = { name: 'pump', unit: '-', kind: 'state' } as const
  const values = new Set(Array.from({ length: 100 }, (_, i) => valueAt(state, 'plc', at(45 * i))))
  expect(values).toEqual(new Set([0, 1]))
})

it('what a percentage measures decides its level', () => {
  const of = (name: string) => valueAt({ name, unit: '%', kind: 'gauge' }, 'meter', at(10))
  expect(of('distortionL2')).toBeLessThan(6)
  expect(of('powerFactorPercent')).toBeGreaterThan(85)
})
