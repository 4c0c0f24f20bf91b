import { beforeAll, expect, it, vi } from 'vitest'
import { toCsv } from '../kit/list/csv.ts'
import { nameWithUnit } from './variable-columns.tsx'
import { valueCell, valueText } from './variable-value.tsx'
import { boundsText } from './variable-write.tsx'

beforeAll(() => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
})

const row = (value: number | null, precision = 2) =>
  ({ value, precision, text: null, dataType: 'float32' }) as Parameters<typeof valueCell>[0]

it('in CSV a value is a number for any spreadsheet, whatever it looks like in the list', () => {
  const rows = [row(-5.2), row(35_274.604), row(-1234.5, 0), row(1.70141183e38), row(null)]
  expect(rows.map(valueText)).toEqual(['-5.20', '35,274.60', '-1,235', '1.7014E38', '–'])
  const csv = toCsv(rows, [{ key: 'value', heading: 'Value', text: valueCell }])
  expect(csv.split('\r\n').slice(1)).toEqual(['-5.2', '35274.6', '-1235', '1.70141183e+38', '–'])
})

it('“-” means that there is no unit: it is shown nowhere', () => {
  expect(nameWithUnit({ name: 'Voltage', unit: 'V' })).toBe('Voltage (V)')
  expect(nameWithUnit({ name: 'Pump', unit: '-' })).toBe('Pump')
  expect(boundsText({ min: 0, max: 1, unit: '-' })).toBe('0 – 1')
})

it('bounds of a value to be set are not rounded', () => {
  expect(boundsText({ min: 0.5, max: 2.25, unit: 'bar' })).toBe('0.5 – 2.25 bar')
  expect(boundsText({ min: null, max: 1e-3, unit: 'A' })).toBe('… – 0.001 A')
  expect(boundsText({ min: null, max: null, unit: 'A' })).toBeUndefined()
})
