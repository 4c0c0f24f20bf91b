/** Smart sensors on the ports of a device, read by our agent: its package `sensors`. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { choice, flag, number, text } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { lineOrNone, rowKey } from '../page-fields.ts'
import { firstRepeated } from '../parts/repeated.ts'

const kinds = [
  'temperature',
  'humidity',
  'voltage',
  'current',
  'light',
  'smoke',
  'water',
  'door',
  'motion',
  'other',
] as const
const buses = ['input', 'adc', 'onewire', 'i2c', 'modbus'] as const
/** Sensors with two states have no thresholds. */
const MEASURES = { kind: ['temperature', 'humidity', 'voltage', 'current', 'light', 'other'] }

const threshold = z.number().min(-1_000_000).max(1_000_000).nullable().default(null)

const row = z.object({
  ...rowKey,
  name: field(lineOrNone(32), { needed: true }),
  enabled: z.boolean().default(true),
  kind: z.enum(kinds).default('temperature'),
  bus: z.enum(buses).default('input'),
  // The number of an input, the id of a 1-Wire sensor, the serial port of a Modbus line.
  port: field(
    z
      .string()
      .trim()
      .max(64)
      .regex(shaped(/^[\w./:-]*$/, 'sensorPort'))
      .default(''),
    { needed: true },
  ),
  // [§5 Terminal] Slave IDs are 0 to 255.
  slaveId: field(z.int().min(0).max(255).default(1), { when: { bus: ['modbus'] } }),
  register: field(z.int().min(0).max(65_535).default(0), { when: { bus: ['modbus'] } }),
  low: field(threshold, { when: MEASURES }),
  high: field(threshold, { when: MEASURES }),
  reportS: z.int().min(5).max(86_400).default(60),
})

const body = z.object({ sensors: z.array(row).max(32).default([]) })

/** A threshold may have a fraction, which `number` does not read. */
const decimal = (option: string): RowBound => ({
  option,
  get: (found) => (typeof found === 'string' && /^-?\d+(\.\d+)?$/.test(found) ? Number(found) : null),
  put: (value) => (value === null || value === '' ? null : String(value)),
})

const bounds = () => ({
  sensors: {
    package: 'sensors',
    type: 'sensor',
    fields: {
      name: inRow(text(at, 'name')),
      enabled: inRow(flag(at, 'enabled', true)),
      kind: inRow(choice(at, 'kind', kinds, 'other')),
      bus: inRow(choice(at, 'bus', buses, 'input')),
      port: inRow(text(at, 'port')),
      slaveId: inRow(number(at, 'slave', 1)),
      register: inRow(number(at, 'register', 0)),
      low: decimal('low'),
      high: decimal('high'),
      reportS: inRow(number(at, 'report_s', 60)),
    },
  },
})

const faultsOf = ({ sensors }: z.output<typeof body>): PageFault[] => [
  ...firstRepeated(sensors, 'sensors', 'name', 'sensor:fault.nameTaken'),
  ...sensors.flatMap(({ kind, low, high }, i): PageFault[] =>
    MEASURES.kind.includes(kind) && low !== null && high !== null && low >= high
      ? [{ path: `sensors.${i}.high`, text: 'sensor:fault.thresholds' }]
      : [],
  ),
]

export const sensor = configPage({
  name: 'sensor',
  group: 'io',
  place: 420,
  icon: 'temperature',
  packages: ['sensors'],
  carriedBy: 'agent',
  needs: ['sensors'],
  trial: 'none',
  body,
  bounds,
  check: faultsOf,
})
