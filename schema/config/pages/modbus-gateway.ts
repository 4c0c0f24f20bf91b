/** Modbus TCP to Modbus RTU, by the package `mbusd`. */
import { z } from 'zod'
import { choice, flag, number, text } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { port, rowKey } from '../page-fields.ts'
import { baudRates, dataBits, serialDevice, serialFaults, stopBits } from '../parts/serial-line.ts'

const parities = ['N', 'E', 'O'] as const

const row = z.object({
  ...rowKey,
  enabled: z.boolean().default(true),
  device: serialDevice,
  port: port.default(502),
  maxConnections: z.int().min(1).max(128).default(32),
  idleS: z.int().min(0).max(1000).default(60),
  speed: z.enum(baudRates).default('19200'),
  databits: z.enum(dataBits).default('8'),
  parity: z.enum(parities).default('N'),
  stopbits: z.enum(stopBits).default('1'),
  // [§5 Serial and Modbus]
  retries: z.int().min(0).max(5).default(3),
  waitMs: z.int().min(1).max(10_000).default(500),
})

const body = z.object({ gateways: z.array(row).max(16).default([]) })

/** Its init script takes `n` and `0` too. */
const parity: RowBound = (() => {
  const plain = inRow(choice(at, 'parity', parities, 'N'))
  return {
    ...plain,
    get: (found) => plain.get(typeof found === 'string' ? found.toUpperCase() : found),
  }
})()

const bounds = () => ({
  gateways: {
    package: 'mbusd',
    type: 'mbusd',
    // Passed to the program without a default by the init script.
    added: { speed: '19200', databits: '8', parity: 'N', stopbits: '1' },
    fields: {
      enabled: inRow(flag(at, 'enabled', true)),
      device: inRow(text(at, 'device')),
      port: inRow(number(at, 'port', 502)),
      maxConnections: inRow(number(at, 'max_connections', 32)),
      idleS: inRow(number(at, 'timeout', 60)),
      speed: inRow(choice(at, 'speed', baudRates, '19200')),
      databits: inRow(choice(at, 'databits', dataBits, '8')),
      parity,
      stopbits: inRow(choice(at, 'stopbits', stopBits, '1')),
      retries: inRow(number(at, 'rtu_retries', 3)),
      waitMs: inRow(number(at, 'rtu_wait', 500)),
    },
  },
})

/** The program ends at once with any other number: frames of RTU have bytes of 8 bits. */
const faultsOfBits = ({ gateways }: z.output<typeof body>): PageFault[] =>
  gateways.flatMap(({ enabled, databits }, i) =>
    enabled && databits !== '8'
      ? [{ path: `gateways.${i}.databits`, text: 'modbus-gateway:fault.dataBits' } as const]
      : [],
  )

export const modbusGateway = configPage({
  name: 'modbus-gateway',
  group: 'serial',
  place: 330,
  icon: 'arrows-exchange',
  packages: ['mbusd'],
  carriedBy: { package: 'mbusd' },
  needs: ['serial', 'mbusd'],
  trial: 'none',
  body,
  bounds,
  check: (values, doc) => [
    ...faultsOfBits(values),
    ...serialFaults(
      doc,
      'mbusd',
      'gateways',
      'port',
      values.gateways.map((row) => ({ ...row, runs: row.enabled })),
    ),
  ],
})
