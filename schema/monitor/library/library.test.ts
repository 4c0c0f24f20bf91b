import { describe, expect, it } from 'vitest'
import { languages } from '#schema/kit/refusal'
import { addTemplate } from '../collection-template.ts'
import { isBitTable, registersOf } from '../modbus/shape.ts'
import { compilePlan } from '../plan/compile.ts'
import type { VariableRow } from '../plan/rows.ts'
import { namesOf, templateValues } from '../template/from-library.ts'
import {
  isAskedAgain,
  modelVariables,
  nextStep,
  SUNSPEC_BASES,
  startWalk,
  type Walk,
  walkedVariables,
  walkOn,
} from '../template/sunspec.ts'
import { AS_TEMPLATE, addVariable } from '../variable.ts'
import { library } from './library.ts'

describe('the library of templates', () => {
  it('has at least ten, of power meters, climate, PLC and inverters, with their sources', () => {
    expect(library.length).toBeGreaterThanOrEqual(10)
    expect(new Set(library.map(({ type }) => type))).toEqual(
      new Set(['powerMeter', 'climate', 'plc', 'inverter']),
    )
    expect(new Set(library.map(({ key }) => key)).size).toBe(library.length)
    for (const { source } of library) {
      expect(source.document.length).toBeGreaterThan(10)
      expect(source.read.length).toBeGreaterThan(5)
    }
  })

  it.each(library.map((template) => [template.key, template] as const))(
    '%s fits its tables',
    (_, template) => {
      const { variables, probe } = template
      expect(new Set(variables.map(({ key }) => key)).size).toBe(variables.length)
      if (probe) expect(variables.map(({ key }) => key)).toContain(probe.key)
      for (const variable of variables) {
        const { registerType, address, dataType, access, factor, noValue, min, max } = variable
        expect(isBitTable(registerType), variable.key).toBe(dataType === 'bool')
        expect(address + registersOf({ type: dataType })).toBeLessThanOrEqual(65_536)
        if (access !== 'read') expect(['coil', 'holding']).toContain(registerType)
        expect(factor).not.toBe(0)
        if (noValue) expect(noValue.length).toBe(4 * registersOf({ type: dataType }))
        if (min !== undefined && max !== undefined) expect(min).toBeLessThan(max)
      }
      const taken = variables.map(({ registerType, address }) => `${registerType} ${address}`)
      expect(new Set(taken).size).toBe(taken.length)
    },
  )

  it.each(languages)('has names of its own in %s, none longer than a form allows', (language) => {
    for (const template of library) {
      const values = templateValues(template, language)
      const names = values.variables.map(({ name }) => name)
      expect(new Set(names.map((name) => name.toLowerCase())).size, template.key).toBe(names.length)
      expect(Math.max(...names.map(({ length }) => length), values.name.length)).toBeLessThanOrEqual(64)
      expect(values.remark.length).toBeLessThanOrEqual(500)
      expect(namesOf(template)).toContain(values.name)
      if (language !== 'en-US' && template.type !== 'climate') expect(values.name).toMatch(/\p{Script=Han}/u)
    }
  })

  it.each(languages)('is accepted in %s by the forms for a template and its variables', (language) => {
    for (const template of library) {
      const { variables, libraryKey: _, ...values } = templateValues(template, language)
      expect(addTemplate.body.safeParse(values).error?.issues, template.key).toBeUndefined()
      for (const variable of variables) {
        const parsed = addVariable.body.safeParse({ templateId: 1, ...variable })
        expect(parsed.error?.issues, `${template.key} ${variable.name}`).toBeUndefined()
        // A form that did not know a field would drop it without a word.
        expect(parsed.data).toMatchObject(variable)
      }
    }
  })

  it('compiles into few requests, none for more registers than the maker allows', () => {
    /** With more these meters answer with an exception, and no value ever comes. */
    const most: Record<string, number> = {
      'eastron-sdm230': 80,
      'eastron-sdm630': 80,
      'eastron-sdm72': 80,
      'carlo-gavazzi-em24': 11,
      'carlo-gavazzi-em340': 50,
    }
    const requests = Object.fromEntries(
      library.map((template) => {
        const rows = templateValues(template, 'en-US').variables.map(
          (values, slot): VariableRow => ({
            formula: null,
            interfaceNumber: null,
            bit: null,
            length: null,
            noValue: null,
            powerAddress: null,
            min: null,
            max: null,
            hidden: false,
            templateId: 1,
            slot,
            ...values,
            byteOrder: values.byteOrder === AS_TEMPLATE ? null : values.byteOrder,
          }),
        )
        const { terminals, lint } = compilePlan({
          terminals: [
            {
              id: 1,
              templateId: 1,
              protocol: 'modbusRtu',
              slaveId: 1,
              slaveAddress: 'bus1',
              port: null,
              serialPort: null,
              baudRate: 9_600,
              parity: 'none',
              dataBits: 8,
              stopBits: 1,
            },
          ],
          templates: [{ ...templateValues(template, 'en-US'), id: 1, retries: 2, pollMs: 5_000 }],
          variables: rows,
          interfaces: false,
        })
        expect(lint, template.key).toEqual([])
        expect(terminals[0]?.vars.length).toBe(rows.length)
        const largest = Math.max(...(terminals[0]?.reads ?? []).map(({ count }) => count))
        expect(largest, template.key).toBeLessThanOrEqual(most[template.key] ?? 125)
        return [template.key, terminals[0]?.reads.length]
      }),
    )
    expect(requests['eastron-sdm230']).toBe(4)
    expect(Math.max(...Object.values(requests).map((count) => count ?? 0))).toBeLessThanOrEqual(9)
  })
})

