import { beforeAll, describe, expect, it, vi } from 'vitest'
import { formOf } from '#schema/kit/form'
import { type Language, languages } from '#schema/kit/refusal'
import { library } from '#schema/monitor/library/library'
import { templateValues } from '#schema/monitor/template/from-library'
import { readVariables, type VariableTexts } from '#schema/monitor/template/variables-table'
import { addVariable } from '#schema/monitor/variable'
import { loadWords, startI18n, t } from '../kit/i18n.ts'
import { toCsv } from '../kit/list/csv.ts'
import { variableColumns } from './variable-columns.tsx'
import type { Variable } from './variable-editor.tsx'
import { variableTexts } from './variable-texts.ts'

const texts: Partial<Record<Language, VariableTexts>> = {}
beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh-CN' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['variable'])
  for (const one of languages) texts[one] = await variableTexts(one)
})

const fields = formOf(addVariable.body)
const inOrder = (...order: Language[]) => order.map((one) => texts[one] ?? {})
const read = (text: string, known: readonly object[] = []) =>
  readVariables(text, fields, inOrder('en-US', 'zh-CN', 'zh-TW'), known as Record<string, unknown>[])
const faultsIn = ({ rows }: ReturnType<typeof read>) =>
  rows.flatMap(({ line, faults }) => (Object.keys(faults).length > 0 ? [{ line, faults }] : []))

const all = {
  registerType: null,
  address: null,
  interfaceNumber: null,
  formula: null,
  bit: null,
  length: null,
}
const none = { ...all, noValue: null, powerAddress: null, min: null, max: null }
/** As the server answers. */
const row = (given: object): Variable =>
  ({
    ...none,
    id: 1,
    templateId: 1,
    slot: 0,
    hidden: false,
    edition: 'e',
    byteOrder: 'template',
    ...given,
  }) as Variable
const modbus = {
  name: 'U',
  unit: '-',
  functionType: 'gauge',
  access: 'read',
  ioController: 'modbus',
  registerType: 'holding',
  address: 0,
  dataType: 'uint16',
  factor: 1,
  addend: 0,
  precision: 0,
  reportType: 'both',
  cycleS: 60,
  deadband: 0,
  minIntervalMs: 0,
}
const rows = [
  row({ ...modbus, min: 0, max: 0, precision: 3, deadband: 0.5, minIntervalMs: 250 }),
  row({ ...modbus, name: 'Voltage, "L1" +5', unit: '°C', factor: -1e-7, addend: -273.15, byteOrder: 'CDAB' }),
  row({
    ...modbus,
    name: '=1+1',
    dataType: 'bits',
    bit: 0,
    length: 3,
    registerType: 'input',
    noValue: '7FFF',
  }),
  row({ ...modbus, name: '-A', powerAddress: 0, address: 3, cycleS: 86_400 }),
  row({
    ...modbus,
    name: '继电器',
    ioController: 'relay',
    interfaceNumber: 2,
    registerType: null,
    address: null,
    dataType: 'bool',
    access: 'readWrite',
  }),
  row({
    ...modbus,
    name: 'P',
    ioController: 'formula',
    formula: '-{U} * {-A}, 2',
    registerType: null,
    address: null,
    dataType: 'float64',
  }),
]
const csvOf = (list: readonly Variable[], columns = variableColumns.filter(({ csv }) => csv)) =>
  `\uFEFF${toCsv(
    list,
    columns.map((column) => ({ ...column, heading: t(column.title) })),
  )}`
/** What the server stores of it. */
const stored = (values: object) => addVariable.body.parse({ templateId: 1, ...values })
const sent = (one: object) => {
  const given = Object.entries(one).filter(
    ([name, value]) => value !== null && fields.some((f) => f.name === name),
  )
  return Object.fromEntries(given)
}

