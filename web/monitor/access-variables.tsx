/** The last step of fast access: which variables the terminal will have, and the result of a first reading. */
import { Group, Stack, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { getDeviceDetail } from '#schema/device/device'
import { getTerminalList } from '#schema/device/terminal'
import { getTemplate, templateListScreen } from '#schema/monitor/collection-template'
import { commissionPermission, type RawRead, readRegisters } from '#schema/monitor/commands/commissioning'
import { qualities } from '#schema/monitor/fields'
import type { VariableRow } from '#schema/monitor/plan/rows'
import { type Step, type Tested, tableOf, testedValues, testSteps } from '#schema/monitor/plan/test-read'
import { addVariable, getTemplateVariables } from '#schema/monitor/variable'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { commandText } from '../command/command-banner.tsx'
import { commandBlockedReason, type Target } from '../command/commands.ts'
import { type Line, lineArgs, lineOfTerminal } from '../commissioning/modbus-line.tsx'
import { runCommand } from '../commissioning/run-command.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { FormValues } from '../kit/form/form-model.ts'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { holdsScreen } from '../kit/session.ts'
import { NEW_TERMINAL } from './access-draft.ts'
import { RowsTable } from './rows-table.tsx'
import { Reach } from './template-fields.tsx'
import type { Terminal } from './terminal-fields.tsx'
import { unitText } from './variable-columns.tsx'
import { newVariable, type Variable } from './variable-editor.tsx'
import { valueText } from './variable-value.tsx'

const VARIABLES_SHOWN = 1_000
const TERMINALS_MAX = 1_000

type Props = {
  deviceId: number
  terminalId: number
  templateId: number
  /** Of a terminal that is added at the end. */
  typed: FormValues
}

const numberOr = (value: unknown) => (value === '' || value === undefined ? null : Number(value))
const typedLine = (values: FormValues): Line | null =>
  lineOfTerminal({
    protocol: values['protocol'] as Terminal['protocol'],
    slaveAddress: String(values['slaveAddress'] ?? ''),
    slaveId: numberOr(values['slaveId']),
    port: numberOr(values['port']),
    serialPort: numberOr(values['serialPort']),
    baudRate: numberOr(values['baudRate']),
    parity: (values['parity'] || null) as Terminal['parity'],
    dataBits: numberOr(values['dataBits']),
    stopBits: numberOr(values['stopBits']),
  })

function useLine({ deviceId, terminalId, typed }: Props): { line: Line | null; isLoading: boolean } {
  const isNew = terminalId === NEW_TERMINAL
  const found = useCall(getTerminalList, { deviceId, limit: TERMINALS_MAX }, { enabled: !isNew })
  const row = found.data?.list.find(({ id }) => id === terminalId)
  if (isNew) return { line: typedLine(typed), isLoading: false }
  return { line: row ? lineOfTerminal(row) : null, isLoading: found.isPending }
}

type Asked = { target: Target; line: Line; steps: readonly Step[]; rows: readonly VariableRow[] }

/** One request after the other; `onTested` is called after each. Ends with the first that the gateway could not carry out.
 * @returns why it ended early; null: it did not
 */
async function testRead(
  { target, line, steps, rows }: Asked,
  signal: AbortSignal,
  onTested: (values: ReadonlyMap<number, Tested>) => void,
): Promise<string | null> {
  for (const step of steps) {
    const { fn, address, count } = step.read
    const args = {
      ...(step.own ? { kind: 'own' } : lineArgs(line)),
      unit: step.own ? 0 : line.unit,
      timeoutMs: line.timeoutMs,
      table: tableOf[fn],
      address,
      count,
    }
    const row = await runCommand(target, readRegisters.name, args, signal)
    if (!row || signal.aborted) return null
    if (!row.result) return commandText(row, serverNow())
    onTested(testedValues(step, rows, row.result as RawRead))
  }
  return null
}

const planRow = (row: Variable) => ({
  ...row,
  byteOrder: row.byteOrder === 'template' ? null : row.byteOrder,
})

function useTestRead(props: Props, list: readonly Variable[]) {
  const { deviceId, templateId } = props
  const { line, isLoading } = useLine(props)
  const template = useCall(getTemplate, { id: templateId })
  const device = useCall(getDeviceDetail, { deviceId })
  const [values, setValues] = useState<ReadonlyMap<number, Tested> | null>(null)
  const [done, setDone] = useState<{ n: number; of: number } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const left = useRef(new AbortController())
  useEffect(() => {
    left.current = new AbortController()
    return () => {
      left.current.abort()
      // The page may only be hidden, and is shown again.
      setDone(null)
    }
  }, [])
  const rows = list.map(planRow)
  const steps = line && template.data ? testSteps(template.data, rows, line.kind !== 'own') : []
  const start = async () => {
    if (!line || !template.data || !device.data || done) return
    setValues(new Map())
    setFailure(null)
    setDone({ n: 0, of: steps.length })
    const { deviceName, deviceSn } = device.data
    const asked = { target: { deviceId, deviceName, deviceSn }, line, steps, rows }
    const timed = { ...asked, line: { ...line, timeoutMs: template.data.timeoutMs } }
    // That of this reading: the next one, of the page shown again, has its own.
    const { signal } = left.current
    const why = await testRead(timed, signal, (found) => {
      setValues((before) => new Map([...(before ?? []), ...found]))
      setDone((before) => before && { ...before, n: before.n + 1 })
    }).catch((error: Error) => error.message)
    if (signal.aborted) return
    setFailure(why)
    setDone(null)
  }
  const loading = t('kit:loading')
  const missing = device.error ?? template.error
  const reason = (() => {
    if (missing) return missing.message
    if (!device.data || !template.data || (line === null && isLoading)) return loading
    if (line === null) return t('fast-access:test.notHere')
    if (steps.length === 0) return t('fast-access:test.nothing')
    return commandBlockedReason(device.data, readRegisters.name)
  })()
  return { values, done, failure, start, reason }
}

/** Its value, or why there is none. */
function testedText(row: Variable, tested: Tested | undefined): string {
  if (!tested) return ''
  const quality = qualities[tested.quality] ?? 'badData'
  if (tested.value === null && tested.text === null) return t(`variable:quality.${quality}`)
  const text = `${valueText({ ...row, ...tested })} ${unitText(row.unit)}`.trim()
  return quality === 'good' ? text : `${text} · ${t(`variable:quality.${quality}`)}`
}

/** What is collected, added to in place: every terminal with the template gets it. */
function AddVariable({ templateId }: { templateId: number }) {
  const [opened, setOpened] = useState(false)
  const template = useCall(getTemplate, { id: templateId })
  const form = useMemo(() => newVariable(templateId), [templateId])
  return (
    <>
      <ActionButton
        label={t('variable:create')}
        permission={templateEditPermission}
        reason={template.data?.changeable === false ? t('collection-template:locked') : null}
        onPress={() => setOpened(true)}
      />
      <FormDrawer
        {...form}
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('variable:create')}
        verb={t('variable:create')}
        call={addVariable}
        fixed={{ templateId }}
        refreshes={[getTemplateVariables]}
        success={t('variable:saved')}
      >
        <Reach templateId={templateId} />
      </FormDrawer>
    </>
  )
}

