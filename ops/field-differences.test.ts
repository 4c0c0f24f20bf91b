import { expect, it } from 'vitest'
import { fieldDifferences } from './field-differences.ts'

const row = (id: string, ssid: string) => ({ id, ssid, hidden: false })

it('of rows only the fields that differ are named, by the section of the row', () => {
  const own = [row('guest', 'Shop'), row('@1', 'Till')]
  const other = [row('guest', 'Mall'), row('@1', 'Till')]
  expect(fieldDifferences('wireless.networks', own, other)).toEqual([
    { place: 'wireless.networks[guest].ssid', own: 'Shop', other: 'Mall' },
  ])
  expect(fieldDifferences('wireless.networks', own, [own[0]])).toEqual([
    { place: 'wireless.networks[1]', own: own[1], other: null },
  ])
})

it('the same rows in another order are one difference', () => {
  const [a, b] = [row('a', 'A'), row('b', 'B')]
  expect(fieldDifferences('firewall.rules', [a, b], [b, a])).toEqual([
    { place: 'firewall.rules', own: ['a', 'b'], other: ['b', 'a'] },
  ])
})

it('sections are followed; plain values and lists of them are whole', () => {
  expect(fieldDifferences('sim.sim1', { apn: 'a', metric: 1 }, { apn: 'b', metric: 1 })).toEqual([
    { place: 'sim.sim1.apn', own: 'a', other: 'b' },
  ])
  expect(fieldDifferences('sim.sim1', { apn: 'a', metric: 1 }, { apn: 'a' })).toEqual([])
  expect(fieldDifferences('wan.dns', ['1.1.1.1'], [])).toEqual([
    { place: 'wan.dns', own: ['1.1.1.1'], other: [] },
  ])
  expect(fieldDifferences('wan.metric', 1, 1)).toEqual([])
})
