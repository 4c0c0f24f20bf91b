/** The parameters of a serial line, and which programs of a device use a serial port or listen on a TCP port. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { shaped } from '#schema/kit/shape'
import { saidBy, textOf } from '../bind.ts'
import type { PageFault } from '../config-page.ts'
import type { UciDoc, UciSection } from '../uci.ts'

export const baudRates = [
  '300',
  '600',
  '1200',
  '2400',
  '4800',
  '9600',
  '19200',
  '38400',
  '57600',
  '115200',
  '230400',
  '460800',
  '921600',
] as const
export const dataBits = ['5', '6', '7', '8'] as const
export const stopBits = ['1', '2'] as const

/** `/dev/ttyS1`, `/dev/ttyUSB0`, `/dev/serial/by-id/…` */
export const serialDevice = field(
  z
    .string()
    .trim()
    .max(128)
    .regex(shaped(/^(\/dev\/[\w./:-]+)?$/, 'devicePath'))
    .default(''),
  { needed: true },
)

/** Who opens a serial port and listens: in each package of a serial server, the sections that are switched on. */
type User = { readonly package: string; readonly device: string; readonly port: number | null }

const said = (section: UciSection, option: string) => textOf(saidBy(section, option))
const isOn = (text: string) => ['1', 'on', 'true', 'yes', 'enabled'].includes(text)
const isOff = (text: string) => ['0', 'off', 'false', 'no', 'disabled'].includes(text)
const LISTENING = ['tcp_server', 'modbus', 'udp']

const servers: Readonly<
  Record<string, { type: string; port: string; runs: (section: UciSection) => boolean }>
> = {
  ser2net: { type: 'proxy', port: 'port', runs: (section) => isOn(said(section, 'enabled')) },
  mbusd: { type: 'mbusd', port: 'port', runs: (section) => !isOff(said(section, 'enabled')) },
  serial: {
    type: 'port',
    port: 'listen_port',
    runs: (section) => !['', 'off'].includes(said(section, 'mode')),
  },
}

function usersBeside(doc: UciDoc, own: string): User[] {
  return Object.entries(servers).flatMap(([name, { type, port, runs }]) =>
    name === own
      ? []
      : (doc[name]?.sections ?? [])
          .filter((section) => section.type === type && runs(section))
          .map((section) => ({
            package: name,
            device: said(section, 'device'),
            port:
              name === 'serial' && !LISTENING.includes(said(section, 'mode'))
                ? null
                : Number(said(section, port)) || null,
          })),
  )
}

type Row = { readonly device: string; readonly port: number | null; readonly runs: boolean }

/** Two programs on one serial port disturb each other, and the second on a TCP port does not start. */
export function serialFaults(
  doc: UciDoc,
  own: string,
  list: string,
  portField: string,
  rows: readonly Row[],
) {
  const others = usersBeside(doc, own)
  return rows.flatMap(({ device, port, runs }, i): PageFault[] => {
    if (!runs) return []
    const before = rows.slice(0, i).filter((row) => row.runs)
    const taken = [...others, ...before.map((row) => ({ ...row, package: own }))]
    const byDevice = device === '' ? undefined : taken.find((one) => one.device === device)
    const byPort = port === null ? undefined : taken.find((one) => one.port === port)
    return [
      ...(byDevice
        ? [
            {
              path: `${list}.${i}.device`,
              text: 'serial:fault.deviceTaken',
              params: { device, by: byDevice.package },
            } as const,
          ]
        : []),
      ...(byPort
        ? [
            {
              path: `${list}.${i}.${portField}`,
              text: 'serial:fault.portTaken',
              params: { port: port ?? 0, by: byPort.package },
            } as const,
          ]
        : []),
    ]
  })
}
