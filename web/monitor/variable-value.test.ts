import { beforeAll, expect, it, vi } from 'vitest'
import { toCsv } from '../kit/list/csv.ts'
import { valueCell, valueText } from './variable-value.tsx'

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