export function AccessVariables(props: Props) {
  const { templateId } = props
  const found = useCall(getTemplateVariables, { templateId, limit: VARIABLES_SHOWN })
  const list = (found.data?.list ?? []).filter(({ hidden }) => !hidden)
  const test = useTestRead(props, list)
  if (found.error && !found.data) return <ErrorBar error={found.error} />
  const edit = (
    <>
      <AddVariable templateId={templateId} />
      {holdsScreen(templateListScreen) ? (
        <ActionButton
          label={t('fast-access:openTemplate')}
          onPress={() => goTo(`${templateListScreen.path}/${templateId}`)}
        />
      ) : null}
    </>
  )
  if (found.data && list.length === 0)
    return (
      <Empty title={t('fast-access:noVariables')} text={t('fast-access:noVariablesText')} action={edit} />
    )
  const names = ['name', 'unit', 'registerType', 'address', 'dataType', 'cycleS']
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('collection-template:countOfVariables', { count: list.length })}
        </Text>
        <Group gap="sm">
          <ActionButton
            label={t('fast-access:test.start')}
            icon={IconPlayerPlay}
            permission={commissionPermission}
            reason={test.reason}
            busy={test.done !== null}
            onPress={() => void test.start()}
          />
          {edit}
        </Group>
      </Group>
      <div aria-live="polite">
        {test.done ? <Text size="sm">{t('fast-access:test.progress', test.done)}</Text> : null}
        {test.failure ? <Text c="var(--critical)">{test.failure}</Text> : null}
      </div>
      <RowsTable
        heads={[
          ...names.map((name) => t(`variable:field.${name}` as never)),
          ...(test.values ? [t('fast-access:test.value')] : []),
        ]}
        numbers={[t('variable:field.address'), t('variable:field.cycleS'), t('fast-access:test.value')]}
        rows={list.map((row) => ({
          key: row.id,
          cells: [
            row.name,
            unitText(row.unit),
            row.registerType === null
              ? t(`variable:ioController.${row.ioController}`)
              : t(`variable:registerType.${row.registerType}`),
            row.address ?? row.interfaceNumber,
            t(`variable:dataType.${row.dataType}`),
            number(row.cycleS),
            ...(test.values ? [testedText(row, test.values.get(row.slot))] : []),
          ],
        }))}
      />
    </Stack>
  )
}
