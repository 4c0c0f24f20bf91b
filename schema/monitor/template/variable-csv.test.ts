import { describe, expect, it } from 'vitest'
import { formOf } from '#schema/kit/form'
import { languages } from '#schema/kit/refusal'
import { library } from '../library/library.ts'
import { addVariable } from '../variable.ts'
import { type VariableFields, variableFaults } from '../variable-rules.ts'
import { cellsOf } from './cells.ts'
import { templateValues } from './from-library.ts'
import { readTable } from './table.ts'
import { variableColumns, variableCsv } from './variable-csv.ts'

const fields = formOf(addVariable.body).filter(({ name }) => name !== 'templateId')
const read = (text: string) =>
  readTable(cellsOf(text), fields, {}, (values) => variableFaults(values as unknown as VariableFields))

describe('variables as CSV', () => {
  it.each(languages)('come back as they were written, in %s', (language) => {
    for (const template of library) {
      const { variables } = templateValues(template, language)
      const { rows, unknown, missing } = read(variableCsv(variables, fields))
      expect({ unknown, missing }).toEqual({ unknown: [], missing: [] })
      expect(
        rows.flatMap(({ line, faults }) => (Object.keys(faults).length > 0 ? [{ line, faults }] : [])),
      ).toEqual([])
      rows.forEach(({ values }, i) => {
        const parsed = addVariable.body.parse({ templateId: 1, ...values })
        expect(parsed, template.key).toMatchObject(variables[i] ?? {})
      })
    }
  })

  it('have the columns of the form, without the template that they belong to', () => {
    const columns = variableColumns(formOf(addVariable.body))
    expect(columns.slice(0, 3)).toEqual(['name', 'unit', 'functionType'])
    expect(columns).toContain('powerAddress')
    expect(columns).not.toContain('templateId')
  })

  it('are refused cell by cell by the rules of the form', () => {
    const head = 'name,unit,registerType,address,dataType,byteOrder,reportType,access,factor\n'
    const wrong = read(
      `${head}U,V,coil,1,int16,ABCD,both,read,1\nI,A,input,65536,uint16,ABCD,both,read,1\nP,W,input,9,uint16,ABCD,both,write,1\nQ,W,input,9,uint16,EFGH,both,read,1`,
    )
    expect(wrong.rows.map(({ line, faults }) => [line, ...Object.keys(faults)])).toEqual([
      [2, 'dataType'],
      [3, 'address'],
      [4, 'access'],
      [5, 'byteOrder'],
    ])
  })
})
