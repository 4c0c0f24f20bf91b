import { Text } from '@mantine/core'
import { slaveStates } from '#schema/monitor/fields'
import { t } from '../kit/i18n.ts'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { protocolOptions, type Terminal } from './terminal-fields.tsx'

type Known = Pick<Terminal, 'state' | 'deviceOnline' | 'source'> & Partial<Pick<Terminal, 'dropped'>>
const stateNames = [...slaveStates, 'unknown', 'deviceOffline', 'sourceConnected', 'sourceAway'] as const
type Shown = (typeof stateNames)[number]

const tones: Readonly<Record<Shown, Tone>> = {
  answering: 'online',
  silent: 'major',
  noPath: 'major',
  unknown: 'offline',
  deviceOffline: 'offline',
  sourceConnected: 'online',
  sourceAway: 'major',
}

/** The slaves of an offline gateway are unknown; values of a foreign source do not depend on it. */
function stateOf({ state, deviceOnline, source }: Known): Shown {
  if (source) return source.connected ? 'sourceConnected' : 'sourceAway'
  if (!deviceOnline) return 'deviceOffline'
  return state ?? 'unknown'
}

function hintOf(row: Known): string | undefined {
  if (row.source) return row.source.name
  if (!row.deviceOnline) return t('terminal:suppressed')
  return row.dropped ? t('terminal:lost', { count: row.dropped }) : undefined
}

export function SlaveChip(row: Known) {
  const state = stateOf(row)
  return <StatusChip tone={tones[state]} label={t(`terminal:state.${state}`)} hint={hintOf(row)} />
}

const lineText = ({ baudRate, parity, dataBits, stopBits }: Terminal) =>
  baudRate === null ? null : `${baudRate} ${dataBits}${parity?.[0]?.toUpperCase() ?? ''}${stopBits}`

export const terminalColumns: readonly Column<Terminal>[] = [
  { key: 'name', title: 'terminal:field.name', width: 160, pinned: 'left', card: 'title' },
  {
    key: 'state',
    title: 'terminal:field.state',
    width: 162,
    card: 'beside',
    render: (row) => <SlaveChip {...row} />,
    text: (row) => t(`terminal:state.${stateOf(row)}`),
  },
  {
    key: 'serial',
    title: 'terminal:field.serial',
    width: 130,
    extra: true,
    render: (row) => <Mono value={row.serial} />,
  },
  {
    key: 'deviceSn',
    title: 'terminal:field.device',
    width: 140,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'template', title: 'terminal:field.template', width: 150 },
  {
    key: 'protocol',
    title: 'terminal:field.protocol',
    width: 165,
    render: (row) => t(`terminal:protocol.${row.protocol}`),
    text: (row) => t(`terminal:protocol.${row.protocol}`),
  },
  { key: 'slaveId', title: 'terminal:field.slaveId', width: 96, numeric: true },
  {
    key: 'slaveAddress',
    title: 'terminal:field.slaveAddress',
    width: 130,
    render: (row) => <Mono value={row.slaveAddress} />,
  },
  { key: 'port', title: 'terminal:field.port', width: 90, numeric: true, extra: true },
  { key: 'serialPort', title: 'terminal:field.serialPort', width: 100, numeric: true, extra: true },
  {
    key: 'baudRate',
    title: 'terminal:field.line',
    width: 110,
    extra: true,
    render: (row) => <Text span>{lineText(row)}</Text>,
    text: lineText,
  },
  { key: 'number', title: 'terminal:field.number', width: 110, extra: true },
  { key: 'location', title: 'terminal:field.location', width: 160 },
  {
    key: 'reportAt',
    title: 'terminal:field.reportAt',
    width: 130,
    render: (row) => <When at={row.reportAt} zone={row.timeZone} />,
  },
  { key: 'missed', title: 'terminal:field.missed', width: 130, numeric: true, extra: true },
  { key: 'dropped', title: 'terminal:field.dropped', width: 130, numeric: true, extra: true },
  {
    key: 'hidden',
    title: 'terminal:field.hidden',
    width: 100,
    extra: true,
    render: (row) => (
      <StatusChip
        tone={row.hidden ? 'offline' : 'online'}
        label={t(row.hidden ? 'terminal:hidden' : 'terminal:shown')}
      />
    ),
    text: (row) => t(row.hidden ? 'terminal:hidden' : 'terminal:shown'),
  },
  {
    key: 'accessTime',
    title: 'terminal:field.accessTime',
    width: 160,
    extra: true,
    render: (row) => <When at={row.accessTime} absolute zone={row.timeZone} />,
  },
]

export const terminalFilters: readonly Filter[] = [
  { key: 'protocol', label: 'terminal:field.protocol', useOptions: protocolOptions },
  {
    key: 'state',
    label: 'terminal:field.state',
    width: 150,
    useOptions: () =>
      [...slaveStates, 'unknown' as const].map((value) => ({ value, label: t(`terminal:state.${value}`) })),
  },
  {
    key: 'hidden',
    label: 'terminal:field.hidden',
    width: 120,
    useOptions: () => [
      { value: 'no', label: t('terminal:shown') },
      { value: 'yes', label: t('terminal:hidden') },
    ],
  },
]
