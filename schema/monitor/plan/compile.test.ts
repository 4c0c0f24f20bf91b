import { describe, expect, it } from 'vitest'
import { planDocument } from '../wire.ts'
import { coalesce } from './coalesce.ts'
import { compilePlan } from './compile.ts'
import type { TemplateRow, TerminalRow, VariableRow } from './rows.ts'
import { pieceOf, splitPiece } from './split.ts'

const terminal = (id: number, changed: Partial<TerminalRow> = {}): TerminalRow => ({
  id,
  templateId: 1,
  protocol: 'modbusRtu',
  slaveId: id,
  slaveAddress: 'bus1',
  port: null,
  serialPort: null,
  baudRate: 9_600,
  parity: 'even',
  dataBits: 8,
  stopBits: 1,
  ...changed,
})
const template = (changed: Partial<TemplateRow> = {}): TemplateRow => ({
  id: 1,
  byteOrder: 'CDAB',
  maxGap: 8,
  maxRegisters: 125,
  timeoutMs: 800,
  pauseMs: 0,
  connectDelayMs: 0,
  retries: 1,
  pollMs: 5_000,
  ...changed,
})
const variable = (slot: number, address: number, changed: Partial<VariableRow> = {}): VariableRow => ({
  templateId: 1,
  name: `V${slot}`,
  formula: null,
  slot,
  registerType: 'holding',
  address,
  dataType: 'float32',
  byteOrder: null,
  bit: null,
  length: null,
  noValue: null,
  powerAddress: null,
  factor: 1,
  addend: 0,
  precision: 1,
  functionType: 'gauge',
  access: 'read',
  min: null,
  max: null,
  reportType: 'cycle',
  cycleS: 60,
  deadband: 0,
  minIntervalMs: 0,
  ioController: 'modbus',
  interfaceNumber: null,
  hidden: false,
  ...changed,
})
const compiled = (variables: VariableRow[], changed: Partial<TemplateRow> = {}, terminals = [terminal(7)]) =>
  compilePlan({ terminals, templates: [template(changed)], variables, interfaces: false })
const requests = (variables: VariableRow[], changed: Partial<TemplateRow> = {}) =>
  compiled(variables, changed).terminals.flatMap(({ reads }) =>
    reads.map(({ fn, address, count, everyMs }) => [fn, address, count, everyMs / 1000]),
  )

describe('the requests of a plan', () => {
  it('join neighbours and gaps up to the limit of the template', () => {
    const rows = [variable(0, 100), variable(1, 104), variable(2, 115)]
    expect(requests(rows)).toEqual([
      [3, 100, 6, 60],
      [3, 115, 2, 60],
    ])
    expect(requests(rows, { maxGap: 9 })).toEqual([[3, 100, 17, 60]])
    expect(requests(rows, { maxGap: 0 }).length).toBe(3)
  })

  it('never divide a value, and never ask for more than the limit', () => {
    const rows = Array.from({ length: 40 }, (_, i) => variable(i, 4 * i, { dataType: 'float64' }))
    expect(requests(rows)).toEqual([
      [3, 0, 124, 60],
      [3, 124, 36, 60],
    ])
    expect(requests(rows.slice(0, 3), { maxRegisters: 6 }).map(([, , count]) => count)).toEqual([4, 4, 4])
  })

  it('are separate for each function and period', () => {
    const rows = [
      variable(0, 0, { registerType: 'input' }),
      variable(1, 2, { registerType: 'input', cycleS: 300 }),
      variable(2, 2, { cycleS: 300, reportType: 'both' }),
      variable(3, 0, { registerType: 'coil', dataType: 'bool' }),
      variable(4, 120, { registerType: 'coil', dataType: 'bool' }),
    ]
    expect(requests(rows)).toEqual([
      [1, 0, 121, 60],
      [3, 2, 2, 5],
      [4, 0, 2, 60],
      [4, 2, 2, 300],
    ])
  })

  it('leave out what is hidden, only written or no register', () => {
    const rows = [
      variable(0, 0, { hidden: true }),
      variable(1, 2, { access: 'write' }),
      variable(2, 0, { ioController: 'digitalInput', registerType: null, address: null }),
    ]
    expect(compiled(rows)).toMatchObject({ buses: [], terminals: [], scales: {} })
  })

  it('read a SunSpec value together with its power of ten, at any address', () => {
    const rows = [variable(0, 40_072, { dataType: 'uint16', powerAddress: 40_076 })]
    const [only] = compiled(rows, { maxGap: 0 }).terminals
    expect(only?.reads).toEqual([{ fn: 3, address: 40_072, count: 5, everyMs: 60_000 }])
    expect(only?.vars[0]).toMatchObject({ at: 0, powerAt: 4 })
    expect(compiled([variable(0, 10, { powerAddress: 300 })]).terminals).toEqual([])
  })
})

