import { Loader, SegmentedControl, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { deviceDiagnosePermission } from '#schema/device/commands/diagnose'
import { type CommandRow, commandText } from '../command/command-banner.tsx'
import { useFollowed } from '../command/command-follow.ts'
import { useCommandForm } from '../command/command-form.ts'
import { commandBlockedReason, commandNamed } from '../command/commands.ts'
import { OutputPane } from '../command/output-pane.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { FormFields } from '../kit/form/form-fields.tsx'
import { number, percent } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { useNow } from '../kit/time.tsx'
import type { Device } from './device-actions.tsx'
import classes from './device-detail.module.css'

const tools = ['ping', 'traceroute', 'lookUp'] as const
type Tool = (typeof tools)[number]

type Answer = {
  sent?: number
  received?: number
  minMs?: number
  avgMs?: number
  maxMs?: number
  reached?: boolean
  hops?: unknown[]
  status?: string
  records?: string[]
  output?: string[]
}

/** A one-line summary of the result; the program's output is shown below. */
function verdict(name: string, answer: Answer): string {
  if (name === 'ping') {
    const sent = answer.sent ?? 0
    const loss = sent === 0 ? 0 : ((sent - (answer.received ?? 0)) / sent) * 100
    return answer.avgMs === undefined
      ? t('detail:diagnosis.noAnswer', { sent })
      : t('detail:diagnosis.answers', {
          received: answer.received ?? 0,
          sent,
          loss: percent(loss),
          avg: number(answer.avgMs, 1),
        })
  }
  if (name === 'traceroute')
    return t(answer.reached ? 'detail:diagnosis.reached' : 'detail:diagnosis.notReached', {
      hops: answer.hops?.length ?? 0,
    })
  const records = answer.records ?? []
  return records.length > 0
    ? records.join(', ')
    : tOr(`detail:dnsStatus.${answer.status}`, answer.status ?? '')
}

function Outcome({ row, busy }: { row: CommandRow | null; busy: boolean }) {
  const now = useNow()
  if (!row) return <Text c="dimmed">{busy ? t('detail:diagnosis.sending') : t('detail:diagnosis.hint')}</Text>
  const answer = row.result as Answer | null
  if (row.state === 'done' && answer)
    return (
      <>
        <Text fw={600}>{verdict(row.name, answer)}</Text>
        {answer.output && answer.output.length > 0 ? (
          <OutputPane label={t('detail:diagnosis.output')}>{answer.output.join('\n')}</OutputPane>
        ) : null}
      </>
    )
  return (
    <Text c={busy ? undefined : 'var(--critical)'}>
      {busy ? <Loader size={14} mr={8} /> : null}
      {commandText(row, now)}
    </Text>
  )
}

type ToolProps = {
  device: Device
  tool: Tool
  target: string
  onTarget: (target: string) => void
  followed: ReturnType<typeof useFollowed>
}

/** The arguments of one tool; the target is kept when another tool is chosen. */
function ToolForm({ device, tool, target, onTarget, followed }: ToolProps) {
  const asks = tool === 'lookUp' ? 'name' : 'target'
  const { fields, form, args } = useCommandForm(commandNamed(tool), {
    initial: { [asks]: target },
    placeholders: { [asks]: 'example.com' },
  })
  const reason = commandBlockedReason(device, tool)
  const start = form.onSubmit(() => {
    if (!followed.busy && reason === null) followed.send(device, tool, args)
  })
  return (
    <form
      className={classes['tools']}
      noValidate
      onSubmit={start}
      onBlur={() => onTarget(String(args[asks] ?? ''))}
    >
      <FormFields fields={fields} form={form} values={form.values} />
      <ActionButton
        rank="primary"
        icon={IconPlayerPlay}
        label={t('detail:diagnosis.start')}
        permission={deviceDiagnosePermission}
        reason={reason}
        busy={followed.busy}
        onPress={() => start()}
      />
    </form>
  )
}

/** Ping, traceroute and DNS, run by the device. */
export function DeviceDiagnosis({ device }: { device: Device }) {
  const [tool, setTool] = useState<Tool>('ping')
  const [target, setTarget] = useState('')
  const followed = useFollowed(device.deviceId)
  return (
    <Card
      title={t('detail:diagnosis.title')}
      side={
        <SegmentedControl
          size="xs"
          aria-label={t('detail:diagnosis.tool')}
          value={tool}
          onChange={(next) => setTool(tools.find((known) => known === next) ?? 'ping')}
          data={tools.map((value) => ({ value, label: t(`command:name.${value}`) }))}
        />
      }
    >
      <ToolForm
        key={tool}
        device={device}
        tool={tool}
        target={target}
        onTarget={setTarget}
        followed={followed}
      />
      <div style={{ marginTop: 12, display: 'grid', gap: 8 }} aria-live="polite">
        {/* What another tool found stands under that one. */}
        <Outcome row={followed.row?.name === tool ? followed.row : null} busy={followed.busy} />
      </div>
    </Card>
  )
}
