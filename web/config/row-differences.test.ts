import { expect, it } from 'vitest'
import { fieldDifferences, isReordered, rowDifferences } from './row-differences.ts'

const names = ['ssid', 'channel', 'key', 'macs']
const rows = [
  { id: 'radio0', ssid: 'Shop', channel: 6 },
  { id: '@wifi[1]', ssid: 'Guests', channel: 11, key: '', macs: [] },
]

it('equal rows are no difference, at any position', () => {
  expect(rowDifferences(names, rows, rows.toReversed())).toEqual([])
  expect(isReordered(rows, rows.toReversed())).toBe(true)
  expect(isReordered(rows, [...rows])).toBe(false)
})

it('names the fields that differ, by the number of the row', () => {
  const [first, second] = rows
  expect(rowDifferences(names, rows, [{ ...first }, { ...second, channel: 1 }])).toEqual([
    { nth: 2, fields: ['channel'] },
  ])
})

it('of a row that the others lack names all that it says', () => {
  expect(rowDifferences(names, rows, rows.slice(0, 1))).toEqual([{ nth: 2, fields: ['ssid', 'channel'] }])
})

it('knows a row by its name if it has another id there', () => {
  const named = [{ id: 'a', name: 'Printer', ip: '10.0.0.5' }]
  expect(
    rowDifferences(['ip'], named, [
      { id: 'b', name: 'Till', ip: '10.0.0.9' },
      { id: 'c', name: 'Printer', ip: '10.0.0.5' },
    ]),
  ).toEqual([])
})

it('knows rows of one name apart by their order', () => {
  const twice = [
    { name: 'Allow-Web', port: '80' },
    { name: 'Allow-Web', port: '443' },
  ]
  expect(rowDifferences(['name', 'port'], twice, [...twice])).toEqual([])
  expect(rowDifferences(['name', 'port'], twice, twice.slice(0, 1))).toEqual([
    { nth: 2, fields: ['name', 'port'] },
  ])
})

it('does not compare an added row with the partner of another', () => {
  const [first] = rows
  const added = { id: '', ssid: 'New', channel: 6 }
  expect(rowDifferences(names, [added, { ...first }], rows.slice(0, 1))).toEqual([
    { nth: 1, fields: ['ssid', 'channel'] },
  ])
})

it('names the fields in which two sections differ; what neither says is the same', () => {
  const sim = { apn: 'iot.private', mode: 'auto', pin: null }
  expect(fieldDifferences(['apn', 'mode', 'pin'], sim, { apn: 'iot.private', mode: '4g', pin: '' })).toEqual([
    'mode',
  ])
})