describe('the CSV file of the variables of a template', () => {
  it('is read back by a user of another language as it was', () => {
    const back = read(csvOf(rows))
    expect({ unknown: back.unknown, missing: back.missing, wrong: faultsIn(back) }).toEqual({
      unknown: [],
      missing: [],
      wrong: [],
    })
    const dropped = { relay: ['dataType', 'byteOrder'], formula: ['dataType', 'byteOrder'] }
    back.rows.forEach(({ values }, i) => {
      const one = sent(rows[i] ?? {})
      for (const name of dropped[one['ioController'] as 'relay'] ?? []) delete one[name]
      expect(stored(values)).toMatchObject(one)
    })
  })

  it('has all of what the templates of the library have', () => {
    for (const template of library) {
      const variables = templateValues(template, 'zh-TW').variables
      const back = read(csvOf(variables.map(row)))
      expect(faultsIn(back), template.key).toEqual([])
      back.rows.forEach(({ values }, i) => {
        expect(stored(values), template.key).toMatchObject(variables[i] ?? {})
      })
    }
  })

  it('has each heading and choice of a language for one thing only, whatever the language of the reader', () => {
    const meanings = (of: (one: VariableTexts) => Record<string, string>) => {
      const found = languages.flatMap((one) => Object.entries(of(texts[one] ?? {})))
      return Map.groupBy(found, ([, text]) => text.toLowerCase().replace(/\s/g, ''))
    }
    const names = fields.map(({ name }) => name)
    const within = (key: string) => (one: VariableTexts) => (one[key] ?? {}) as Record<string, string>
    const heads = meanings((one) =>
      Object.fromEntries(Object.entries(within('field')(one)).filter(([name]) => names.includes(name))),
    )
    const twice = [
      heads,
      ...fields.flatMap(({ name, input }) => (input === 'choice' ? [meanings(within(name))] : [])),
    ]
      .flatMap((map) => [...map])
      .filter(([, found]) => new Set(found.map(([name]) => name)).size > 1)
    expect(twice).toEqual([])
  })
})

describe('rows of a name that the template has', () => {
  const known = [row({ ...modbus, address: 7, min: 5, precision: 2, byteOrder: 'CDAB', noValue: 'FFFF' })]

  it('keep what the table has no column for', () => {
    const { rows: changed, missing } = read('名称,上报周期（秒）\nｕ,5', known)
    expect(missing).toEqual([])
    expect(changed[0]?.faults).toEqual({})
    expect(stored(changed[0]?.values ?? {})).toMatchObject({
      ...sent(known[0] ?? {}),
      name: 'ｕ',
      cycleS: 5,
    })
  })

  it('lose what an empty cell says', () => {
    const { rows: changed } = read('name,min,precision,noValue\nU,,,', known)
    expect(changed[0]?.values).toMatchObject({ address: 7, byteOrder: 'CDAB', precision: 0 })
    expect(changed[0]?.values).not.toHaveProperty('min')
    expect(changed[0]?.values).not.toHaveProperty('noValue')
  })

  it('do not make up for the columns that a new one beside them needs', () => {
    expect(read('name,cycleS\nU,5\nI,5', known).missing).toEqual(['unit', 'reportType'])
  })
})

it('fields that a kind of variable does not have are not sent, whatever their cells hold', () => {
  const { rows: found } = read(
    'name,unit,reportType,ioController,formula,registerType,dataType,byteOrder\nP,W,both,formula,1 + 1,Formula,x,y',
  )
  expect(found[0]?.faults).toEqual({})
  expect(found[0]?.values).toMatchObject({ ioController: 'formula', formula: '1 + 1' })
  expect(Object.keys(found[0]?.values ?? {})).not.toContain('registerType')
})

it('faults are named by cell, by the rules of the form', () => {
  const head = 'name,unit,registerType,address,dataType,byteOrder,reportType,access,factor\n'
  const wrong = read(
    `${head}U,V,coil,1,int16,ABCD,both,read,1\n\nI,A,input,65536,uint16,ABCD,both,read,1\nP,W,input,9,uint16,ABCD,both,write,1\nQ,W,input,9,uint16,EFGH,both,read,1`,
  )
  expect(wrong.rows.map(({ line, faults }) => [line, ...Object.keys(faults)])).toEqual([
    [2, 'dataType'],
    [4, 'address'],
    [5, 'access'],
    [6, 'byteOrder'],
  ])
})

it('of a file with too many rows only as many are judged as a template can have', () => {
  const { rows: judged, total } = read(`name\n${'x\n'.repeat(300_000)}`)
  expect([judged.length, total]).toEqual([1_000, 300_000])
})
