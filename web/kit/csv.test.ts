import { describe, expect, it } from 'vitest'
import { csvCell, toCsv } from './csv.ts'

describe('CSV', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['@cmd,x', '"\'@cmd,x"'],
    [-71, '-71'],
    [null, ''],
  ])('writes %j as %j: quoted where needed, formulas made inert, numbers left alone', (value, text) => {
    expect(csvCell(value)).toBe(text)
  })

  it('has the columns that are asked for, in their order', () => {
    const rows = [{ sn: 'A', online: true, signal: -71 }]
    const csv = toCsv(rows, [
      { key: 'signal', heading: 'Signal' },
      { key: 'online', heading: 'State', text: (row) => (row.online ? 'on' : 'off') },
    ])
    expect(csv).toBe('Signal,State\r\n-71,on')
  })
})
