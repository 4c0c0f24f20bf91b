/** New equipment through a gateway, live: slaves, registers, raw frames, types and orders, and a template at the end. */
import { Stack, Text } from '@mantine/core'
import { parseAsInteger, useQueryState } from 'nuqs'
import { useState } from 'react'
import { getDeviceDetail } from '#schema/device/device'
import { getTerminalList } from '#schema/device/terminal'
import type { Word } from '#schema/kit/words.gen'
import { readRegisters } from '#schema/monitor/commands/commissioning'
import { commissioningScreen } from '#schema/monitor/commissioning-page'
import type { RegisterType } from '#schema/monitor/fields'
import type { LibraryVariable } from '#schema/monitor/library/library-template'
import { inLanguage } from '#schema/monitor/template/from-library'
import { commandBlockedReason } from '../command/commands.ts'
import { FoundVariables, type Recognised } from '../commissioning/found-variables.tsx'
import { firstLine, type Line, LineForm, lineOfTerminal } from '../commissioning/modbus-line.tsx'
import { RegisterProbe } from '../commissioning/register-probe.tsx'
import { type Range, RegisterRead } from '../commissioning/register-read.tsx'
import type { Chosen } from '../commissioning/register-views.tsx'
import { SlaveScan } from '../commissioning/slave-scan.tsx'
import { SunspecMap } from '../commissioning/sunspec-map.tsx'
import { useDeviceFound } from '../device/device-find.ts'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { FindField } from '../kit/list/find-field.tsx'
import { usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { language } from '../kit/session.ts'

export const words: readonly Word[] = ['commissioning', 'variable', 'terminal', 'command', 'device', 'detail']

const REFRESH_S = 15
const TERMINALS_MAX = 1_000

/** `crypto.randomUUID` is available over HTTPS only. */
let keys = 0

/** The line of the terminal that a link names. */
function useTerminalLine(deviceId: number | null, terminalId: number | null): Line | null {
  const terminals = useCall(
    getTerminalList,
    { deviceId: deviceId ?? 0, limit: TERMINALS_MAX },
    { enabled: deviceId !== null && terminalId !== null },
  )
  const row = terminals.data?.list.find(({ id }) => id === terminalId)
  return row ? lineOfTerminal(row) : null
}

/** With three decimal places at most: a factor says how many there are. */
const placesOf = ({ factor, type }: Chosen) =>
  type === 'float32' || type === 'float64' ? 2 : Math.max(0, Math.min(3, -Math.round(Math.log10(factor))))

export function Page() {
  usePageTitle(screenTitle(commissioningScreen))
  const [deviceId, setDeviceId] = useQueryState('deviceId', parseAsInteger)
  const [terminalId] = useQueryState('terminalId', parseAsInteger)
  const [edited, setEdited] = useState<{ of: number | null; line: Line } | null>(null)
  const [range, setRange] = useState<Range>({ table: 'holding', address: 0, count: 10 })
  const [variables, setVariables] = useState<readonly Recognised[]>([])
  const named = useTerminalLine(deviceId, terminalId)
  // What was typed for the terminal of another link is not this one's.
  const line = (edited?.of === terminalId ? edited.line : named) ?? firstLine
  const setLine = (next: Line) => setEdited({ of: terminalId, line: next })
  const detail = useCall(
    getDeviceDetail,
    { deviceId: deviceId ?? 0 },
    { enabled: deviceId !== null, refreshS: REFRESH_S },
  )
  const device = deviceId === null ? undefined : detail.data
  const reason = device
    ? (commandBlockedReason(device, readRegisters.name) ??
      (line.kind !== 'own' && line.place.trim() === '' ? t('commissioning:line.missing') : null))
    : t('commissioning:deviceFirst')
  const target = {
    deviceId: deviceId ?? 0,
    deviceName: device?.deviceName ?? '',
    deviceSn: device?.deviceSn ?? '',
  }
  const choose = (chosen: Chosen, table: RegisterType) =>
    setVariables((all) => [
      ...all,
      {
        ...chosen,
        key: String(keys++),
        table,
        name: '',
        unit: '',
        precision: placesOf(chosen),
      },
    ])
  const add = (found: readonly LibraryVariable[]) =>
    setVariables((all) => [
      // A map that is walked again has the same ones.
      ...all.filter(
        (one) =>
          !found.some(({ registerType, address }) => one.table === registerType && one.address === address),
      ),
      ...found.map(({ registerType, address, dataType, name, unit, factor, precision, ...facts }) => ({
        key: String(keys++),
        table: registerType,
        address,
        type: dataType,
        order: 'ABCD' as const,
        name: inLanguage(name, language()),
        unit,
        factor,
        precision,
        facts: {
          functionType: facts.functionType,
          access: facts.access,
          cycleS: facts.cycleS,
          deadband: facts.deadband,
          ...(facts.noValue === undefined ? {} : { noValue: facts.noValue }),
          ...(facts.powerAddress === undefined ? {} : { powerAddress: facts.powerAddress }),
        },
      })),
    ])
  const shared = { target, reason, line }
  return (
    <>
      <PageHeader title={screenTitle(commissioningScreen)} line={t('commissioning:line.about')} />
      <Stack gap="md" key={`${deviceId} ${terminalId}`}>
        <Card title={t('commissioning:line.title')}>
          <FindField
            label={t('commissioning:device')}
            placeholder={t('device:searchPlaceholder')}
            value={deviceId === null ? null : String(deviceId)}
            onChange={(value) => void setDeviceId(value === null ? null : Number(value))}
            useFound={useDeviceFound}
            known={
              device
                ? { value: String(device.deviceId), label: `${device.deviceName} · ${device.deviceSn}` }
                : undefined
            }
          />
          {device && reason ? <Text c="var(--warning)">{reason}</Text> : null}
          <div style={{ marginTop: 12 }}>
            <LineForm line={line} set={setLine} />
          </div>
        </Card>
        <SlaveScan
          {...shared}
          table={range.table}
          address={range.address}
          onUnit={(unit) => setLine({ ...line, unit })}
        />
        <RegisterProbe
          {...shared}
          table={range.table}
          onTable={(table) => setRange({ ...range, table })}
          onRegisters={(address, count) => setRange({ ...range, address, count })}
        />
        <RegisterRead {...shared} range={range} setRange={setRange} onChoose={choose} />
        <SunspecMap {...shared} onFound={add} />
        <FoundVariables variables={variables} set={setVariables} customerId={device?.customerId} />
      </Stack>
    </>
  )
}
