/** Where a slave is: the line, its settings, and the number of the slave. */
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import {
  type Parity,
  parities,
  SLAVE_ID_MAX,
  type TerminalProtocol,
  terminalProtocols,
} from '#schema/monitor/fields'
import type { PlanBus } from '#schema/monitor/wire'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'
import type { Terminal } from '../monitor/terminal-fields.tsx'

export type Line = {
  kind: PlanBus['kind']
  place: string
  port: number
  baud: number
  parity: Parity
  stopBits: number
  unit: number
  timeoutMs: number
  /** Of a terminal that has them. */
  serialPort?: number
  dataBits?: number
}

const kindOf: Readonly<Record<Exclude<TerminalProtocol, 'source'>, PlanBus['kind']>> = {
  modbusRtu: 'rtu',
  modbusTcp: 'tcp',
  modbusRtuTcp: 'rtuTcp',
  interfaces: 'own',
}
const protocols = terminalProtocols.filter((one) => one !== 'source')

export const firstLine: Line = {
  kind: 'rtu',
  place: 'bus1',
  port: 502,
  baud: 9_600,
  parity: 'none',
  stopBits: 1,
  unit: 1,
  timeoutMs: 1_000,
}

type Placed = Pick<
  Terminal,
  | 'protocol'
  | 'slaveAddress'
  | 'slaveId'
  | 'port'
  | 'serialPort'
  | 'baudRate'
  | 'parity'
  | 'dataBits'
  | 'stopBits'
>

/** null: its values come from elsewhere. */
export function lineOfTerminal(row: Placed): Line | null {
  if (row.protocol === 'source') return null
  return {
    ...firstLine,
    kind: kindOf[row.protocol],
    place: row.slaveAddress ?? '',
    port: row.port ?? firstLine.port,
    baud: row.baudRate ?? firstLine.baud,
    parity: row.parity ?? firstLine.parity,
    stopBits: row.stopBits ?? firstLine.stopBits,
    unit: row.slaveId ?? 0,
    ...(row.serialPort === null ? {} : { serialPort: row.serialPort }),
    ...(row.dataBits === null ? {} : { dataBits: row.dataBits }),
  }
}

/** The arguments of a command. */
export function lineArgs({
  kind,
  place,
  port,
  baud,
  parity,
  stopBits,
  serialPort,
  dataBits,
}: Line): Record<string, unknown> {
  if (kind === 'own') return { kind }
  return kind === 'rtu'
    ? {
        kind,
        serial: place.trim(),
        baud,
        parity,
        stopBits,
        ...(serialPort === undefined ? {} : { serialPort }),
        ...(dataBits === undefined ? {} : { dataBits }),
      }
    : { kind, host: place.trim(), port }
}

const bauds = [1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200]

export function LineForm({ line, set }: { line: Line; set: (line: Line) => void }) {
  const put =
    <K extends keyof Line>(key: K) =>
    (value: Line[K]) =>
      set({ ...line, [key]: value })
  const number = (key: 'port' | 'unit' | 'timeoutMs', min: number, max: number) => (
    <WholeField
      label={t(`commissioning:line.${key}`)}
      value={line[key]}
      min={min}
      max={max}
      onChange={put(key)}
    />
  )
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <Select
        label={t('commissioning:line.kind')}
        data={protocols.map((protocol) => ({
          value: kindOf[protocol],
          label: t(`terminal:protocol.${protocol}`),
        }))}
        value={line.kind}
        allowDeselect={false}
        onChange={(kind) => kind && put('kind')(kind as Line['kind'])}
      />
      {line.kind === 'own' ? null : (
        <TextInput
          label={t(line.kind === 'rtu' ? 'commissioning:line.serial' : 'commissioning:line.host')}
          value={line.place}
          onChange={(event) => put('place')(event.currentTarget.value)}
        />
      )}
      {line.kind === 'rtu' ? (
        <>
          <Select
            label={t('commissioning:line.baud')}
            data={bauds.map(String)}
            value={String(line.baud)}
            allowDeselect={false}
            onChange={(baud) => put('baud')(Number(baud))}
          />
          <Select
            label={t('commissioning:line.parity')}
            data={parities.map((value) => ({ value, label: t(`terminal:parity.${value}`) }))}
            value={line.parity}
            allowDeselect={false}
            onChange={(parity) => parity && put('parity')(parity as Parity)}
          />
        </>
      ) : line.kind === 'own' ? null : (
        number('port', 1, 65_535)
      )}
      {line.kind === 'own' ? null : number('unit', 0, SLAVE_ID_MAX)}
      {number('timeoutMs', 50, 10_000)}
    </SimpleGrid>
  )
}
