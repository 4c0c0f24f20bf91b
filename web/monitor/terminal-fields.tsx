/** The form of a terminal: used by both lists of terminals and by the wizard. */
import { Text } from '@mantine/core'
import { type getTerminalList, getTerminalTemplates } from '#schema/device/terminal'
import { isModbus, parities, terminalProtocols } from '#schema/monitor/fields'
import { useDeviceFound } from '../device/device-find.ts'
import type { Drawn, Field, FormValues } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import type { Option, Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { isPlatformUser } from '../people/people-options.ts'
import { SelectField } from './select-field.tsx'

export type Terminal = Row<typeof getTerminalList>

export const protocolOptions = (): readonly Option[] =>
  terminalProtocols.map((value) => ({ value, label: t(`terminal:protocol.${value}`) }))

const STALE_MS = 10_000

/** Of the customer of the chosen gateway. */
function TemplateField(drawn: Drawn) {
  const deviceId = String(drawn.values['deviceId'] ?? '')
  const found = useCall(getTerminalTemplates, deviceId === '' ? {} : { deviceId }, {
    staleMs: STALE_MS,
    keepPrevious: true,
  })
  const options = (found.data?.list ?? []).map(({ id, name, customerName }) => ({
    value: String(id),
    label: deviceId === '' && isPlatformUser() ? `${name} · ${customerName}` : name,
  }))
  const chosen = found.data?.list.find(({ id }) => String(id) === String(drawn.values['templateId'] ?? ''))
  const protocol = terminalProtocols.find((one) => one === drawn.values['protocol'])
  const unread = chosen && protocol && !isModbus(protocol) ? chosen.slaveCount : 0
  return (
    <>
      <SelectField drawn={drawn} options={options} />
      {unread > 0 ? (
        <Text size="xs" c="var(--warning)" mt={4} role="status">
          {t('terminal:unread', { count: unread })}
        </Text>
      ) : null}
    </>
  )
}

export const terminalFields = (row: Terminal | null): readonly (Field | string)[] => [
  { name: 'name', required: true },
  {
    name: 'deviceId',
    required: true,
    useFound: useDeviceFound,
    known: row ? { value: String(row.deviceId), label: row.deviceSn } : undefined,
  },
  { name: 'templateId', required: true, Draw: TemplateField },
  { name: 'protocol', required: true, useOptions: protocolOptions },
  { name: 'slaveId', hint: 'terminal:slaveIdHint' },
  { name: 'slaveAddress', hint: 'terminal:addressHint' },
  'port',
  'serialPort',
  { name: 'baudRate', hint: 'terminal:lineHint' },
  {
    name: 'parity',
    useOptions: () => parities.map((value) => ({ value, label: t(`terminal:parity.${value}`) })),
  },
  'dataBits',
  'stopBits',
  'serial',
  'number',
  'location',
]

export const terminalValues = (row: Terminal): FormValues => ({
  name: row.name,
  deviceId: String(row.deviceId),
  templateId: String(row.templateId),
  protocol: row.protocol,
  slaveId: row.slaveId ?? '',
  slaveAddress: row.slaveAddress ?? '',
  port: row.port ?? '',
  serialPort: row.serialPort ?? '',
  baudRate: row.baudRate ?? 9_600,
  parity: row.parity ?? 'none',
  dataBits: row.dataBits ?? 8,
  stopBits: row.stopBits ?? 1,
  serial: row.serial ?? '',
  number: row.number ?? '',
  location: row.location ?? '',
})
