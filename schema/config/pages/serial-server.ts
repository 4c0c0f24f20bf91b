/** Serial ports behind TCP ports, by the package `ser2net`. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { choice, flag, list, number, text } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound } from '../bind-rows.ts'
import { configPage } from '../config-page.ts'
import { port, rowKey } from '../page-fields.ts'
import { baudRates, dataBits, serialDevice, serialFaults, stopBits } from '../parts/serial-line.ts'

const parities = ['none', 'even', 'odd', 'mark', 'space'] as const
const protocols = ['raw', 'rawlp', 'telnet', 'off'] as const

const row = z.object({
  ...rowKey,
  enabled: z.boolean().default(true),
  device: serialDevice,
  port: field(port.nullable().default(null), { needed: true }),
  protocol: z.enum(protocols).default('raw'),
  timeoutS: z.int().min(0).max(86_400).default(0),
  baudrate: z.enum(baudRates).default('9600'),
  databits: z.enum(dataBits).default('8'),
  parity: z.enum(parities).default('none'),
  stopbits: z.enum(stopBits).default('1'),
  rtscts: z.boolean().default(false),
  xonxoff: z.boolean().default(false),
  options: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(64)
        .regex(shaped(/^[\w.:=/+-]*$/, 'serialOption')),
    )
    .max(16)
    .default([]),
})

const body = z.object({
  enabled: z.boolean().default(false),
  proxies: z.array(row).max(16).default([]),
})

/** The stock file has an empty item, which means nothing and stays until somebody sets an option. */
const options: RowBound = (() => {
  const plain = inRow(list(at, 'options'))
  return { ...plain, get: (found) => (plain.get(found) as string[]).filter((one) => one !== '') }
})()

const bounds = () => ({
  // Its init script reads the section of this name and no other.
  enabled: flag({ package: 'ser2net', type: 'ser2net', name: 'global' }, 'enabled'),
  proxies: {
    package: 'ser2net',
    type: 'proxy',
    // Without a protocol the section is skipped.
    added: { protocol: 'raw' },
    fields: {
      enabled: inRow(flag(at, 'enabled')),
      device: inRow(text(at, 'device')),
      port: inRow(number(at, 'port')),
      protocol: inRow(choice(at, 'protocol', protocols, 'off')),
      timeoutS: inRow(number(at, 'timeout', 0)),
      baudrate: inRow(choice(at, 'baudrate', baudRates, '9600')),
      databits: inRow(choice(at, 'databits', dataBits, '8')),
      parity: inRow(choice(at, 'parity', parities, 'none')),
      stopbits: inRow(choice(at, 'stopbits', stopBits, '1')),
      rtscts: inRow(flag(at, 'rtscts')),
      xonxoff: inRow(flag(at, 'xonxoff')),
      options,
    },
  },
})

export const serialServer = configPage({
  name: 'serial-server',
  group: 'serial',
  place: 320,
  icon: 'server-2',
  packages: ['ser2net'],
  carriedBy: { package: 'ser2net' },
  needs: ['serial', 'ser2net'],
  trial: 'none',
  body,
  bounds,
  check: ({ proxies }, doc) =>
    serialFaults(
      doc,
      'ser2net',
      'proxies',
      'port',
      proxies.map((row) => ({ ...row, runs: row.enabled })),
    ),
})
