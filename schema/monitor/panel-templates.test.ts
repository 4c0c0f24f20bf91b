import { describe, expect, it } from 'vitest'
import { layoutFault } from './panel-layout.ts'
import { type Candidate, filledTemplate, panelTemplates } from './panel-templates.ts'

const of = (
  variableId: number,
  unit: string,
  functionType: Candidate['functionType'] = 'gauge',
  name = '',
) => ({
  terminalId: 1,
  variableId,
  name,
  unit,
  functionType,
})
const meter = [of(1, 'V'), of(2, 'V'), of(3, 'A'), of(4, 'kW'), of(5, 'kWh', 'counter')]
const say = (title: string) => title

describe.each(panelTemplates)('template %s', (template) => {
  it.each([
    ['no variables', []],
    ['a meter', meter],
    ['a pump', [of(1, 'bar'), of(2, 'm³/h'), of(3, '-', 'control'), of(4, '-', 'state')]],
  ])('is a panel that can be saved, with %s', (_, candidates) => {
    expect(layoutFault(filledTemplate(template, candidates, say))).toBeNull()
  })
})

it('takes the variables that fit by their units, in their order', () => {
  const widgets = filledTemplate('powerRoom', meter, say)
  const shown = Object.fromEntries(
    widgets.map(({ title, variables }) => [title, variables.map(({ variableId }) => variableId)]),
  )
  expect(shown).toEqual({
    power: [4],
    energy: [5],
    voltages: [1, 2],
    currents: [3],
    powerDay: [4],
    voltageDay: [1, 2],
  })
})

it('one value with the title of a total is the total of the first meter, not its first phase', () => {
  const phases = [
    of(1, 'W', 'gauge', 'A相有功功率'),
    of(2, 'W', 'gauge', 'B相有功功率'),
    of(3, 'W', 'gauge', '有功功率'),
    { ...of(4, 'W', 'gauge', '功率'), terminalId: 2 },
  ]
  const [gauge, trend] = filledTemplate('powerRoom', phases, say)
  expect(gauge).toMatchObject({ title: 'power', variables: [{ terminalId: 1, variableId: 3 }] })
  expect(trend?.variables).toHaveLength(4)
})

it('a variable with a shorter name does not take the place of the first, unless that is a phase of it', () => {
  const inverter = [
    of(1, 'W', 'gauge', '交流有功功率'),
    of(2, 'W', 'gauge', '直流功率'),
    of(3, 'kWh', 'counter', 'Energy total'),
    of(4, 'kWh', 'counter', 'Energy T1'),
  ]
  const [power, energy] = filledTemplate('powerRoom', inverter, say)
  expect([power?.variables[0]?.variableId, energy?.variables[0]?.variableId]).toEqual([1, 3])
  const pumps = [of(1, '-', 'control', 'Pump 1'), of(2, '-', 'control', 'Reset')]
  expect(filledTemplate('pumpStation', pumps, say)).toMatchObject([
    { title: 'pump', variables: [{ variableId: 1 }] },
    { title: 'places' },
  ])
})

it('leaves out what the project does not have, and closes up', () => {
  const widgets = filledTemplate('powerRoom', [of(1, 'A')], say)
  expect(widgets.map(({ title, y }) => [title, y])).toEqual([['currents', 0]])
})

it('shows what belongs where if the project has nothing that fits', () => {
  const widgets = filledTemplate('pumpStation', [of(1, 'V')], say)
  expect(widgets.map(({ title }) => title)).toContain('pump')
  expect(widgets.every(({ variables }) => variables.length === 0)).toBe(true)
})
