/** Computed values are part of the report that they follow from. */
import { expect, it } from 'vitest'
import { qualityCode } from '#schema/monitor/fields'
import { plainScale } from '#test/collecting'
import { derivedOf } from './derive.ts'
import { merge, type Newest } from './newest.ts'
import type { Reading } from './reading.ts'
import { withDerived } from './with-derived.ts'

const input = (name: string, slot: number) => ({ name, slot, holdMs: 25_000 })
const scales = [
  plainScale(0),
  plainScale(1),
  plainScale(2, {
    type: 'float64',
    max: 5_000,
    formula: { text: 'U * I', order: 0, inputs: [input('U', 0), input('I', 1)] },
  }),
  plainScale(3, {
    type: 'float64',
    factor: 0.001,
    formula: { text: 'P', order: 1, inputs: [input('P', 2)] },
  }),
]
const empty = (): Newest => ({ at: [], vals: [], quality: [], texts: [], goodAt: [], goodVals: [] })
const reading = (over: Partial<Reading>): Reading => ({
  deviceId: 1,
  terminalId: 1,
  plan: 1,
  planAt: 0,
  at: 100_000,
  late: false,
  slots: [0, 1],
  vals: [230, 10],
  quality: null,
  texts: null,
  gap: null,
  derived: derivedOf(scales),
  ...over,
})
const formulaError = qualityCode('formulaError')

it('one after the other, each scaled and judged by its bounds', () => {
  expect(withDerived(reading({}), empty())).toMatchObject({
    slots: [0, 1, 2, 3],
    vals: [230, 10, 2300, 2.3],
    quality: null,
  })
  expect(withDerived(reading({ vals: [230, 100] }), empty())).toMatchObject({
    vals: [230, 100, 23_000, 23],
    quality: [0, 0, qualityCode('outOfRange'), 0],
  })
})

it('from the newest value of an input that did not come along, unless that is stale', () => {
  const newest = empty()
  merge(newest, reading({}))
  const half = { slots: [1], vals: [5] }
  expect(withDerived(reading({ at: 110_000, ...half }), newest)).toMatchObject({
    slots: [1, 2, 3],
    vals: [5, 1150, 1.15],
  })
  expect(withDerived(reading({ at: 130_000, ...half }), newest)).toMatchObject({
    vals: [5, null, null],
    quality: [0, formulaError, formulaError],
  })
})

it('a bad input makes a bad result; one that never came makes none', () => {
  expect(withDerived(reading({ vals: [230, null], quality: [0, 1] }), empty())).toMatchObject({
    vals: [230, null, null, null],
    quality: [0, 1, formulaError, formulaError],
  })
  expect(withDerived(reading({ slots: [0], vals: [230] }), empty()).slots).toEqual([0])
})

it('a late report is computed from itself alone', () => {
  const newest = empty()
  merge(newest, reading({}))
  expect(withDerived(reading({ late: true, at: 50_000 }), null).slots).toEqual([0, 1, 2, 3])
  expect(withDerived(reading({ late: true, slots: [1], vals: [5] }), null).slots).toEqual([1])
})

it('without formulas a report stays the same object', () => {
  const plain = reading({ derived: derivedOf([plainScale(0)]) })
  expect(withDerived(plain, empty())).toBe(plain)
})
