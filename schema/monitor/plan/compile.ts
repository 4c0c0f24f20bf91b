/**
 * From terminals, their templates and variables to the plan that a gateway polls by, and to what the platform must know
 * to scale its answers. The same rows give the same plan to the byte, so that its hash says whether it has changed.
 */
import { slotFormulas } from '../formula/derived.ts'
import type { PlanScales, VariableScale } from '../scale.ts'
import { BUSES_MAX, type PlanBus, type PlanDocument, type PlanTerminal, TERMINALS_MAX } from '../wire.ts'
import { lintBus, type PlanLint } from './lint.ts'
import { readsOf, type TemplateReads } from './reads.ts'
import type { TemplateRow, TerminalRow, VariableRow } from './rows.ts'

export type PlanSource = {
  /** Of one gateway. */
  terminals: readonly TerminalRow[]
  templates: readonly TemplateRow[]
  variables: readonly VariableRow[]
}
export type CompiledPlan = Omit<PlanDocument, 'revision'> & { scales: PlanScales; lint: PlanLint[] }

export const TCP_PORT = 502
const kinds = { modbusRtu: 'rtu', modbusTcp: 'tcp', modbusRtuTcp: 'rtuTcp' } as const

function busKey({ protocol, slaveAddress, port, serialPort }: TerminalRow): string {
  return protocol === 'modbusRtu'
    ? `${protocol} ${slaveAddress} ${serialPort ?? ''}`
    : `${protocol} ${slaveAddress.toLowerCase()} ${port ?? TCP_PORT}`
}

const serialOf = ({ baudRate, parity, dataBits, stopBits }: TerminalRow) => ({
  ...(baudRate === null ? {} : { baud: baudRate }),
  ...(parity === null ? {} : { parity }),
  ...(dataBits === null ? {} : { dataBits }),
  ...(stopBits === null ? {} : { stopBits }),
})

/** The bus of one terminal by itself: where a value is written, whether or not anything is polled there. */
export function lineOf(row: TerminalRow, template: Pick<TemplateRow, 'pauseMs' | 'connectDelayMs'>): PlanBus {
  const { protocol, slaveAddress, port, serialPort } = row
  const place =
    protocol === 'modbusRtu'
      ? { serial: slaveAddress, ...(serialPort === null ? {} : { serialPort }) }
      : { host: slaveAddress, port: port ?? TCP_PORT }
  const { pauseMs, connectDelayMs } = template
  return { kind: kinds[protocol], ...place, ...serialOf(row), pauseMs, connectDelayMs }
}

type Collected = { row: TerminalRow; template: TemplateRow; reads: TemplateReads }

/** The slowest of its slaves decides about pauses. */
function busOf(collected: readonly Collected[]): PlanBus | null {
  const [first] = collected
  if (!first) return null
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
    .map(({ slot, dataType, factor, addend, precision, min, max }) => {
      const formula = formulas.get(slot)
      return { slot, type: dataType, factor, addend, precision, min, max, ...(formula ? { formula } : {}) }
    })
}

function planTerminal({ row, template, reads }: Collected, bus: number): PlanTerminal {
  return {
    t: row.id,
    bus,
    unit: row.slaveId,
    timeoutMs: template.timeoutMs,
    retries: template.retries,
    reads: reads.reads,
    vars: reads.vars,
  }
}

/** Terminals without a template, or with nothing to read, are not in the plan. */
export function compilePlan({ terminals, templates, variables }: PlanSource): CompiledPlan {
  const byTemplate = Map.groupBy(variables, ({ templateId }) => templateId)
  const compiled = new Map(
    templates.map((template) => {
      const rows = byTemplate.get(template.id) ?? []
      const reads = readsOf(template, rows)
      return [template.id, { template, reads, scales: scalesOf(rows, reads) }]
    }),
  )
  const collected = terminals
    .toSorted((one, other) => one.id - other.id)
    .flatMap((row) => {
      const found = row.templateId === null ? undefined : compiled.get(row.templateId)
      return found && found.reads.reads.length > 0 ? [{ row, ...found }] : []
    })
  const taken = collected.slice(0, TERMINALS_MAX)
  const groups = [...Map.groupBy(taken, ({ row }) => busKey(row)).values()]
  const onBus = groups.slice(0, BUSES_MAX)
  const buses = onBus.flatMap((group) => busOf(group) ?? [])
  const beyond = [...collected.slice(TERMINALS_MAX), ...groups.slice(BUSES_MAX).flat()]
  return {
    buses,
    terminals: onBus
      .flatMap((group, bus) => group.map((one) => planTerminal(one, bus)))
      .sort((one, other) => one.t - other.t),
    scales: Object.fromEntries(onBus.flat().map(({ row, scales }) => [row.id, scales])),
    lint: [
      ...buses.flatMap((bus, index) => lintBus(bus, index, onBus[index] ?? [])),
      ...(beyond.length > 0
        ? [{ kind: 'tooMany' as const, terminals: beyond.map(({ row }) => row.id) }]
        : []),
    ],
  }
}
