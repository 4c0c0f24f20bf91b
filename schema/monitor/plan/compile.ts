/**
 * Compiles terminals, their templates and variables to a gateway's polling plan, and to the data with which the
 * platform scales its responses. The same rows give the same plan to the byte, so its hash shows whether it has
 * changed.
 */

import { isModbus, type TerminalProtocol } from '../fields.ts'
import { slotFormulas } from '../formula/derived.ts'
import { type PlanScales, scaleOf, type VariableScale } from '../scale.ts'
import { BUSES_MAX, type PlanBus, type PlanDocument, type PlanTerminal, TERMINALS_MAX } from '../wire.ts'
import { interfaceType, isInterface } from './interfaces.ts'
import { lintBus, type PlanLint } from './lint.ts'
import { type Asked, readsOf, type TemplateReads } from './reads.ts'
import type { TemplateRow, TerminalRow, VariableRow } from './rows.ts'

export type PlanSource = {
  /** The input for one gateway. */
  terminals: readonly TerminalRow[]
  templates: readonly TemplateRow[]
  variables: readonly VariableRow[]
  /** The gateway serves its own inputs and outputs. */
  interfaces: boolean
}
export type CompiledPlan = Omit<PlanDocument, 'revision'> & { scales: PlanScales; lint: PlanLint[] }

export const TCP_PORT = 502
const kinds = {
  modbusRtu: 'rtu',
  modbusTcp: 'tcp',
  modbusRtuTcp: 'rtuTcp',
  interfaces: 'own',
  source: 'own',
} as const satisfies Record<TerminalProtocol, PlanBus['kind']>

/** The gateway itself, which is read without a serial line. */
export const ownLine: PlanBus = { kind: 'own', pauseMs: 0, connectDelayMs: 0 }
const OWN = 'own'

function busKey({ protocol, slaveAddress, port, serialPort }: TerminalRow): string {
  return protocol === 'modbusRtu'
    ? `${protocol} ${slaveAddress} ${serialPort ?? ''}`
    : `${protocol} ${(slaveAddress ?? '').toLowerCase()} ${port ?? TCP_PORT}`
}

const serialOf = ({ baudRate, parity, dataBits, stopBits }: TerminalRow) => ({
  ...(baudRate === null ? {} : { baud: baudRate }),
  ...(parity === null ? {} : { parity }),
  ...(dataBits === null ? {} : { dataBits }),
  ...(stopBits === null ? {} : { stopBits }),
})

/** The bus of one terminal by itself: where a value is written, whether or not anything is polled there. */
export function lineOf(row: TerminalRow, template: Pick<TemplateRow, 'pauseMs' | 'connectDelayMs'>): PlanBus {
  const { protocol, port, serialPort } = row
  if (!isModbus(protocol)) return ownLine
  const slaveAddress = row.slaveAddress ?? ''
  const place =
    protocol === 'modbusRtu'
      ? { serial: slaveAddress, ...(serialPort === null ? {} : { serialPort }) }
      : { host: slaveAddress, port: port ?? TCP_PORT }
  const { pauseMs, connectDelayMs } = template
  return { kind: kinds[protocol], ...place, ...serialOf(row), pauseMs, connectDelayMs }
}

type Collected = { row: TerminalRow; template: TemplateRow; reads: TemplateReads }

/** The slowest of its slaves determines the pauses. */
function busOf(collected: readonly Collected[]): PlanBus {
  const [first] = collected
  if (!first) throw new Error('a bus without terminals')
  const most = (pick: (template: TemplateRow) => number) =>
    Math.max(...collected.map(({ template }) => pick(template)))
  return {
    ...lineOf(first.row, first.template),
    ...Object.assign({}, ...collected.map(({ row }) => serialOf(row)).reverse()),
    pauseMs: most(({ pauseMs }) => pauseMs),
    connectDelayMs: most(({ connectDelayMs }) => connectDelayMs),
  }
}

const scalesOf = (variables: readonly VariableRow[], collected: TemplateReads): VariableScale[] => {
  const slots = new Set(collected.vars.map(({ slot }) => slot))
  const formulas = slotFormulas(variables)
  return variables
    .filter(({ slot }) => slots.has(slot) || formulas.has(slot))
    .sort((one, other) => one.slot - other.slot)
    .map((row) => scaleOf(row, formulas.get(row.slot), interfaceType(row) ?? row.dataType))
}

