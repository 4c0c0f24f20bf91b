import { describe, expect, it } from 'vitest'
import { csvLine } from '#schema/kit/csv'
import type { Fault } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'
import { cellsOf } from './cells.ts'
import { readTable, withRepeats } from './table.ts'

describe('cells', () => {
  it('of a CSV file are what was written into it, formulas and all', () => {
    const rows = [
      ['name', 'unit', 'note'],
      ['Voltage, "L1"', '-', '=1+1'],
      ['two\nlines', '+5', "'quoted'"],
      ['-40', '', '  @cell'],
    ]
    expect(cellsOf(`\uFEFF${rows.map(csvLine).join('')}`)).toEqual({
      rows,
      lines: [1, 2, 3, 4],
      unclosed: null,
      decimalComma: false,
    })
  })

  it('of a paste are divided by tabs, with commas in them', () => {
    expect(cellsOf('name\taddress\nA, B\t12\n\n \t\nC\t13').rows).toEqual([
      ['name', 'address'],
      ['A, B', '12'],
      ['C', '13'],
    ])
    expect(cellsOf('name;address\r\n5" pipe;7').rows[1]).toEqual(['5" pipe', '7'])
    expect(cellsOf('a,b\n"x,1').unclosed).toBe(2)
  })

  it.each(['\n', '\r\n', '\r'])(
    'end with their line, and are counted as a spreadsheet counts them (%j)',
    (end) => {
      const { rows, lines, unclosed } = cellsOf(['', 'a,b', '"two', 'lines",1', ',', 'x,2', 'y,"'].join(end))
      expect(rows.map(([first]) => first)).toEqual(['a', `two${end}lines`, 'x', 'y'])
      expect({ lines, unclosed }).toEqual({ lines: [2, 3, 5, 6], unclosed: 6 })
    },
  )
})

it('a choice may be written as the form shows it', () => {
  const fields: FormField[] = [
    { name: 'registerType', input: 'choice', required: true, options: ['coil', 'holding'] },
  ]
  const shown = { registerType: { coil: '线圈', holding: 'Holding register' } }
  const read = readTable(cellsOf('registerType\n线圈\nholding  register\nCOIL\nflash'), fields, {
    shown: [shown],
  })
  expect(read.rows.map(({ values }) => values['registerType'])).toEqual(['coil', 'holding', 'coil', 'flash'])
  expect(read.rows.map(({ faults }) => Object.keys(faults).length)).toEqual([0, 0, 0, 1])
})

describe('a table of variables', () => {
  const fields: FormField[] = [
    { name: 'name', input: 'text', required: true, minLength: 1, maxLength: 10, trims: true },
    { name: 'address', input: 'number', required: false, whole: true, min: 0, max: 65_535 },
    { name: 'dataType', input: 'choice', required: true, options: ['int16', 'float32'] },
    { name: 'factor', input: 'number', required: false, initial: 1 },
  ]
  const read = (text: string) =>
    readTable(cellsOf(text), fields, {
      headings: { address: ['Start address', '起始地址'] },
      between: ({ factor }): Record<string, Fault> =>
        factor === 0 ? { factor: { reason: 'less', n: 1 } } : {},
    })

  it('gives values with their types, and what is left out its initial value', () => {
    expect(read('Name\t起始地址\tdata_type\nU1\t0x10\tFLOAT32').rows[0]).toMatchObject({
      line: 2,
      values: { name: 'U1', address: 16, dataType: 'float32', factor: 1 },
      faults: {},
    })
  })

  it('of a file with semicolons reads decimal commas; elsewhere they are left for the check', () => {
    const of = (text: string) => read(text).rows.map(({ values, faults }) => [values['factor'], faults])
    expect(of('name;dataType;factor\nU1;int16;0,1\nU2;int16;-,5\nU3;int16;0.2\nU4;int16;1.000,5')).toEqual([
      [0.1, {}],
      [-0.5, {}],
      [0.2, {}],
      ['1.000,5', { factor: { reason: 'number' } }],
    ])
    expect(of('name\tdataType\tfactor\nU1\tint16\t0,1')).toEqual([['0,1', { factor: { reason: 'number' } }]])
  })

  it('names each wrong cell by line and column', () => {
    const { rows } = read(
      'name,start address,dataType,factor\nU1,70000,int16,1\nA name too long,1.5,int8,x\n,3,int16,\nU2,4,int16,0',
    )
    expect(rows.map(({ line, faults }) => [line, faults])).toEqual([
      [2, { address: { reason: 'greater', n: 65_535 } }],
      [
        3,
        {
          name: { reason: 'longer', n: 10 },
          address: { reason: 'whole' },
          dataType: { reason: 'choice' },
          factor: { reason: 'number' },
        },
      ],
      [4, { name: { reason: 'required' } }],
      [5, { factor: { reason: 'less', n: 1 } }],
    ])
    expect(rows[1]?.texts).toMatchObject({ address: '1.5', factor: 'x' })
  })

  it('says which columns it does not know and which it needs', () => {
    expect(read('name,colour\nU1,red')).toMatchObject({ unknown: ['colour'], missing: ['dataType'] })
  })

  it('finds names that occur twice', () => {
    const twice = withRepeats(read('name,dataType\nU1,int16\nu1 ,int16'), 'name', { reason: 'unknown' })
    expect(twice.rows.map(({ faults }) => Object.keys(faults))).toEqual([[], ['name']])
    const others = read('name,dataType\nDI_1_1,int16\nDI_11,int16\nL1 2,int16\nL12,int16')
    expect(withRepeats(others, 'name', { reason: 'twice' })).toEqual(others)
  })
})
