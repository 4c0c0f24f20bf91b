/** Ready panels: each widget of a template takes the variables of a project that fit, and is left out where none does. */
import type { FunctionType } from './fields.ts'
import { freePlace, inReading, type Placed, type WidgetKind } from './panel-layout.ts'

export const panelTemplates = ['empty', 'powerRoom', 'pumpStation'] as const
export type PanelTemplate = (typeof panelTemplates)[number]

/** Its text is `panel:title.<title>`. */
export type TemplateTitle =
  | 'power'
  | 'energy'
  | 'frequency'
  | 'voltages'
  | 'currents'
  | 'powerDay'
  | 'voltageDay'
  | 'pressure'
  | 'level'
  | 'flow'
  | 'pump'
  | 'mediumTemperature'
  | 'pressureDay'
  | 'states'
  | 'places'

type Slot = {
  kind: WidgetKind
  title: TemplateTitle
  x: number
  y: number
  w: number
  h: number
  /** Units, or what the numbers mean; absent: of no variables. */
  units?: readonly string[]
  means?: FunctionType
  /** How many variables it takes. */
  take?: number
  least?: number
  most?: number
  hours?: number
}

const slots: Readonly<Record<PanelTemplate, readonly Slot[]>> = {
  empty: [],
  powerRoom: [
    { kind: 'gauge', title: 'power', x: 0, y: 0, w: 6, h: 6, units: ['kW', 'W'] },
    { kind: 'figure', title: 'energy', x: 6, y: 0, w: 5, h: 3, units: ['kWh', 'MWh', 'Wh'] },
    { kind: 'figure', title: 'frequency', x: 6, y: 3, w: 5, h: 3, units: ['Hz'] },
    { kind: 'table', title: 'voltages', x: 11, y: 0, w: 7, h: 6, units: ['V', 'kV'], take: 9 },
    { kind: 'table', title: 'currents', x: 18, y: 0, w: 6, h: 6, units: ['A'], take: 9 },
    { kind: 'trend', title: 'powerDay', x: 0, y: 6, w: 14, h: 7, units: ['kW', 'W'], take: 4, hours: 24 },
    { kind: 'trend', title: 'voltageDay', x: 14, y: 6, w: 10, h: 7, units: ['V', 'kV'], take: 3, hours: 24 },
  ],
  pumpStation: [
    {
      kind: 'gauge',
      title: 'pressure',
      x: 0,
      y: 0,
      w: 6,
      h: 6,
      units: ['bar', 'kPa', 'MPa', 'Pa'],
      least: 0,
    },
    { kind: 'gauge', title: 'level', x: 6, y: 0, w: 6, h: 6, units: ['m', 'cm', '%'], least: 0 },
    {
      kind: 'figure',
      title: 'flow',
      x: 12,
      y: 0,
      w: 6,
      h: 3,
      units: ['m³/h', 'm3/h', 'l/min', 'L/min', 'l/s'],
    },
    { kind: 'figure', title: 'power', x: 12, y: 3, w: 6, h: 3, units: ['kW', 'W'] },
    { kind: 'switch', title: 'pump', x: 18, y: 0, w: 6, h: 3, means: 'control' },
    { kind: 'figure', title: 'mediumTemperature', x: 18, y: 3, w: 6, h: 3, units: ['°C'] },
    {
      kind: 'trend',
      title: 'pressureDay',
      x: 0,
      y: 6,
      w: 12,
      h: 7,
      units: ['bar', 'kPa', 'MPa', 'Pa', 'm'],
      take: 4,
      hours: 24,
    },
    { kind: 'table', title: 'states', x: 12, y: 6, w: 7, h: 7, means: 'state', take: 12 },
    { kind: 'map', title: 'places', x: 19, y: 6, w: 5, h: 7 },
  ],
}

export type Candidate = {
  terminalId: number
  variableId: number
  name: string
  unit: string
  functionType: FunctionType
}
type Filled = Placed & {
  kind: WidgetKind
  title: string
  variables: { terminalId: number; variableId: number }[]
  least?: number
  most?: number
  hours?: number
}

/**
 * For one value: of the first meter the total instead of its first phase, if it is called as the phase is, without it ("Power" and
 * "Power L1"; in Chinese the phase comes first). Otherwise the first one: a shorter name may be that of anything else.
 */
function totalOf(found: readonly Candidate[]): readonly Candidate[] {
  const [first] = found
  if (first === undefined) return []
  const totals = found.filter(
    ({ terminalId, unit, name }) =>
      terminalId === first.terminalId &&
      unit === first.unit &&
      (first.name.startsWith(name) || first.name.endsWith(name)),
  )
  return totals.toSorted((one, other) => one.name.length - other.name.length).slice(0, 1)
}

/**
 * The widgets of a template for a project with these variables, in their order. A widget that finds none is kept without
 * variables if no widget finds any: the template then shows what belongs where.
 */
export function filledTemplate(
  template: PanelTemplate,
  candidates: readonly Candidate[],
  say: (title: TemplateTitle) => string,
): Filled[] {
  const fits = (one: Candidate, units: Slot['units'], means: Slot['means']) =>
    units ? units.includes(one.unit) : one.functionType === means
  const widgets = slots[template].map(({ units, means, take = 1, title, ...slot }, i): Filled => {
    const fitting = candidates.filter((one) => fits(one, units, means))
    const found = take === 1 ? totalOf(fitting) : fitting.slice(0, take)
    return {
      ...slot,
      key: `t${i}`,
      title: say(title),
      variables: found.map(({ terminalId, variableId }) => ({ terminalId, variableId })),
    }
  })
  const shown = widgets.filter(({ kind, variables }) => kind === 'map' || variables.length > 0)
  if (shown.every(({ kind }) => kind === 'map')) return widgets
  return closedUp(shown)
}

/** Without the gaps that missing widgets leave, in the same order. */
function closedUp(widgets: readonly Filled[]): Filled[] {
  const list: Filled[] = []
  for (const one of inReading(widgets)) list.push({ ...one, ...freePlace(list, one) })
  return list
}
