/** The end of fast access: the values of the terminal as they arrive, or what is missing before they can. */
import { Alert, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { getTerminalList } from '#schema/device/terminal'
import { commissionPermission } from '#schema/monitor/commands/commissioning'
import { commissioningScreen } from '#schema/monitor/commissioning-page'
import { getMonitorDevices } from '#schema/monitor/monitor-device'
import { variableScreen } from '#schema/monitor/variable-pages'
import { getVariableValues } from '#schema/monitor/variable-values'
import { ActionButton } from '../kit/action-button.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { holdsScreen } from '../kit/session.ts'
import { When } from '../kit/time.tsx'
import { type Lack, lackOf } from './first-value.ts'
import { RowsTable } from './rows-table.tsx'
import { QualityChip, stateOfValue, ValueCell } from './variable-value.tsx'

/** Until the first good value; afterwards as any list of values. */
const EAGER_S = 2
const CALM_S = 10
const VALUES_SHOWN = 200
const TERMINALS_MAX = 1_000

function useArrival(deviceId: number, terminalId: number) {
  const [arrived, setArrived] = useState(false)
  const refreshS = arrived ? CALM_S : EAGER_S
  const values = useCall(getVariableValues, { terminalId, limit: VALUES_SHOWN }, { refreshS })
  const terminals = useCall(getTerminalList, { deviceId, limit: TERMINALS_MAX }, { refreshS })
  const terminal = terminals.data?.list.find(({ id }) => id === terminalId)
  const devices = useCall(getMonitorDevices, { deviceId, limit: 1 }, { refreshS })
  const device = devices.data?.list[0]
  const list = values.data?.list ?? []
  const states = list.map(stateOfValue)
  const good = states.filter((state) => state === 'good').length
  if (good > 0 && !arrived) setArrived(true)
  const known = values.data !== undefined && terminal !== undefined && device !== undefined
  const lack = known
    ? lackOf({
        variables: list.length,
        good,
        bad: states.filter((state) => state !== 'good' && state !== 'none' && state !== 'stale').length,
        // Values of a foreign source need neither gateway nor plan nor slave.
        online: terminal.source?.connected ?? terminal.deviceOnline,
        collection: terminal.source ? 'running' : device.collection,
        hidden: terminal.hidden,
        slave: terminal.source ? null : terminal.state,
      })
    : undefined
  return {
    list,
    lack,
    terminal,
    refusedReason: device?.refusedReason ?? '',
    error: values.error ?? terminals.error ?? devices.error,
  }
}

const wrong: readonly Lack[] = ['refused', 'noPath', 'silent', 'bad', 'noVariables', 'hidden']

export function AccessFinish({ deviceId, terminalId }: { deviceId: number; terminalId: number }) {
  const { list, lack, terminal, refusedReason, error } = useArrival(deviceId, terminalId)
  return (
    <Stack gap="md">
      {error ? <ErrorBar error={error} /> : null}
      {lack === undefined ? null : (
        <Alert
          role="status"
          color={lack === null ? 'green' : wrong.includes(lack) ? 'orange' : 'blue'}
          title={
            lack === null
              ? t('fast-access:arrived', { name: terminal?.name ?? '' })
              : t('fast-access:waiting', { name: terminal?.name ?? '' })
          }
        >
          {lack === null ? null : (
            <Text size="sm">{t(`fast-access:lack.${lack}`, { reason: refusedReason })}</Text>
          )}
        </Alert>
      )}
      {list.length === 0 ? null : (
        <RowsTable
          heads={[
            t('variable:field.name'),
            t('variable:field.value'),
            t('variable:field.quality'),
            t('variable:field.at'),
          ]}
          numbers={[t('variable:field.value')]}
          rows={list.map((row) => ({
            key: row.slot,
            cells: [
              row.name,
              <ValueCell key="value" row={row} />,
              <QualityChip key="quality" row={row} />,
              <When key="at" at={row.at} zone={row.timeZone} />,
            ],
          }))}
        />
      )}
      <Group gap="sm">
        {holdsScreen(commissioningScreen) ? (
          <ActionButton
            label={t('terminal:commission')}
            permission={commissionPermission}
            onPress={() => goTo(`${commissioningScreen.path}?deviceId=${deviceId}&terminalId=${terminalId}`)}
          />
        ) : null}
        {holdsScreen(variableScreen) ? (
          <ActionButton
            label={t('terminal:values')}
            onPress={() => goTo(`${variableScreen.path}?terminalId=${terminalId}`)}
          />
        ) : null}
      </Group>
    </Stack>
  )
}
