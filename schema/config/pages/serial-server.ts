/** Serial ports behind TCP ports, by the package `ser2net`. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import {
  choice,
  flag,
  list,
  number,
  packageOf,
  saidBy,
  text,
  textOf,
  withOption,
  withSections,
} from '../bind.ts'
import { rowWhere as at, inRow, type RowBound, type Rows, readRows } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { port, rowKey } from '../page-fields.ts'
import { baudRates, dataBits, serialDevice, serialFaults, stopBits } from '../parts/serial-line.ts'
import type { UciDoc, UciSection } from '../uci.ts'

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

/** What a proxy does not say itself, this section says for all. */
function lineOf(doc: UciDoc) {
  const section = packageOf(doc, 'ser2net').sections.find(({ type }) => type === 'default')
  const said = <T extends string>(option: string, choices: readonly T[], initial: T): T =>
    choices.find((one) => one === textOf(saidBy(section, option)).toLowerCase()) ?? initial
  return {
    baudrate: said('speed', baudRates, said('baudrate', baudRates, '9600')),
    databits: said('databits', dataBits, '8'),
    parity: said('parity', parities, 'none'),
    stopbits: said('stopbits', stopBits, '1'),
  }
}

function proxiesOf(doc: UciDoc) {
  const line = lineOf(doc)
  return {
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
      baudrate: inRow(choice(at, 'baudrate', baudRates, line.baudrate)),
      databits: inRow(choice(at, 'databits', dataBits, line.databits)),
      parity: inRow(choice(at, 'parity', parities, line.parity)),
      stopbits: inRow(choice(at, 'stopbits', stopBits, line.stopbits)),
      rtscts: inRow(flag(at, 'rtscts')),
      xonxoff: inRow(flag(at, 'xonxoff')),
      options,
    },
  } satisfies Rows
}

const bounds = (doc: UciDoc) => ({
  // Its init script reads the section of this name and no other.
  enabled: flag({ package: 'ser2net', type: 'ser2net', name: 'global' }, 'enabled'),
  proxies: proxiesOf(doc),
})

const LINE = ['baudrate', 'databits', 'parity', 'stopbits'] as const
type Values = z.output<typeof body>
type Proxy = Values['proxies'][number]
const lineText = (row: Proxy) => LINE.map((name) => row[name]).join()
const rowsBefore = (doc: UciDoc) =>
  new Map((readRows(doc, proxiesOf(doc)) as Proxy[]).map((row) => [row.id, row]))

/**
 * Its init script takes data and stop bits only together with the parity, and these only with the baud rate: a proxy
 * that is new or whose line changes says all four.
 */
function withWholeLines(after: UciDoc, { proxies }: Values, before: UciDoc): UciDoc {
  const known = rowsBefore(before)
  const rows = [...proxies]
  const whole = (section: UciSection): UciSection => {
    const row = section.type === 'proxy' ? rows.shift() : undefined
    if (!row) return section
    const was = known.get(row.id)
    return was && lineText(was) === lineText(row)
      ? section
      : LINE.reduce((made, name) => withOption(made, name, row[name]), section)
  }
  return proxies.length === 0
    ? after
    : withSections(after, 'ser2net', packageOf(after, 'ser2net').sections.map(whole))
}

/** From OpenWrt 24.10 on, its init script leaves out a proxy with such a parity, without a word. */
function forgottenParities({ proxies }: Values, doc: UciDoc): PageFault[] {
  const known = rowsBefore(doc)
  return proxies.flatMap(({ id, enabled, parity }, i) =>
    enabled && ['mark', 'space'].includes(parity) && known.get(id)?.parity !== parity
      ? [{ path: `proxies.${i}.parity`, text: 'serial-server:fault.parity' } as const]
      : [],
  )
}

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
  finish: (after, values, _, before) => withWholeLines(after, values, before),
  check: (values, doc) => [
    ...serialFaults(
      doc,
      'ser2net',
      'proxies',
      'port',
      values.proxies.map((row) => ({ ...row, runs: row.enabled })),
    ),
    ...forgottenParities(values, doc),
  ],
})
