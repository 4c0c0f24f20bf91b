import { Loader, SegmentedControl, Select, Text, TextInput } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import {
  deviceDiagnosePermission,
  dnsTypes,
  HOST_PATTERN,
  lookUp,
  ping,
  traceroute,
} from '#schema/device/commands/diagnose'
import { type CommandRow, commandText } from '../command/command-banner.tsx'
import { useFollowed } from '../command/command-follow.ts'
import { commandBlockedReason } from '../command/commands.ts'
import { OutputPane } from '../command/output-pane.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { number, percent } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { useNow } from '../kit/time.tsx'
import type { Device } from './device-actions.tsx'
import classes from './device-detail.module.css'

const tools = ['ping', 'traceroute', 'lookUp'] as const
type Tool = (typeof tools)[number]
const declared = { ping, traceroute, lookUp }

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

/** Ping, traceroute and DNS, run by the device. */
export function DeviceDiagnosis({ device }: { device: Device }) {
  const [tool, setTool] = useState<Tool>('ping')
  const [target, setTarget] = useState('')
  const [type, setType] = useState<(typeof dnsTypes)[number]>('A')
  const [wrong, setWrong] = useState(false)
  const followed = useFollowed(device.deviceId)
  const start = () => {
    const given = target.trim()
    if (!HOST_PATTERN.test(given)) return setWrong(true)
    const args = tool === 'lookUp' ? { name: given, type } : { target: given }
    followed.send(device, declared[tool].name, args)
  }
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
      <form
        className={classes['tools']}
        onSubmit={(event) => {
          event.preventDefault()
          if (!followed.busy && commandBlockedReason(device, declared[tool].name) === null) start()
        }}
      >
        <TextInput
          className={classes['grow']}
          label={t(tool === 'lookUp' ? 'detail:diagnosis.name' : 'detail:diagnosis.target')}
          placeholder="example.com"
          value={target}
          error={wrong ? t('detail:diagnosis.wrong') : null}
          autoComplete="off"
          onChange={(event) => {
            setTarget(event.currentTarget.value)
            setWrong(false)
          }}
        />
        {tool === 'lookUp' ? (
          <Select
            w={110}
            label={t('detail:diagnosis.type')}
            value={type}
            allowDeselect={false}
            data={[...dnsTypes]}
            onChange={(next) => setType(dnsTypes.find((known) => known === next) ?? 'A')}
          />
        ) : null}
        <ActionButton
          icon={IconPlayerPlay}
          label={t('detail:diagnosis.start')}
          permission={deviceDiagnosePermission}
          reason={
            commandBlockedReason(device, declared[tool].name) ??
            (target.trim() ? null : t('detail:diagnosis.empty'))
          }
          busy={followed.busy}
          onPress={start}
        />
      </form>
      <div style={{ marginTop: 12, display: 'grid', gap: 8 }} aria-live="polite">
        {/* The result of each tool is shown below it. */}
        <Outcome
          row={followed.row?.name === declared[tool].name ? followed.row : null}
          busy={followed.busy}
        />
      </div>
    </Card>
  )
}