function planTerminal({ row, template, reads }: Collected, bus: number, own: number): PlanTerminal {
  return {
    t: row.id,
    bus,
    unit: row.slaveId ?? 0,
    timeoutMs: template.timeoutMs,
    retries: template.retries,
    reads: reads.reads.map((read, i) => (reads.own.has(i) && bus !== own ? { ...read, bus: own } : read)),
    vars: reads.vars,
  }
}

/** The slave that serves the variables of a terminal. */
const askedOf = (protocol: TerminalProtocol, interfaces: boolean): Asked[] => [
  ...(isModbus(protocol) ? (['slave'] as const) : []),
  ...(interfaces && protocol !== 'source' ? (['own'] as const) : []),
]

function collect({ terminals, templates, variables, interfaces }: PlanSource): Collected[] {
  const byTemplate = Map.groupBy(variables, ({ templateId }) => templateId)
  const byId = new Map(templates.map((template) => [template.id, template]))
  const known = new Map<string, TemplateReads>()
  return terminals
    .toSorted((one, other) => one.id - other.id)
    .flatMap((row) => {
      const template = row.templateId === null ? undefined : byId.get(row.templateId)
      if (!template) return []
      const asked = askedOf(row.protocol, interfaces)
      const key = `${template.id} ${asked}`
      const reads = known.get(key) ?? readsOf(template, byTemplate.get(template.id) ?? [], asked)
      known.set(key, reads)
      return reads.reads.length > 0 ? [{ row, template, reads }] : []
    })
}

/** Terminals with interfaces of a gateway that does not serve any. */
function withoutInterfaces({ terminals, variables, interfaces }: PlanSource): PlanLint[] {
  if (interfaces) return []
  const using = new Set(
    variables
      .filter(({ ioController, hidden }) => isInterface(ioController) && !hidden)
      .map(({ templateId }) => templateId),
  )
  const found = terminals.filter(
    ({ templateId, protocol }) => protocol !== 'source' && templateId !== null && using.has(templateId),
  )
  return found.length > 0 ? [{ kind: 'noInterfaces', terminals: found.map(({ id }) => id) }] : []
}

/** The bus of its slave; requests without a slave are on the gateway's own bus. */
const placeKey = ({ row, reads }: Collected) => (reads.own.size === reads.reads.length ? OWN : busKey(row))

/** Terminals without a template, or with nothing to read, are not in the plan. */
export function compilePlan(source: PlanSource): CompiledPlan {
  const collected = collect(source)
  const byTemplate = Map.groupBy(source.variables, ({ templateId }) => templateId)
  const taken = collected.slice(0, TERMINALS_MAX)
  const groups = Map.groupBy(taken, placeKey)
  if (!groups.has(OWN) && taken.some(({ reads }) => reads.own.size > 0)) groups.set(OWN, [])
  const onBus = [...groups.values()].slice(0, BUSES_MAX)
  const own = [...groups.keys()].indexOf(OWN)
  const buses = onBus.map((group, i) => (i === own ? ownLine : busOf(group)))
  const beyond = [...collected.slice(TERMINALS_MAX), ...[...groups.values()].slice(BUSES_MAX).flat()]
  const scales = new Map<TemplateReads, VariableScale[]>()
  const scalesFor = ({ template, reads }: Collected) => {
    const made = scales.get(reads) ?? scalesOf(byTemplate.get(template.id) ?? [], reads)
    scales.set(reads, made)
    return made
  }
  return {
    buses,
    terminals: onBus
      .flatMap((group, bus) => group.map((one) => planTerminal(one, bus, own)))
      .sort((one, other) => one.t - other.t),
    scales: Object.fromEntries(onBus.flat().map((one) => [one.row.id, scalesFor(one)])),
    lint: [
      ...buses.flatMap((bus, index) => lintBus(bus, index, onBus[index] ?? [])),
      ...withoutInterfaces(source),
      ...(beyond.length > 0
        ? [{ kind: 'tooMany' as const, terminals: beyond.map(({ row }) => row.id) }]
        : []),
    ],
  }
}
