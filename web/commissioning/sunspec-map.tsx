/** Reads the map by which devices of the SunSpec standard describe themselves, and offers what its models measure. Nothing is written. */
import { Button, Group, Text } from '@mantine/core'
import { IconPlayerStop, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { commissionPermission, type RawRead, readRegisters } from '#schema/monitor/commands/commissioning'
import type { LibraryVariable } from '#schema/monitor/library/library-template'
import {
  isAskedAgain,
  isDescriptive,
  modelVariables,
  nextStep,
  type SunspecModel,
  startWalk,
  walkedVariables,
  walkOn,
  wordsOf,
} from '#schema/monitor/template/sunspec'
import { commandText } from '../command/command-banner.tsx'
import type { Target } from '../command/commands.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { type Line, lineArgs } from './modbus-line.tsx'
import { runCommand } from './run-command.ts'

type Props = {
  target: Target
  reason: string | null
  line: Line
  onFound: (variables: readonly LibraryVariable[]) => void
}
/** `done`: the map was read to its end; what was stopped or refused tells nothing of the slave. */
type State = { busy: boolean; error: string | null; models: readonly SunspecModel[]; done: boolean }
const stopped = (now: State): State => (now.busy ? { ...now, busy: false } : now)
const nothing: State = { busy: false, error: null, models: [], done: false }

/**
 * One request after the other: where a model begins is known from the one before it. @returns a text: why it ended early; null: a
 * request was refused, which has been shown
 */
async function walkMap(
  { target, line }: Props,
  signal: AbortSignal,
  onStep: (models: readonly SunspecModel[]) => void,
): Promise<readonly SunspecModel[] | string | null> {
  let walk = startWalk()
  for (let tries = 1; ; tries++) {
    const step = nextStep(walk)
    if ('models' in step) return step.models ?? []
    const args = {
      ...lineArgs(line),
      unit: line.unit,
      timeoutMs: line.timeoutMs,
      table: 'holding',
      ...step.read,
    }
    const row = await runCommand(target, readRegisters.name, args, signal)
    if (!row) return null
    if (!row.result) return commandText(row, serverNow())
    const said = row.result as RawRead
    if (said.outcome === 'noPath') return t('commissioning:outcome.noPath')
    if (isAskedAgain(walk, said, tries)) continue
    tries = 0
    walk = walkOn(walk, wordsOf(said))
    onStep(walk.models)
  }
}

const modelText = ({ id, address, length }: SunspecModel) => {
  const count = modelVariables({ id, address }).length
  return t(count > 0 ? 'commissioning:sunspec.model' : 'commissioning:sunspec.unknown', {
    id,
    from: address,
    to: address + 1 + length,
    count,
  })
}

export function SunspecMap(props: Props) {
  const [state, setState] = useState(nothing)
  const running = useRef<AbortController | null>(null)
  const stop = () => {
    running.current?.abort()
    setState(stopped)
  }
  useEffect(
    () => () => {
      running.current?.abort()
      // The page may only be hidden: shown again, it must not look as if the walk went on.
      setState(stopped)
    },
    [],
  )
  const start = async () => {
    const own = new AbortController()
    running.current = own
    setState({ ...nothing, busy: true })
    const found = await walkMap(props, own.signal, (models) => {
      if (!own.signal.aborted) setState((now) => ({ ...now, models }))
    }).catch((error: Error) => error.message)
    if (own.signal.aborted) return
    if (found === null) return setState(stopped)
    if (typeof found === 'string')
      return setState((now) => ({ ...now, busy: false, done: true, error: found }))
    setState({ busy: false, error: null, models: found, done: true })
    const variables = walkedVariables(found)
    if (variables.length > 0) props.onFound(variables)
  }
  const shown = state.models.filter((model) => !isDescriptive(model))
  const count = walkedVariables(state.models).length
  return (
    <Card title={t('commissioning:sunspec.title')}>
      {state.busy ? (
        <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={stop}>
          {t('commissioning:stop')}
        </Button>
      ) : (
        <ActionButton
          icon={IconSearch}
          label={t('commissioning:sunspec.start')}
          permission={commissionPermission}
          reason={props.reason}
          onPress={() => void start()}
        />
      )}
      <div aria-live="polite" style={{ marginTop: 12 }}>
        {state.error ? <Text c="var(--critical)">{state.error}</Text> : null}
        {shown.length > 0 ? (
          <Group gap={4} style={{ flexDirection: 'column', alignItems: 'start' }}>
            {shown.map((model) => (
              <Text key={model.address}>{modelText(model)}</Text>
            ))}
          </Group>
        ) : null}
        {state.busy || state.error ? null : (
          <Text c="dimmed">
            {!state.done
              ? t('commissioning:sunspec.hint')
              : count > 0
                ? t('commissioning:sunspec.added', { count })
                : t('commissioning:sunspec.none')}
          </Text>
        )}
      </div>
    </Card>
  )
}