describe('a plan', () => {
  const rows = [
    variable(5, 0, { factor: 0.1, deadband: 0.5, min: 0, max: 500, reportType: 'both', noValue: 'ffffffff' }),
    variable(2, 2, { functionType: 'counter', deadband: 3, byteOrder: 'ABCD' }),
  ]

  it('is taken by the gateway also with a deadband beyond all numbers: one variable must not stop all of them', () => {
    const plan = compiled([variable(0, 0, { factor: 1e-300, deadband: 1e10, reportType: 'change' })])
    const sent = JSON.parse(JSON.stringify({ revision: 1, buses: plan.buses, terminals: plan.terminals }))
    expect(planDocument.safeParse(sent).error?.issues).toBeUndefined()
  })

  it('says raw deadbands to the gateway, and factors only to the platform', () => {
    const { terminals, scales } = compiled(rows)
    expect(terminals[0]?.vars).toEqual([
      { slot: 2, read: 1, at: 0, type: 'float32', order: 'ABCD', report: 'cycle', cycleMs: 60_000 },
      {
        slot: 5,
        read: 0,
        at: 0,
        type: 'float32',
        order: 'CDAB',
        noValue: 'FFFFFFFF',
        report: 'both',
        cycleMs: 60_000,
        deadband: 5,
      },
    ])
    expect(scales['7']).toEqual([
      { slot: 2, type: 'float32', factor: 1, addend: 0, precision: 1, min: null, max: null },
      { slot: 5, type: 'float32', factor: 0.1, addend: 0, precision: 1, min: 0, max: 500 },
    ])
  })

  it('has one bus for each line, host and port, and the slowest slave decides its pauses', () => {
    const tcp = { protocol: 'modbusTcp', slaveAddress: 'PLC.example', baudRate: null, parity: null } as const
    const { buses, terminals } = compilePlan({
      terminals: [
        terminal(4, { ...tcp, port: 1502 }),
        terminal(3, { ...tcp, templateId: 2 }),
        terminal(2, { ...tcp, slaveAddress: 'plc.example', port: 502 }),
        terminal(1, { serialPort: 2 }),
      ],
      templates: [template(), template({ id: 2, pauseMs: 50, connectDelayMs: 1_500 })],
      variables: [...rows, ...rows.map((row) => ({ ...row, templateId: 2 }))],
      interfaces: false,
    })
    expect(terminals.map(({ t, bus, unit }) => [t, bus, unit])).toEqual([
      [1, 0, 1],
      [2, 1, 2],
      [3, 1, 3],
      [4, 2, 4],
    ])
    expect(buses).toMatchObject([
      { kind: 'rtu', serial: 'bus1', serialPort: 2, baud: 9_600, parity: 'even', pauseMs: 0 },
      { kind: 'tcp', host: 'plc.example', port: 502, pauseMs: 50, connectDelayMs: 1_500 },
      { kind: 'tcp', host: 'PLC.example', port: 1502, pauseMs: 0 },
    ])
  })

  it('is the same to the byte whatever the order of the rows, and valid on the wire', () => {
    const terminals = Array.from({ length: 5 }, (_, i) => terminal(i + 1))
    const one = compiled(rows, {}, terminals)
    const other = compiled(rows.toReversed(), {}, terminals.toReversed())
    expect(JSON.stringify(other)).toBe(JSON.stringify(one))
    const { buses, terminals: planned } = one
    expect(planDocument.parse({ revision: 3, buses, terminals: planned }).terminals.length).toBe(5)
  })

  it('says when a bus cannot carry it, and the period that it could', () => {
    const slow = rows.map((row) => ({ ...row, cycleS: 1, reportType: 'cycle' as const }))
    const terminals = Array.from({ length: 40 }, (_, i) => terminal(i + 1))
    const [found] = compiled(slow, {}, terminals).lint
    expect(found).toMatchObject({ kind: 'busOverloaded', bus: 0, place: 'bus1', shortestS: 3, easyS: 3 })
    expect(compiled(rows, {}, terminals).lint).toMatchObject([])
    const mixed = [terminal(1), terminal(2, { baudRate: 19_200 }), terminal(248, { parity: null })]
    expect(compiled(rows, {}, mixed).lint).toMatchObject([
      { kind: 'serialDiffers', terminals: [2] },
      { kind: 'unitReserved', terminal: 248 },
    ])
  })

  it('of 1,000 variables is compiled within 50 ms', () => {
    const many = Array.from({ length: 1_000 }, (_, i) =>
      variable(i, (37 * i) % 65_000, { cycleS: 1 + (i % 4) }),
    )
    const times = Array.from({ length: 5 }, () => {
      const start = performance.now()
      compiled(many)
      return performance.now() - start
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })
})

describe('a request that is refused with exception 2', () => {
  const rows = [variable(0, 0), variable(1, 2), variable(2, 8), variable(3, 8, { dataType: 'uint16' })]
  const [planned] = compiled(rows).terminals
  const piece = planned && pieceOf(planned, 0)
  const spans = (pieces: ReturnType<typeof splitPiece>) =>
    pieces?.map(({ address, count, items }) => [address, count, items.length])

  it('is divided at its holes first, then in halves, and never within a value', () => {
    expect(piece).toMatchObject({ address: 0, count: 10 })
    const atHoles = piece && splitPiece(piece)
    expect(spans(atHoles ?? null)).toEqual([
      [0, 4, 2],
      [8, 2, 2],
    ])
    expect(spans(splitPiece(atHoles?.[0] ?? { address: 0, count: 0, items: [] }))).toEqual([
      [0, 2, 1],
      [2, 2, 1],
    ])
  })

  it('of one value cannot be divided: its address is bad', () => {
    expect(splitPiece({ address: 4, count: 2, items: [{ variable: 0, address: 4, count: 2 }] })).toBeNull()
  })

  it('comes to an end for whatever it covers', () => {
    const left = coalesce(
      [0, 1, 1, 3, 9, 9, 12].map((address, variable) => ({ variable, address, count: 1 + (variable % 3) })),
      { maxGap: 125, maxRegisters: 125 },
    )
    const alone = new Set<number>()
    for (let steps = 0; left.length > 0; steps++) {
      expect(steps).toBeLessThan(100)
      const [next] = left.splice(0, 1)
      const parts = next ? splitPiece(next) : null
      if (parts) left.push(...parts)
      else for (const { variable } of next?.items ?? []) alone.add(variable)
    }
    expect([...alone].sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })
})

it('a computed variable is not read, and comes into the scales with slots for its names', () => {
  const sum = variable(2, 0, {
    name: 'Sum',
    ioController: 'formula',
    registerType: null,
    address: null,
    formula: 'V0 + V1',
  })
  const plan = compiled([variable(0, 0), variable(1, 2), sum])
  expect(plan.terminals[0]?.vars.map(({ slot }) => slot)).toEqual([0, 1])
  expect(
    plan.scales['7']?.map(({ slot, formula }) => [slot, formula?.inputs.map((one) => one.slot)]),
  ).toEqual([
    [0, undefined],
    [1, undefined],
    [2, [0, 1]],
  ])
})

describe('the inputs and outputs of the gateway itself', () => {
  const own = (slot: number, changed: Partial<VariableRow>) =>
    variable(slot, 0, { registerType: null, address: null, dataType: 'bool', interfaceNumber: 1, ...changed })
  const rows = [
    variable(0, 100),
    own(1, { ioController: 'digitalInput' }),
    own(2, { ioController: 'digitalInput', interfaceNumber: 2, functionType: 'counter' }),
    own(3, { ioController: 'relay', interfaceNumber: 2 }),
    own(4, { ioController: 'analogInput', interfaceNumber: 2 }),
    own(5, { ioController: 'digitalOutput', interfaceNumber: 3 }),
  ]
  const plan = (terminals: TerminalRow[], interfaces = true) =>
    compilePlan({ terminals, templates: [template()], variables: rows, interfaces })

  it('are asked of the gateway, and the registers of the same template of its slave', () => {
    const { buses, terminals, scales } = plan([terminal(7)])
    expect(buses.map(({ kind }) => kind)).toEqual(['rtu', 'own'])
    expect(terminals[0]?.bus).toBe(0)
    expect(terminals[0]?.reads.map(({ bus, fn, address, count }) => [bus, fn, address, count])).toEqual([
      [undefined, 3, 100, 2],
      [1, 1, 2, 1],
      [1, 1, 1001, 1],
      [1, 2, 0, 1],
      [1, 4, 2, 2],
      [1, 4, 1002, 2],
    ])
    expect(terminals[0]?.vars.map(({ type }) => type)).toEqual([
      'float32',
      'bool',
      'uint32',
      'bool',
      'float32',
      'bool',
    ])
    expect(scales['7']?.map(({ type }) => type)).toEqual(terminals[0]?.vars.map(({ type }) => type))
  })

  it('are all that a terminal without a slave has', () => {
    const { buses, terminals } = plan([
      terminal(7, { protocol: 'interfaces', slaveId: null, slaveAddress: null }),
    ])
    expect(buses).toEqual([{ kind: 'own', pauseMs: 0, connectDelayMs: 0 }])
    expect(terminals).toMatchObject([{ t: 7, bus: 0, unit: 0 }])
    expect(terminals[0]?.reads.some(({ bus }) => bus !== undefined)).toBe(false)
    expect(terminals[0]?.vars.map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5])
  })

  it('are not asked of a gateway that does not answer for them, which is said', () => {
    const { buses, terminals, lint } = plan([terminal(7)], false)
    expect(buses.map(({ kind }) => kind)).toEqual(['rtu'])
    expect(terminals[0]?.vars.map(({ slot }) => slot)).toEqual([0])
    expect(lint).toEqual([{ kind: 'noInterfaces', terminals: [7] }])
  })

  it('a terminal of a foreign source asks nothing at all', () => {
    const { terminals, lint } = plan([terminal(7, { protocol: 'source', slaveId: null, slaveAddress: null })])
    expect([terminals, lint]).toEqual([[], []])
  })
})