describe('the walk through a SunSpec device', () => {
  /** Holding registers of a device; others are refused. */
  function walked(base: number, words: readonly number[]) {
    let walk: Walk = startWalk()
    for (let steps = 0; steps < 100; steps++) {
      const step = nextStep(walk)
      if ('models' in step) return step.models
      const from = step.read.address - base
      const inside = from >= 0 && from + step.read.count <= words.length
      walk = walkOn(walk, inside ? words.slice(from, from + step.read.count) : null)
    }
    throw new Error('the walk does not end')
  }
  const model = (id: number, length: number) => [id, length, ...Array.from({ length }, () => 7)]
  const device = [0x5375, 0x6e53, ...model(1, 65), ...model(103, 50), ...model(160, 28), ...model(203, 105)]

  it.each(SUNSPEC_BASES)('finds its models at %i', (base) => {
    expect(walked(base, [...device, 0xffff, 0])).toEqual([
      { id: 1, address: base + 2, length: 65 },
      { id: 103, address: base + 69, length: 50 },
      { id: 160, address: base + 121, length: 28 },
      { id: 203, address: base + 151, length: 105 },
    ])
    // Some devices refuse to read the end instead of saying it.
    expect(walked(base, device)?.length).toBe(4)
  })

  it('asks again where a line is disturbed, so that it does not end before the end of the map', () => {
    const begun = walkOn(startWalk(), [0x5375, 0x6e53])
    const asked = (walk: Walk, outcome: 'timeout' | 'crc' | 'exception' | 'answered') =>
      [1, 2, 3].map((tries) => isAskedAgain(walk, { outcome }, tries))
    expect(asked(begun, 'timeout')).toEqual([true, true, false])
    expect(asked(startWalk(), 'crc')).toEqual([true, true, false])
    expect(asked(startWalk(), 'timeout')).toEqual([false, false, false])
    expect(asked(begun, 'exception')).toEqual([false, false, false])
  })

  it('is no SunSpec device without the mark, and comes to an end in noise', () => {
    expect(walked(40_000, [1, 2, 3, 4, 5, 6])).toBeNull()
    expect(
      walked(40_000, [0x5375, 0x6e53, ...Array.from({ length: 400 }, () => [9, 1, 0]).flat()])?.length,
    ).toBe(64)
    expect(walked(40_000, [0x5375, 0x6e53, 1, 0])).toEqual([])
  })

  it('makes variables whose power of ten is read in the same request', () => {
    const found = walked(40_000, [...device, ...model(203, 105), 0xffff, 0]) ?? []
    const variables = walkedVariables(found)
    expect(variables.find(({ key }) => key === 'acPower')).toMatchObject({
      registerType: 'holding',
      address: 40_083,
      powerAddress: 40_084,
      dataType: 'int16',
      noValue: '8000',
      unit: 'W',
    })
    expect(variables.find(({ key }) => key === 'yield')).toMatchObject({ factor: 0.001, unit: 'kWh' })
    expect(new Set(variables.map(({ key }) => key)).size).toBe(variables.length)
    expect(variables.find(({ key }) => key === 'frequency_3')?.name[1]).toBe('频率（3）')
    expect(modelVariables({ id: 64_000, address: 0 })).toEqual([])
    expect(modelVariables({ id: 101, address: 0 }).some(({ key }) => key === 'currentL2')).toBe(false)
  })
})
